/**
 * What files of a made-up history hold: text whose lines repeat, as YAML lines do, so that they are found in several
 * places; binaries, symlinks and submodules. Every line is a list item, so any mixture of lines is still YAML.
 */
import type { LabFile } from './git-lab.ts';
import type { Style } from './history-edits.ts';
import { Random } from './random.ts';

function line(random: Random): string {
  const key = random.pick(['image', 'tag', 'replicas', 'port', 'env', 'name']);
  return random.chance(0.15) ? '-' : `- ${key}: v${random.below(random.pick([2, 8, 60]))}`;
}

export function text(random: Random, style: Style): Buffer {
  // A crowded repository has the same few texts over and over.
  if (style === 'crowded' && random.chance(0.6)) {
    const which = random.below(4);
    const same = new Random(which);
    return lines(Array.from({ length: 8 + which * 5 }, () => line(same)));
  }
  const length = random.weighted({ none: 1, few: 3, some: 12, many: 3, repeated: 1 });
  if (length === 'none') return Buffer.alloc(0);
  if (length === 'repeated')
    return lines(Array.from({ length: random.between(70, 90) }, () => `- v${random.below(2)}`));
  const count = { few: random.between(1, 4), some: random.between(10, 40), many: random.between(60, 160) }[
    length
  ];
  const end = random.chance(0.1) ? '\r\n' : '\n';
  return lines(
    Array.from({ length: count }, () => line(random)),
    end,
    random.chance(0.1),
  );
}

function lines(items: readonly string[], end = '\n', isUnfinished = false): Buffer {
  return Buffer.from(items.join(end) + (isUnfinished || items.length === 0 ? '' : end));
}

export function newFile(random: Random, style: Style): LabFile {
  const kind = random.weighted({ text: 16, script: 2, binary: 3, symlink: 3, submodule: 3 });
  if (kind === 'binary') return { mode: '100644', content: binary(random) };
  if (kind === 'symlink')
    return { mode: '120000', content: Buffer.from(random.pick(['base', 'apps/shop', 'lib/a', '.'])) };
  if (kind === 'submodule') return { mode: '160000', content: commitId(random) };
  return { mode: kind === 'script' ? '100755' : '100644', content: text(random, style) };
}

function binary(random: Random): Buffer {
  const content = Buffer.from(Array.from({ length: random.between(20, 300) }, () => random.below(256)));
  content[random.below(10)] = 0;
  return content;
}

export function commitId(random: Random): Buffer {
  return Buffer.from(Array.from({ length: 40 }, () => '0123456789abcdef'[random.below(4)]).join(''));
}

export function editedText(random: Random, content: Buffer): Buffer {
  const parts = content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const end = parts[0]?.endsWith('\r\n') ? '\r\n' : '\n';
  const wasUnfinished = parts.length > 0 && !parts.at(-1)!.endsWith('\n');
  const whole = parts.map((part) => part.replace(/\r?\n$/, ''));
  const count = random.weighted({ '1': 10, '2': 4, '4': 1 });
  for (let done = 0; done < Number(count); done++) {
    const at = random.below(whole.length + 1);
    const run = random.between(1, 3);
    const fresh = Array.from({ length: random.between(1, 2) }, () => line(random));
    const kind = random.weighted({ replace: 8, insert: 5, remove: 4, move: 1 });
    if (kind === 'replace') whole.splice(at, random.between(1, 2), ...fresh);
    else if (kind === 'insert') whole.splice(at, 0, ...fresh);
    else if (kind === 'remove') whole.splice(at, run);
    else whole.splice(random.below(whole.length + 1), 0, ...whole.splice(at, run));
  }
  return lines(whole, end, wasUnfinished && random.chance(0.8));
}

export function isText(file: LabFile): boolean {
  return file.mode.startsWith('100') && !file.content.subarray(0, 8000).includes(0);
}
