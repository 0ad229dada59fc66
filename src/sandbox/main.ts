/**
 * `npm run sandbox`: argv to a story that is played, or to a verb for the sandbox that runs. Whatever keeps it from starting is one
 * clear sentence; exit code 1 when something failed, 2 when it was called wrongly.
 */
import { spawnSync } from 'node:child_process';
import { defaultPort, readArguments, usage } from './arguments.ts';
import { stories } from './stories/all.ts';
import { talk } from './talk.ts';
import type { Screen } from './terminal/telling.ts';

const spoken = 'npm run sandbox --';

async function main(argv: readonly string[]): Promise<number> {
  const command = readArguments(
    argv,
    stories.map((story) => story.name),
  );
  switch (command.kind) {
    case 'wrong':
      process.stderr.write(`${command.message}\n\n${usage()}`);
      return 2;
    case 'help':
      process.stdout.write(usage());
      return 0;
    case 'stories': {
      const column = Math.max(...stories.map((story) => story.name.length)) + 3;
      process.stdout.write(stories.map(({ name, about }) => `${name.padEnd(column)}${about}\n`).join(''));
      return 0;
    }
    case 'verb': {
      const { isDone, text } = await talk(command.port ?? defaultPort, command.verb, command.words);
      (isDone ? process.stdout : process.stderr).write(`${text}\n`);
      return isDone ? 0 : 1;
    }
    case 'play':
      return play(command);
  }
}

async function play(command: {
  story: string;
  isFast: boolean;
  isExiting: boolean;
  port: number | null;
}): Promise<number> {
  if (spawnSync('git', ['--version']).status !== 0) {
    return complain(
      'The sandbox keeps its repositories with git, and no git is found. Install it, and start again.',
    );
  }
  // Loaded only now: verbs and lists answer at once.
  const [{ startRun }, { PortTaken }] = await Promise.all([import('./run.ts'), import('./page/server.ts')]);
  const story = stories.find(({ name }) => name === command.story);
  if (story === undefined) throw new Error(`The story ${command.story} was checked and is not there.`);
  // Nobody speaks to a sandbox that ends by itself, so it needs no port of its own.
  const port = command.port ?? (command.isExiting ? 0 : defaultPort);
  const typed = port === defaultPort ? spoken : `${spoken} --port ${port}`;
  try {
    const run = await startRun({
      ...command,
      story,
      port,
      command: typed,
      screen: screenOf(process.stdout),
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => run.stop());
    const isAsItShould = await run.ended;
    return isAsItShould || !command.isExiting ? 0 : 1;
  } catch (problem) {
    if (!(problem instanceof PortTaken)) throw problem;
    const { isDone } = await talk(port, 'status', []);
    return complain(
      isDone
        ? `A sandbox runs on port ${port} already: http://127.0.0.1:${port}. End it with "${typed} stop", or start this one with --port and another number.`
        : `Port ${port} is taken by another program. Start the sandbox with --port and another number.`,
    );
  }
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

function screenOf(stream: typeof process.stdout): Screen {
  const isTerminal = stream.isTTY === true;
  return {
    write: (text) => stream.write(text),
    isTerminal,
    isColoured: isTerminal && stream.hasColors(),
    size: () => ({ columns: stream.columns ?? 100, rows: stream.rows ?? 40 }),
  };
}

process.exitCode = await main(process.argv.slice(2));
// Connections that are kept warm would keep the process for some seconds more.
process.exit();
