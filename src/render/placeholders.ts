/** What the placeholders of templates become. Plain text on one line, as titles and commit messages take it. */
import type { Incident } from '../domain/incident.ts';
import { failingStages, failureInPlainWords, plainSubject } from './facts.ts';
import { count } from './lists.ts';
import { plainLine } from './safe.ts';

/** By name, but for `body`. `subjectMax` is at least 1; `isOver` says what failed in the past. */
export function placeholderValues(
  incident: Incident,
  { subjectMax, isOver }: { subjectMax: number; isOver: boolean },
): Readonly<Record<string, string>> {
  const [set] = incident.sets;
  const [stage] = set === undefined ? [] : failingStages(set);
  return {
    subject: `${plainSubject(incident.suspects[0], subjectMax)}${andMore(incident.suspects.length)}`,
    failure: failureOf(incident, isOver),
    applicationSet: set === undefined ? 'an ApplicationSet' : plainLine(set.key, { max: 80 }),
    stage: stage === undefined ? 'no stage' : plainLine(stage.name, { max: 40 }),
    commit: incident.suspects.at(-1)?.sha.slice(0, 12) ?? '',
    instance: plainLine(incident.instance, { max: 60 }),
  };
}

/** "argocd/payments is Degraded in stage 2 (staging), and 1 more ApplicationSet fails" */
export function failureOf(incident: Incident, isOver: boolean): string {
  const [set] = incident.sets;
  const failure = set === undefined ? 'a change fails' : failureInPlainWords(set, isOver);
  const others = incident.sets.length - 1;
  if (others <= 0) return failure;
  return `${failure}, and ${count(others)} more ApplicationSet${others === 1 ? ' fails' : 's fail'}`;
}

/** " and 2 more", of so many in all. */
export function andMore(all: number): string {
  return all <= 1 ? '' : ` and ${count(all - 1)} more`;
}
