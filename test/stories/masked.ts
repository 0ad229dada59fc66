/** Texts of a story as they may stand in a snapshot: without what another machine, or a quicker Argo CD, would change. */
import type { SandboxWorld } from '../../src/sandbox/world.ts';

/** Commits become letters by their age, times become `hh:mm:ss`, markers lose their content. */
export function masked(world: SandboxWorld, text: string): string {
  const commits = world.github
    .repositories()
    .flatMap((repository) => world.github.commits(repository).map(({ sha }) => sha))
    .reverse();
  const lettered = commits.reduce((masking, sha, index) => {
    const letter = String.fromCharCode(65 + index);
    return masking
      .replaceAll(sha, letter)
      .replaceAll(sha.slice(0, 12), letter)
      .replaceAll(sha.slice(0, 7), letter);
  }, text);
  return lettered
    .replaceAll(/\d\d:\d\d:\d\d UTC/g, 'hh:mm:ss UTC')
    .replaceAll(/\d\d:\d\d UTC/g, 'hh:mm UTC')
    .replaceAll(/<!-- stepback:v1 \S+ -->/g, '<!-- stepback:v1 … -->');
}
