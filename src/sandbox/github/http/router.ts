/** Finds the route for a method and a path. Templates are those of GitHub's OpenAPI description. */
import type { Route } from './call.ts';

/** Parameters that may hold slashes. */
const MANY_SEGMENTS = new Set(['path', 'ref', 'branch', 'basehead']);

export type Match = { route: Route; params: Record<string, string> };

/** All routes, ready to be matched. */
export class Router {
  readonly #routes: { route: Route; names: string[]; pattern: RegExp }[];

  /** Routes are tried in order, those with more fixed text first. */
  constructor(routes: readonly Route[]) {
    this.#routes = [...routes]
      .sort((a, b) => fixedParts(b.path) - fixedParts(a.path))
      .map((route) => {
        const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
        const source = route.path
          .replace(/[.]/g, '\\.')
          .replace(/\{(\w+)\}/g, (_, name: string) => (MANY_SEGMENTS.has(name) ? '(.+)' : '([^/]+)'));
        return { route, names, pattern: new RegExp(`^${source}$`) };
      });
  }

  /** The route, with its parameters decoded; undefined when nothing is served there. */
  find(method: string, path: string): Match | undefined {
    for (const { route, names, pattern } of this.#routes) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const params = Object.fromEntries(names.map((name, i) => [name, decode(match[i + 1] as string)]));
      return { route, params };
    }
    return undefined;
  }
}

function fixedParts(path: string): number {
  return path.split('/').filter((part) => part !== '' && !part.startsWith('{')).length;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
