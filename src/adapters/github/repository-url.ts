/**
 * Which repository a `repoURL` means. Argo CD takes every form that git takes, so one repository is written in
 * many ways in one cluster; all of them must come out as the same value. Whatever is no repository of the server
 * we talk to (a gist, a wiki, another host, a chart registry, nonsense) is null and is never asked about.
 * The scp-like form is the one of https://git-scm.com/docs/git-clone#_git_urls.
 */
import type { Repository } from '../../ports.ts';

export interface HostNames {
  /** The server we talk to, as people write it: `github.com`, `github.example.com`. */
  host: string;
  /** Other names of it, such as SSH host aliases: alias → true name. */
  aliases: Readonly<Record<string, string>>;
}

const lengthMax = 2_000;
const ownerPattern = /^[a-z0-9][a-z0-9_-]{0,99}$/;
const namePattern = /^[a-z0-9._-]{1,100}$/;
const scpPattern = /^(?:[^@/\s]+@)?([^:/@\s[\]]+):(?!\/\/)(.+)$/;
const schemes = new Set(['https:', 'http:', 'ssh:', 'git:', 'git+ssh:', 'ssh+git:', 'git+https:']);

/** Names under which github.com itself also answers; SSH through the HTTPS port is one of them. */
const namesOfGitHub: Readonly<Record<string, string>> = {
  'www.github.com': 'github.com',
  'ssh.github.com': 'github.com',
};

/**
 * Reads any form of `repoURL`. Owner and name come out in lower case, because GitHub does not tell cases apart and
 * two Applications of one repository must agree. Ports are ignored: the API is elsewhere anyway. Never throws.
 */
export function repositoryOfUrl(repoURL: string, names: HostNames): Repository | null {
  if (typeof repoURL !== 'string' || repoURL.length > lengthMax) return null;
  const place = placeOf(repoURL.trim());
  if (place === null) return null;
  const host = trueName(place.host, names);
  if (host !== names.host.toLowerCase()) return null;
  const segments = place.path.split('/').filter((segment) => segment !== '');
  const [owner, lastSegment, ...rest] = segments.map(lowerCased);
  if (owner === undefined || lastSegment === undefined || rest.length > 0) return null;
  const name = lastSegment.replace(/\.git$/, '');
  return isOwner(owner) && isName(name) ? { host, owner, name } : null;
}

function placeOf(text: string): { host: string; path: string } | null {
  const scp = text.includes('://') ? null : scpPattern.exec(text);
  if (scp !== null) return { host: scp[1] ?? '', path: scp[2] ?? '' };
  const url = URL.parse(text);
  if (url === null || !schemes.has(url.protocol) || url.search !== '' || url.hash !== '') return null;
  return { host: url.hostname, path: url.pathname };
}

function trueName(writtenHost: string, names: HostNames): string {
  const host = writtenHost.toLowerCase().replace(/\.$/, '');
  for (const [alias, name] of Object.entries(names.aliases)) {
    if (alias.toLowerCase() === host) return name.toLowerCase();
  }
  return Object.hasOwn(namesOfGitHub, host) ? namesOfGitHub[host]! : host;
}

function lowerCased(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

/** `gist` is how an Enterprise Server writes its gists; nobody can have that account. */
function isOwner(owner: string): boolean {
  return ownerPattern.test(owner) && owner !== 'gist';
}

/** A wiki is a git repository that the API does not serve. */
function isName(name: string): boolean {
  return namePattern.test(name) && name !== '.' && name !== '..' && !/\.(git|wiki)$/.test(name);
}
