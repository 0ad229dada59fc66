/** One name for a repository, by which all that is kept of repositories is found, because GitHub tells names apart without regard to case. */
import type { Repository } from '../ports.ts';

/** `host/owner/name`, in lower case. */
export function placeName({ host, owner, name }: Repository): string {
  return `${host}/${owner}/${name}`.toLowerCase();
}
