/** One request as the routes see it, and what a route is. */
import type { BareRepository } from '../git/bare-repository.ts';
import type { Actor, Site, View } from '../site.ts';
import type { Installation, Repository } from '../state.ts';
import { type Answer, linkHeader, notFound, type Page, pageOf, slice } from './answers.ts';

/** What the caller must have shown: the App's JWT, an installation's token, either, or nothing. */
type Access = 'app' | 'installation' | 'either' | 'anybody';

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The template of GitHub's OpenAPI description. `{path}`, `{ref}`, `{branch}` and `{basehead}` may hold slashes. */
  path: string;
  /** Permissions of which one is enough, as `contents:write`. */
  needs?: string[];
  access?: Access;
  handle(call: Call): Answer;
};

/** A request that has passed the gate. */
export class Call {
  readonly site: Site;
  readonly view: View;
  readonly url: URL;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly params: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly actor: Actor;
  /** Set for calls with an installation's token. */
  readonly installation: Installation | undefined;
  /** Repository ids that the token covers, undefined for all of the installation's. */
  readonly repositoryIds: number[] | undefined;
  /** A fault that cuts lists short. */
  readonly truncateTo: number | undefined;
  readonly #repository: Repository | undefined;

  constructor(values: {
    site: Site;
    view: View;
    url: URL;
    headers: Record<string, string | string[] | undefined>;
    params: Record<string, string>;
    body: Record<string, unknown>;
    actor: Actor;
    installation: Installation | undefined;
    repositoryIds: number[] | undefined;
    truncateTo: number | undefined;
    repository: Repository | undefined;
  }) {
    this.site = values.site;
    this.view = values.view;
    this.url = values.url;
    this.headers = values.headers;
    this.params = values.params;
    this.body = values.body;
    this.actor = values.actor;
    this.installation = values.installation;
    this.repositoryIds = values.repositoryIds;
    this.truncateTo = values.truncateTo;
    this.#repository = values.repository;
  }

  /** The repository of the path. Throws 404 when the path names none. */
  get repository(): Repository {
    if (this.#repository === undefined) throw notFound();
    return this.#repository;
  }

  get git(): BareRepository {
    return this.site.git(this.repository);
  }

  get query(): URLSearchParams {
    return this.url.searchParams;
  }

  param(name: string): string {
    return this.params[name] ?? '';
  }

  /** A parameter of the path that is a number. Throws 404 when it is not. */
  numberParam(name: string): number {
    const value = Number(this.param(name));
    if (!Number.isInteger(value)) throw notFound();
    return value;
  }

  /** A field of the body that is text, or undefined. */
  text(name: string): string | undefined {
    const value = this.body[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** A field of the body that is a list of text; names given singly count as a list of one. */
  texts(name: string): string[] {
    const value = this.body[name];
    if (typeof value === 'string') return [value];
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  }

  /** A list in pages: makes JSON only of the entries that the page shows. */
  paged<T>(items: readonly T[], toJson: (item: T) => unknown, page: Page = pageOf(this.query)): Answer {
    const body = slice(items, page).map(toJson);
    return { status: 200, body, headers: linkHeader(this.url, items.length, page) };
  }

  /** A page of a list inside an object with `total_count`. */
  counted<T>(name: string, items: readonly T[], toJson: (item: T) => unknown): Answer {
    const answer = this.paged(items, toJson);
    return { ...answer, body: { total_count: items.length, [name]: answer.body } };
  }
}
