/**
 * The house rules, so that nobody has to remember them: who may import whom, how long a file may be, what no file may
 * hold, and that the documents name what exists. The rooms are described in docs/ARCHITECTURE.md.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Room → rooms and packages it may import; `node:` stands for Node's own modules. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  ports: ['domain', 'ports'],
  content: ['domain', 'ports', 'content', 'yaml'],
  revert: ['domain', 'ports', 'revert', 'yaml', 'node:'],
  config: ['domain', 'ports', 'config', 'yaml'],
  render: ['domain', 'ports', 'render'],
  loop: ['domain', 'ports', 'config', 'content', 'revert', 'render', 'loop', 'node:'],
  adapters: ['domain', 'ports', 'adapters', 'node:'],
  environment: ['domain', 'ports', 'config', 'environment', 'node:'],
  web: ['domain', 'ports', 'config', 'render', 'loop', 'web', 'probot', 'node:'],
  simulation: ['domain', 'ports', 'config', 'render', 'loop', 'sandbox', 'simulation', 'node:'],
  commands: ['domain', 'ports', 'config', 'content', 'render', 'loop', 'commands', 'yaml', 'node:'],
};

/** The composition roots, which put everything together and hold no logic. */
const roots = ['src/main.ts', 'src/cli.ts'];

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

interface Import {
  from: string;
  specifier: string;
  isType: boolean;
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8');
  const pattern = /^(?:import|export)\s+(type\s+)?(?:[\s\S]*?\sfrom\s+)?'([^']+)';/gm;
  const dynamic = /import\('([^']+)'\)/g;
  return [
    ...[...text.matchAll(pattern)].map((match) => ({
      from: file,
      specifier: match[2] ?? '',
      isType: match[1] !== undefined,
    })),
    ...[...text.matchAll(dynamic)].map((match) => ({ from: file, specifier: match[1] ?? '', isType: false })),
  ];
}

/** `domain`, `adapters`, a package name, or `node:`. */
function roomOf(from: string, specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  if (!specifier.startsWith('.'))
    return specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  const path = relative(join(root, 'src'), resolve(dirname(from), specifier));
  return path.includes('/') ? (path.split('/')[0] ?? '') : path.replace(/\.ts$/, '');
}

const sources = filesBelow(join(root, 'src'));
const short = (file: string): string => relative(root, file);

describe('the rooms', () => {
  it('import only what their walls allow', () => {
    const wrong = sources.flatMap((file) => {
      const path = short(file);
      const room = path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
      const allowed = mayImport[room];
      if (allowed === undefined || roots.includes(path)) return [];
      return importsOf(file)
        .filter(({ specifier }) => !allowed.includes(roomOf(file, specifier)))
        .filter(({ specifier }) => room !== 'adapters' || specifier.startsWith('.'))
        .map(({ specifier }) => `${path} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  it('keep the adapters apart from one another, but for the ledger, which speaks through the Kubernetes client', () => {
    const adapters = sources.filter((file) => short(file).startsWith('src/adapters/'));
    const own = (file: string): string => relative(join(root, 'src/adapters'), file).split('/')[0] ?? '';
    const wrong = adapters.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => resolve(dirname(file), specifier))
        .filter((target) => short(target).startsWith('src/adapters/') && own(target) !== own(file))
        .map((target) => `${short(file)} imports ${short(target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keep the fakes from sharing code with what they stand for', () => {
    const fakes = sources.filter((file) => /^src\/sandbox\/(github|kubernetes|argocd)\//.test(short(file)));
    expect(fakes.length).toBeGreaterThan(50);
    const wrong = fakes.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => !['sandbox', 'node:'].includes(roomOf(file, specifier)))
        .map(({ specifier }) => `${short(file)} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('leave the environment to one file', () => {
    const readers = sources.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8'))).map(short);
    // The simulation reads which mistake is switched on, and nothing of the product reads that.
    const allowed = ['src/environment.ts', 'src/simulation/main.ts'];
    expect(readers.filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it('leave the simulation to itself', () => {
    const outside = sources
      .filter((file) => !short(file).startsWith('src/simulation/'))
      .flatMap((file) => importsOf(file).filter(({ specifier }) => roomOf(file, specifier) === 'simulation'))
      .map(({ from, specifier }) => `${short(from)} imports ${specifier}`);
    expect(outside).toEqual([]);
  });

  it('keep clock and chance out of the domain', () => {
    const impure = sources
      .filter((file) => short(file).startsWith('src/domain/'))
      .filter((file) =>
        /Date\.now\(|new Date\(\)|Math\.random\(|console\.|setTimeout\(|performance\./.test(
          readFileSync(file, 'utf8'),
        ),
      )
      .map(short);
    expect(impure).toEqual([]);
  });
});

describe('every file', () => {
  const all = [...sources, ...filesBelow(join(root, 'test')), ...filesBelow(join(root, 'bench'))];

  it('is short enough to be one idea', () => {
    const long = all
      .map((file) => ({ file: short(file), lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it('begins with why it exists', () => {
    const silent = sources.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(file, 'utf8'))).map(short);
    expect(silent).toEqual([]);
  });

  it('is finished, and speaks of Stepback alone', () => {
    const unfinished = /\b(?:TO-?DO|FIXM[E]|XX[X]|HAC[K])\b|\b(?:it|test|describe)\.(?:skip|only|todo)\b/;
    const outside = /\.\.\/share[d]|\/wor[k]\/|\.librar[y]\b/;
    const wrong = all
      .filter(
        (file) => unfinished.test(readFileSync(file, 'utf8')) || outside.test(readFileSync(file, 'utf8')),
      )
      .map(short);
    expect(wrong).toEqual([]);
  });

  it('has no default export', () => {
    const wrong = sources.filter((file) => /^export default/m.test(readFileSync(file, 'utf8'))).map(short);
    expect(wrong).toEqual([]);
  });

  it('in the tests never sleeps', () => {
    const sleepers = filesBelow(join(root, 'test'))
      .filter((file) => short(file) !== 'test/house.test.ts')
      .filter((file) =>
        /\bsleep\(|await new Promise\([^)]*\)? ?=>? ?setTimeout|timers\/promises/.test(
          readFileSync(file, 'utf8'),
        ),
      )
      .map(short);
    expect(sleepers).toEqual([]);
  });
});

describe('the documents', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(root, 'docs', file))
    .concat(join(root, 'README.md'));

  it('name only files that exist', () => {
    const missing = documents.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const paths = [...text.matchAll(/`((?:src|test|docs|deploy|bench)\/[A-Za-z0-9_./-]+)`/g)].map(
        (match) => match[1] ?? '',
      );
      return paths
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${short(file)} names ${path}`);
    });
    expect(missing).toEqual([]);
  });

  it('link only to files that exist', () => {
    const broken = documents.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
        (match) => match[1] ?? '',
      );
      return links
        .filter((link) => !existsSync(resolve(dirname(file), link)))
        .map((link) => `${short(file)} links to ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it('describe every room', () => {
    const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
    const rooms = readdirSync(join(root, 'src')).filter((name) =>
      statSync(join(root, 'src', name)).isDirectory(),
    );
    expect(
      rooms.filter(
        (room) =>
          !text.includes(`src/${room}`) && !text.includes(`\`${room}\``) && !text.includes(`${room}/`),
      ),
    ).toEqual([]);
  });
});
