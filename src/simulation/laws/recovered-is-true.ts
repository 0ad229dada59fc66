/** Merged is not recovered: who says that everything is back has looked at every Application, whatever its stage. */
import type { Incident } from '../../domain/incident.ts';
import type { Law } from '../law.ts';

export const recoveredIsTrue: Law = {
  name: 'recovered-is-true',
  words: 'An incident is called recovered only when no Application runs what failed.',
  onWrite(world, { method, args }) {
    const incident = args[1] as Incident | undefined;
    if (method !== 'saveIncident' || incident?.phase !== 'recovered') return null;
    const { truth } = world;
    const suspects = incident.suspects.map(({ sha }) => sha);
    const bad = truth
      .failures()
      .filter((one) => truth.introducers(one.path, one.blob).some((sha) => suspects.includes(sha)));
    for (const { path, blob } of bad) {
      const still = truth.running(path, blob);
      if (still !== null)
        return `${incident.id} is called recovered, and ${still} still runs ${path} as it failed`;
    }
    return null;
  },
};
