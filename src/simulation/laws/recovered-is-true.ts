/** Merged is not recovered: who says that everything is back has looked at every Application, whatever its stage. */
import type { Incident } from '../../domain/incident.ts';
import type { Law } from '../law.ts';
import { hadEffect } from '../through-trouble.ts';

export const recoveredIsTrue: Law = {
  name: 'recovered-is-true',
  words: 'An incident is called recovered only when no Application of its ApplicationSets runs what failed.',
  onWrite(world, written) {
    const { method, args } = written;
    const incident = args[1] as Incident | undefined;
    if (method !== 'saveIncident' || incident?.phase !== 'recovered' || !hadEffect(written)) return null;
    const { truth } = world;
    const suspects = incident.suspects.map(({ sha }) => sha);
    const names = incident.sets.map(({ name }) => name);
    const bad = truth
      .failures()
      .filter((one) => names.includes(one.applicationSet))
      // What somebody has landed again since is another change, whatever the file says.
      .filter(({ path, blob }) => suspects.includes(truth.introducers(path, blob)[0] ?? ''));
    for (const { path, blob } of bad) {
      const still = truth.running(path, blob, names);
      if (still !== null)
        return `${incident.id} is called recovered, and ${still} still runs ${path} as it failed`;
    }
    return null;
  },
};
