/**
 * As much of the GraphQL language as a mutation with arguments and a selection needs
 * (https://spec.graphql.org/October2021/): no fragments, no directives. It is here so that what a caller asked for
 * decides what it gets, as with the real thing.
 */

export type Field = {
  /** The name in the answer. */
  alias: string;
  name: string;
  arguments: Record<string, unknown>;
  selection: Field[];
};

export type Operation = { kind: 'query' | 'mutation'; fields: Field[] };

const TOKEN = /\s*(?:#[^\n]*\n\s*)*(\.\.\.|[!$():=@[\]{|}]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\w+)[\s,]*/y;

/** Reads a document of one operation, its variables filled in. Throws an Error that says what it did not expect. */
export function parseOperation(document: string, variables: Record<string, unknown>): Operation {
  const tokens = tokensOf(document);
  const reader = new Reader(tokens, variables);
  let kind: Operation['kind'] = 'query';
  if (reader.peek() !== '{') {
    const word = reader.next();
    if (word !== 'query' && word !== 'mutation') throw new Error(`Unexpected "${word}"`);
    kind = word;
    if (reader.peek() !== '(' && reader.peek() !== '{') reader.next();
    if (reader.peek() === '(') reader.skipDefinitions();
  }
  return { kind, fields: reader.selection() };
}

function tokensOf(document: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  const text = document.trim();
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new Error(`Unexpected "${text.slice(at, at + 10)}"`);
    tokens.push(match[1] as string);
  }
  return tokens;
}

class Reader {
  readonly #tokens: string[];
  readonly #variables: Record<string, unknown>;
  #at = 0;

  constructor(tokens: string[], variables: Record<string, unknown>) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('Unexpected end of document');
    this.#at += 1;
    return token;
  }

  /** Passes over `($id: ID!, …)`. Variables come as JSON, so their types do not matter here. */
  skipDefinitions(): void {
    while (this.next() !== ')');
  }

  selection(): Field[] {
    this.#expect('{');
    const fields: Field[] = [];
    while (this.peek() !== '}') fields.push(this.#field());
    this.#expect('}');
    return fields;
  }

  #field(): Field {
    const first = this.next();
    if (!/^\w+$/.test(first)) throw new Error(`Unexpected "${first}"`);
    let name = first;
    if (this.peek() === ':') {
      this.next();
      name = this.next();
    }
    const given = this.peek() === '(' ? this.#pairs('(', ')') : {};
    return { alias: first, name, arguments: given, selection: this.peek() === '{' ? this.selection() : [] };
  }

  #pairs(open: string, close: string): Record<string, unknown> {
    this.#expect(open);
    const pairs: Record<string, unknown> = {};
    while (this.peek() !== close) {
      const name = this.next();
      this.#expect(':');
      pairs[name] = this.#value();
    }
    this.#expect(close);
    return pairs;
  }

  #value(): unknown {
    const token = this.peek();
    if (token === '{') return this.#pairs('{', '}');
    this.next();
    if (token === '$') return this.#variables[this.next()];
    if (token === '[') {
      const items: unknown[] = [];
      while (this.peek() !== ']') items.push(this.#value());
      this.next();
      return items;
    }
    if (token === 'null') return null;
    if (token === 'true' || token === 'false') return token === 'true';
    if (token !== undefined && /^["-]|^\d/.test(token)) return JSON.parse(token);
    // A name is a value of an enumeration.
    return token;
  }

  #expect(token: string): void {
    const next = this.next();
    if (next !== token) throw new Error(`Expected "${token}", found "${next}"`);
  }
}
