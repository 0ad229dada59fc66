/**
 * `npm run simulate`: plays seeds and prints a table, or plays one seed and tells it. `STEPBACK_MISTAKE` names a deliberate
 * mistake; it is read here and nowhere else, so nothing outside the simulation can make one.
 */
import { availableParallelism } from 'node:os';
import { ArgumentFault, readArguments } from './arguments.ts';
import { mistakeNamed } from './mistakes/all.ts';
import { runSeed } from './run-seed.ts';
import { simulate } from './simulate.ts';
import { printStory } from './story.ts';
import { printTable } from './table.ts';

async function main(): Promise<void> {
  const wish = readArguments(process.argv.slice(2), availableParallelism());
  const mistake = process.env.STEPBACK_MISTAKE ?? '';
  if (wish.seed !== null) {
    const { story, broken } = await runSeed(wish.seed, { isTold: true, mistake: mistakeNamed(mistake) });
    console.log(printStory(story));
    console.log(
      broken === null
        ? '\nEvery law holds.'
        : `\nBroken at ${new Date(broken.at).toISOString().slice(11, 23)}: ${broken.law}: ${broken.how}.`,
    );
    process.exitCode = broken === null ? 0 : 1;
    return;
  }
  mistakeNamed(mistake);
  const began = performance.now();
  const outcomes = await simulate({ ...wish, mistake });
  console.log(printTable(outcomes, mistake, performance.now() - began));
  process.exitCode = outcomes.some((outcome) => outcome.broken !== null) ? 1 : 0;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ArgumentFault)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
