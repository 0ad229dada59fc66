/** Sound files: every key is read, whatever way a person writes it, and the schema for editors lets it pass. */
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { keys, keysOf } from '../../src/config/keys.ts';
import { readConfiguration } from '../../src/config/read.ts';
import { configurationSchema } from '../../src/config/schema.ts';
import { files, textOf } from './arbitrary.ts';
import { layerOf } from './reading.ts';

const fits = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(
  configurationSchema(),
);

describe('a sound file', () => {
  test('says what was written, and fits the schema', () => {
    fc.assert(
      fc.property(files, (file) => {
        const text = textOf(file);
        const { layer, faults } = readConfiguration(text, { source: file.source, owner: 'acme' });
        expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(layer).toEqual(file);
        expect(fits(parse(text)), JSON.stringify(fits.errors)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  test('may say nothing', () => {
    const nothing = { source: 'stepback.yaml', settings: {}, applicationSets: [] };
    for (const text of [
      '',
      '\n',
      '# soon\n',
      '---\n',
      '{}',
      'null\n',
      'times:\n  # grace: 2m\n',
      '\ufeff',
      '  \n\t\n',
    ])
      expect({ ...layerOf(text), text }).toEqual({ ...nothing, text });
    expect(layerOf('applicationSets:\n  payments:\n').applicationSets).toEqual([
      { pattern: 'payments', settings: {} },
    ]);
  });

  test('may be JSON, in flow style, quoted, with CR LF, and begin with a byte order mark', () => {
    const settings = { mode: 'propose', graceMs: 90_000 };
    for (const text of [
      '{"mode": "propose", "times": {"grace": "90s"}}',
      'mode: propose\r\ntimes:\r\n  grace: 90s\r\n',
      "'mode': 'propose'\ntimes: {grace: 1m30s}",
      '\ufeffmode: propose # the default is revert\ntimes:\n    grace: "1m30s"\n...\n',
    ])
      expect(layerOf(text).settings).toEqual(settings);
  });

  test('may have a message of several lines and an emoji with a joiner', () => {
    const { settings } = layerOf(
      'templates:\n  commitMessage: |\n    Revert {subject}\n\n    {body}\nlabels: [👩‍🚒 on fire]\n',
    );
    expect(settings).toEqual({ messageTemplate: 'Revert {subject}\n\n{body}\n', labels: ['👩‍🚒 on fire'] });
  });

  test('may name teams with or without the organisation', () => {
    expect(layerOf('reviewers: {teams: [acme/platform, sre]}').settings.reviewerTeams).toEqual([
      'platform',
      'sre',
    ]);
  });
});

describe('the table of keys', () => {
  test('has an example and a default that can be read back as they are written', () => {
    const layers = keysOf('file').map((name) => {
      const { example, fallback } = keys[name];
      return { name, example, fallback };
    });
    for (const { name, example, fallback } of layers)
      for (const value of [example, fallback]) {
        const file = { source: 'stepback.yaml', settings: { [name]: value }, applicationSets: [] };
        expect(layerOf(textOf(file)).settings).toEqual({ [name]: value });
      }
  });

  test('has every path once, with one dot at the most', () => {
    const paths = Object.values(keys).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => path.split('.').length > 2)).toEqual([]);
  });
});

describe('the schema', () => {
  test.each([
    ['an unknown key', 'modus: revert'],
    ['an unknown key of an ApplicationSet', 'applicationSets: {x: {signOff: true}}'],
    ['a time without a unit', 'times: {grace: 120}'],
    ['a time in words', 'times: {grace: 2 minutes}'],
    ['an unknown mode', 'applicationSets: {x: {mode: yolo}}'],
    ['a number out of range', 'limits: {repository: 1001}'],
    ['an unknown command', 'commands: {rollback: {}}'],
    ['a name with an at sign', 'reviewers: {users: ["@octocat"]}'],
    ['a threshold of nothing', 'thresholds: {prod: 0}'],
    ['an ApplicationSet that cannot be', 'applicationSets: {Payments: {}}'],
  ])('marks %s while it is typed', (_, text) => {
    expect(fits(parse(text))).toBe(false);
    expect(readConfiguration(text, { source: 'x', owner: null }).layer).toBeNull();
  });
});
