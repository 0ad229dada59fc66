/** Who may do what: asked for every command anew, because rights are taken away in the middle of an incident. */
import type { Repository } from '../ports.ts';

export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface People {
  /** `none` for who is no user (any more). A role of the organisation's own counts as the one that it builds on. */
  permissionOf(repository: Repository, login: string): Promise<Permission>;
  /** The App itself as the forge writes it into the commits that it makes for us. */
  ownSignature(repository: Repository): Promise<{ name: string; email: string }>;
  /** A team of the repository's owner. `no` also when there is no such team; `unknown` when we may not ask. */
  isMemberOf(repository: Repository, teamSlug: string, login: string): Promise<'yes' | 'no' | 'unknown'>;
  /** The CODEOWNERS file that the forge itself would use; null when there is none. `ref` as for `fileAt`. */
  codeOwnersText(repository: Repository, ref: string | null): Promise<string | null>;
}
