/**
 * YAML, as a tree of what was written, or as faults. The text is anybody's, so its size, its depth and the number of its
 * parts are looked at before it is parsed, and what makes a short text mean a long one (anchors, aliases, merge keys) or a
 * text mean something else (tags, directives, invisible characters) is a fault and is not followed.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { codeOf, depthMax, fatalFault, tooDeep } from './document-limits.ts';
import { childPath, type Faults, quoted, type Span } from './faults.ts';
import { noteSyntax } from './syntax.ts';
import type { Written, WrittenEntry, WrittenScalar } from './written.ts';

/** Spaces that are none, format characters but for the joiner inside of an emoji, and letters without a shape. */
const invisible =
  /(?! )\p{Zs}|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|(?!\u200d)\p{Cf}|[\u115f\u1160\u3164\uffa0]/u;

export interface Reading {
  /** Null when there is nothing to look at: the text is empty, or not even looked into. */
  root: Written | null;
  /** Where YAML itself first breaks off; what stands on earlier lines is sure. Null when it does not. */
  breaksAt: number | null;
}

/** Never throws; takes about a second for the worst text that it looks into. */
export function writtenIn(text: string, faults: Faults): Reading {
  const fatal = fatalFault(text);
  if (fatal !== null) {
    faults.error(fatal.span, '', fatal.problem, fatal.mend);
    return { root: null, breaksAt: null };
  }
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const breaksAt = noteSyntax(document.errors, text, faults);
  noteDirective(document, text, faults);
  if (document.contents === null) return { root: null, breaksAt };
  const root = new Walk(text, faults).written(document.contents, '', 1);
  return { root: root?.kind === 'scalar' && root.value === null ? null : root, breaksAt };
}

function noteDirective(document: Document.Parsed | Document, text: string, faults: Faults): void {
  if (document.directives?.yaml.explicit !== true) return;
  const from = Math.max(0, text.search(/^%YAML/m));
  const problem = 'The file names a version of YAML.';
  faults.error(
    { from, to: from + '%YAML'.length },
    '',
    problem,
    'Take the line out; it is read as YAML 1.2.',
  );
}

/** Turns nodes into what was written. Null stands for a node that is a fault. */
class Walk {
  readonly #text: string;
  readonly #faults: Faults;

  constructor(text: string, faults: Faults) {
    this.#text = text;
    this.#faults = faults;
  }

  written(node: Node, path: string, depth: number): Written | null {
    const span = spanOf(node);
    if (depth > depthMax) {
      const { problem, mend } = tooDeep(span);
      this.#faults.error(span, path, problem, mend);
      return null;
    }
    if (!this.#isPlain(node, span, path)) return null;
    if (isMap(node)) return { kind: 'map', entries: this.#entries(node.items, path, depth), span };
    if (isSeq(node)) {
      const items = node.items.map((item, index) =>
        this.written(item as Node, `${path}[${index}]`, depth + 1),
      );
      return { kind: 'list', items: items.filter((item) => item !== null), span };
    }
    return this.#scalar(node, span, path);
  }

  /** False for what refers to another place, or says that the text means something else. */
  #isPlain(node: Node, span: Span, path: string): boolean {
    if (isAlias(node)) {
      const alias = quoted(`*${node.source}`);
      this.#faults.error(span, path, `The alias ${alias} is not followed.`, 'Write the value out.');
      return false;
    }
    const { anchor, tag } = node as { anchor?: string; tag?: string };
    if (anchor !== undefined) {
      const place = this.#before(span, `&${anchor}`);
      const problem = `The anchor ${quoted(`&${anchor}`)} has no use, because aliases are not followed.`;
      this.#faults.error(place, path, problem, 'Take it out.');
    }
    if (tag === undefined) return true;
    const short = tag.replace(/^tag:yaml\.org,2002:/, '!!');
    this.#faults.error(
      this.#before(span, short),
      path,
      `The tag ${quoted(short)} is not read.`,
      'Take it out.',
    );
    return false;
  }

  /** Where a property of a node stands: somewhere before it. */
  #before(span: Span, property: string): Span {
    const from = this.#text.lastIndexOf(property, span.from);
    return from === -1 ? span : { from, to: from + property.length };
  }

  #entries(pairs: readonly Pair[], path: string, depth: number): readonly WrittenEntry[] {
    const entries = new Map<string, WrittenEntry>();
    for (const pair of pairs) {
      const key = this.#keyOf(pair, path);
      if (key === null) continue;
      const before = entries.get(key.text);
      if (before !== undefined) {
        const problem = `${quoted(key.text)} is there twice; line ${this.#faults.lineOf(before.keySpan.from)} has it as well.`;
        this.#faults.error(key.span, childPath(path, key.text), problem, 'Keep one of them.');
        continue;
      }
      const nothing: Written = { kind: 'scalar', value: null, text: '', span: key.span };
      const below = childPath(path, key.text);
      const value = pair.value === null ? nothing : this.written(pair.value as Node, below, depth + 1);
      if (value !== null) entries.set(key.text, { key: key.text, keySpan: key.span, value });
    }
    return [...entries.values()];
  }

  #keyOf(pair: Pair, path: string): WrittenScalar | null {
    const node = pair.key as Node | null;
    const span = node === null ? { from: 0, to: 0 } : spanOf(node);
    if (node !== null && !isScalar(node) && !isAlias(node)) {
      this.#faults.error(
        span,
        path,
        'A key must be one word, and this is a list or a map.',
        'Take the brackets away.',
      );
      return null;
    }
    const key = node === null || !this.#isPlain(node, span, path) ? null : this.#scalar(node, span, path);
    if (key?.text !== '<<') return key;
    this.#faults.error(span, path, 'Merge keys ("<<") are not followed.', 'Write the values out.');
    return null;
  }

  #scalar(node: Node, span: Span, path: string): WrittenScalar | null {
    if (!isScalar(node)) return null;
    const { value, source } = node;
    const text = typeof value === 'string' ? value : (source ?? '');
    const hidden = /(?!\n)\p{Cc}/u.exec(text)?.[0] ?? invisible.exec(text)?.[0];
    if (hidden !== undefined) {
      const at = this.#text.indexOf(hidden, span.from);
      const place = at === -1 || at >= span.to ? span : { from: at, to: at + hidden.length };
      const problem = `This has the character ${codeOf(hidden)}, which nobody sees or which looks like a space.`;
      this.#faults.error(place, path, problem, 'Type it again.');
      return null;
    }
    const isKnown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { kind: 'scalar', value: isKnown ? value : null, text, span };
  }
}

function spanOf(node: Node): Span {
  const [from, to] = node.range ?? [0, 0, 0];
  return { from, to };
}
