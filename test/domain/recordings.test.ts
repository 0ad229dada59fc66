/**
 * Every recording is walked with its own clock, and at each checkpoint the answer is the right one. Nothing is called
 * failed, and no revert is proposed, before anybody can know.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, openRecording, recordingNames, recordingsFolder, rowsOf } from './recorded.ts';

describe('a recording gets the right answers', () => {
  it.for(recordingNames)('%s', async (name) => {
    const recording = await openRecording(name);
    try {
      expect(recording.expected.checkpoints.length).toBeGreaterThan(0);
      expect(faultsOf(await rowsOf(recording), recording.expected)).toEqual([]);
    } finally {
      recording.repositories.close();
    }
  });
});

describe('stepback replay', () => {
  it('prints what the script that comes with the recordings reads', () => {
    const command = `${process.execPath} ${join(import.meta.dirname, '../../src/cli.ts')} replay`;
    const folders = ['late-degradation', 'two-sets-one-commit', 'hook-never-ends'].map((name) =>
      join(recordingsFolder, name),
    );
    const printed = execFileSync(
      process.execPath,
      [join(recordingsFolder, 'check.mjs'), command, ...folders],
      { encoding: 'utf8' },
    );
    expect(printed).toBe('14 of 14 checkpoints right, 0 answers too early or never right, 3 recordings\n');
  });
});
