/**
 * Who wrote something. What is ours is told by the account that wrote it, never by what a body says: anybody can
 * type our marker. https://docs.github.com/rest/apps/apps#get-an-app gives an App's account the name `slug[bot]`,
 * which no person can take.
 */
import type { Person } from '../../ports.ts';

/** This App as GitHub names it. */
export interface AppIdentity {
  id: number;
  slug: string;
}

interface Account {
  login: string;
  type?: string;
}

/** True when `user` is the App's own account, or GitHub itself says the App did it (`performed_via_github_app`). */
export function isApp(
  app: AppIdentity,
  user: Account | null | undefined,
  performedVia?: { id?: number } | null,
): boolean {
  if (performedVia?.id === app.id) return true;
  return user?.type === 'Bot' && user.login.toLowerCase() === `${app.slug.toLowerCase()}[bot]`;
}

/** The account of a deleted person is null; GitHub shows it as `ghost`. */
export function personOf(user: Account | null | undefined): Person {
  return { login: user?.login ?? null, name: user?.login ?? 'ghost' };
}
