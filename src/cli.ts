#!/usr/bin/env node
/**
 * `stepback COMMAND`: argv to one command, which is loaded when it is called. A fault of the world is one clear
 * sentence and exit code 1; a wrong call is answered with the usage and exit code 2.
 */
import { WorldProblem } from './ports.ts';

const usage = `Usage: stepback COMMAND

  replay DIR [--json] [--policy FILE]   walk a recording and print an answer each time it changes
  replay FILE [--json]                  judge one file of Kubernetes objects
`;

async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'replay': {
      const { replayCommand } = await import('./commands/replay/command.ts');
      return replayCommand(rest, {
        write: (text) => process.stdout.write(text),
        complain: (text) => process.stderr.write(text),
      });
    }
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(usage);
      return 0;
    default:
      process.stderr.write(command === undefined ? usage : `There is no command "${command}".\n\n${usage}`);
      return 2;
  }
}

// Whoever reads us may have read enough (`| head`): that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WorldProblem)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
