import type { RolloutFailure } from '../../src/domain/failure.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import { A, B, tell } from '../domain/world.ts';

/** Dev was moved from A to B, and fails; its target is a pin. */
export function pinnedFailure(): RolloutFailure {
  const answers = tell([
    { at: 0 },
    {
      at: 100,
      apps: {
        dev: {
          target: B,
          history: [
            [A, 0],
            [B, 99],
          ],
          health: 'Degraded',
          healthSince: 99,
        },
      },
      entries: { dev: ['Progressing', B] },
    },
    { at: 120 },
  ]);
  const found = answers.at(-1)?.failure;
  if (found == null) throw new Error('It has not failed.');
  const sources = readSources({
    source: { repoURL: 'https://github.com/acme/app.git', path: 'app', targetRevision: B },
  });
  return { ...found, first: { ...found.first, application: { ...found.first.application, sources } } };
}
