/** `npm run sandbox -- …`: argv to one command, or to a sentence that says what is wrong with it. */
import { didYouMean } from './spelling.ts';
import { faultOfWords, type VerbName, verbNamed, verbNames, verbs } from './verbs.ts';

export type Command =
  | { kind: 'play'; story: string; isFast: boolean; isExiting: boolean; port: number | null }
  | { kind: 'stories' }
  | { kind: 'help' }
  | { kind: 'verb'; verb: VerbName; words: readonly string[]; port: number | null }
  | { kind: 'wrong'; message: string };

const optionNames = ['--story', '--stories', '--fast', '--exit', '--port', '--help'];

/** Reads what follows `npm run sandbox --`. `storyNames`: the first is played when none is asked for. */
export function readArguments(argv: readonly string[], storyNames: readonly string[]): Command {
  const options = new Map<string, string>();
  const words: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0));
    } else if (!/^-/.test(word) || (words.length > 0 && !/^--port(=|$)/.test(word))) {
      words.push(word);
    } else {
      const [name = '', value] = word === '-h' ? ['--help'] : word.split(/=(.*)/s);
      if (!optionNames.includes(name))
        return wrong(`There is no option "${name}".${didYouMean(name, optionNames)}`);
      const takesValue = name === '--story' || name === '--port';
      if (!takesValue && value !== undefined) return wrong(`${name} takes no value.`);
      options.set(name, takesValue ? (value ?? rest.shift() ?? '') : '');
    }
  }
  return commandOf(options, words, storyNames);
}

function commandOf(
  options: ReadonlyMap<string, string>,
  [name, ...words]: readonly string[],
  storyNames: readonly string[],
): Command {
  if (options.has('--help') || name === 'help') return { kind: 'help' };
  const port = portOf(options.get('--port'));
  if (port === 'wrong')
    return wrong(`--port takes a number from 1 to 65535, and not "${options.get('--port')}".`);
  const playing = ['--story', '--stories', '--fast', '--exit'].find((option) => options.has(option));
  if (name !== undefined) {
    const verb = verbNamed(name);
    if (verb === undefined) return wrong(`There is no "${name}".${didYouMean(name, verbNames)}`);
    if (playing !== undefined)
      return wrong(
        `${playing} starts a sandbox, and "${name}" speaks to the one that runs: take one of them.`,
      );
    const fault = faultOfWords(verb, words);
    return fault === null ? { kind: 'verb', verb: verb.name, words, port } : wrong(fault);
  }
  if (options.has('--stories')) return { kind: 'stories' };
  const story = options.get('--story') ?? storyNames[0] ?? '';
  if (!storyNames.includes(story)) {
    const written = story === '' ? '--story takes a name.' : `There is no story "${story}".`;
    return wrong(`${written}${didYouMean(story, storyNames)} --stories lists them.`);
  }
  return { kind: 'play', story, isFast: options.has('--fast'), isExiting: options.has('--exit'), port };
}

function portOf(written: string | undefined): number | null | 'wrong' {
  if (written === undefined) return null;
  const port = Number(written);
  return /^\d+$/.test(written) && port >= 1 && port <= 65_535 ? port : 'wrong';
}

function wrong(message: string): Command {
  return { kind: 'wrong', message };
}

/** All that can be asked for. */
export function usage(): string {
  const column = Math.max(...verbs.map(({ name, takes }) => `${name} ${takes}`.length)) + 3;
  const lines = verbs.map(({ name, takes, about }) => `  ${`${name} ${takes}`.padEnd(column)}${about}`);
  return `Usage: npm run sandbox [-- OPTIONS]        plays a story and stays up
       npm run sandbox -- VERB [WORDS]     speaks to the sandbox that runs

  ${'--story NAME'.padEnd(column)}plays this story
  ${'--stories'.padEnd(column)}lists the stories
  ${'--fast'.padEnd(column)}plays without waiting
  ${'--exit'.padEnd(column)}ends after the story; exit code 0 only when it ended as it should
  ${'--port NUMBER'.padEnd(column)}where its page is, and where verbs find it; ${defaultPort} when not given

${lines.join('\n')}
`;
}

/** Where the page is when nobody names a port. */
export const defaultPort = 4747;
