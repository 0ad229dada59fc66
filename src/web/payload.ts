/** What every payload of a webhook has: where something happened, and who did it. */
import { type Json, record, text } from '../domain/read.ts';
import type { Repository } from '../ports.ts';

/** GitHub's own rule for names of accounts and repositories, and no step in a path. */
const namePattern = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/** In lower case, as the Forge makes them of `repoURL`; null when there is none, or none that can be. */
export function repositoryOf(host: string, payload: Json): Repository | null {
  const [owner = '', name = '', ...rest] = text(record(payload.repository).full_name)
    .toLowerCase()
    .split('/');
  return namePattern.test(owner) && namePattern.test(name) && rest.length === 0
    ? { host, owner, name }
    : null;
}

/** Whether we did it ourselves: `appLogin` is the account of the App, `slug[bot]`. */
export function isOwn(appLogin: string, payload: Json): boolean {
  return isApp(appLogin, record(payload.sender));
}

/** Whether an account is the App's own. */
export function isApp(appLogin: string, account: Json): boolean {
  return text(account.type) === 'Bot' && text(account.login).toLowerCase() === appLogin.toLowerCase();
}
