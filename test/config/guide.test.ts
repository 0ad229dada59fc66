/**
 * The documents of the configuration against the table of keys: `docs/stepback.schema.json` is what the table makes
 * (`vitest run test/config/guide.test.ts -u` writes it), and `docs/configuration.md` has a row for every key and a sample
 * that works.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandNeeds } from '../../src/config/command-needs.ts';
import { commandNames, type Settings } from '../../src/config/configuration.ts';
import { keyNames, keys } from '../../src/config/keys.ts';
import { printSchema, writtenKey } from '../../src/config/schema.ts';
import { placeholders } from '../../src/config/templates.ts';
import { layerOf } from './reading.ts';

const docs = join(import.meta.dirname, '../../docs');
const text = readFileSync(join(docs, 'configuration.md'), 'utf8');
/** Tables may be padded. */
const guide = text.replace(/ {2,}/g, ' ');
const samples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** A value as a person writes it on one line; a bar would end the cell of a table. */
function inline(name: keyof Settings): string {
  const value = writtenKey(name).fallback;
  const written = JSON.stringify(value).replaceAll('|', '\\|');
  return ['{}', '[]'].includes(written)
    ? 'none'
    : `\`${typeof value === 'string' && /^[\w-]+$/.test(value) ? value : written}\``;
}

function rowOf(name: keyof Settings): string {
  const { path, meaning, strictness, setters, annotation } = keys[name];
  const per = setters.includes('applicationSet') ? ' ✓' : '';
  const narrowed = annotation === undefined ? '' : ` \`${annotation}\``;
  return `| \`${path}\` | ${inline(name)} | ${meaning} | ${strictness.words} |${per} |${narrowed} |`;
}

describe('the guide', () => {
  test.each(keyNames.filter((name) => keys[name].setters.includes('file')))('has a row for %s', (name) => {
    expect(guide).toContain(rowOf(name));
  });

  test('names what only annotations and the environment set', () => {
    for (const name of keyNames.filter((candidate) => !keys[candidate].setters.includes('file'))) {
      expect(guide).toContain(keys[name].annotation ?? keys[name].variable ?? 'nothing');
      expect(guide).toContain(keys[name].meaning);
    }
  });

  test('has a row for every placeholder and every command', () => {
    for (const [name, meaning] of Object.entries(placeholders.message))
      expect(guide).toContain(`| \`{${name}}\` | ${meaning} |`);
    for (const command of commandNames) {
      const { permission, changesCluster } = commandNeeds[command];
      expect(guide).toContain(`| \`${command}\` | \`${permission}\`${changesCluster ? ', and named' : ''} |`);
    }
  });

  test('has samples that work, and the first has every key', () => {
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(readFileSync(join(docs, 'stepback.schema.json'), 'utf8')),
    );
    expect(samples.length).toBeGreaterThanOrEqual(3);
    for (const sample of samples) {
      layerOf(sample);
      expect(fits(parse(sample)), JSON.stringify(fits.errors)).toBe(true);
    }
    const said = Object.keys(layerOf(samples[0] ?? '').settings).sort();
    expect(said).toEqual(keyNames.filter((name) => keys[name].setters.includes('file')).sort());
  });
});

test('the schema that editors use is fresh', async () => {
  await expect(printSchema()).toMatchFileSnapshot(join(docs, 'stepback.schema.json'));
});
