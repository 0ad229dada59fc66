/** The guide to commands is true: it names every one, each example is a command, and each says what it needs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandNeeds } from '../src/config/command-needs.ts';
import { parseCommand, usageOf, verbs } from '../src/domain/command.ts';

const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'commands.md'), 'utf8');
const rows = guide.split('\n').filter((line) => line.startsWith('| `/stepback '));

describe('docs/commands.md', () => {
  it.each(verbs)('has a row for %s, with how it is typed and what it needs', (verb) => {
    const row = rows.find((line) => line.startsWith(`| \`/stepback ${usageOf(verb).usage}\``));
    expect(row).toBeDefined();
    const { permission, changesCluster } = commandNeeds[verb];
    expect(row).toContain(changesCluster ? 'who is named' : `${permission}`);
  });

  it('shows only commands that are commands', () => {
    const shown = guide.split('\n').filter((line) => line.startsWith('/stepback'));
    expect(shown.length).toBeGreaterThan(8);
    for (const line of shown) expect(parseCommand(line)?.kind, line).toBe('command');
  });
});
