/** What people type below pull requests: one command, or one and a while later another. */
import type { Dice } from './dice.ts';

export interface Typed {
  line: string;
  afterMs: number;
}

const alone: readonly string[] = [
  '/stepback status',
  '/stepback explain',
  '/stepback help',
  '/stepback hold 10m',
  '/stepback retry',
  '/stepback revert',
  '/stepback sync',
  '/stepback snooze stage 1 3m',
  '/stepback dismiss the alert was a test',
  '/stepback freeze',
  '/stepback freeze',
  '/stepback freez',
];

/** What may follow. */
const afterwards: Readonly<Record<string, string>> = {
  hold: '/stepback resume',
  dismiss: '/stepback resume',
  freeze: '/stepback thaw',
};

/** The commands that somebody types in one conversation. */
export function typedBy(dice: Dice): readonly Typed[] {
  const line = dice.pick(alone);
  const first = { line, afterMs: dice.between(5, 400) * 1000 };
  const next = afterwards[line.split(' ')[1] ?? ''];
  if (next === undefined || !dice.chance(0.6)) return [first];
  return [first, { line: next, afterMs: first.afterMs + dice.between(1, 300) * 1000 }];
}
