/**
 * Who may use which command. Every command has a minimum that configuration can only raise; what changes the cluster is
 * for nobody until configuration names a team or a person, because write access to a repository is not a right in Argo
 * CD. Bots may nothing unless they are named, and we ourselves never: what we write must not command us.
 */
import { type Command, type Verb, verbs } from './command.ts';
import { inLowerCase } from './command-arguments.ts';

/** A role of GitHub, the least first. */
export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

const permissions: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** The sender of the event; of an edit that is who edited, not who wrote the comment. */
export interface Commander {
  login: string;
  isBot: boolean;
  /** The account of this App. */
  isOurs: boolean;
  permission: Permission;
  /** `organisation/slug` of those teams that the rules name and that this person is in. */
  teams: ReadonlySet<string>;
  /** Those of which nobody would tell us who is in them; absent: none. */
  unknownTeams?: ReadonlySet<string>;
  /** Of the path that the ApplicationSet is fed from. */
  isCodeOwner: boolean;
}

/** What configuration says of one command. A field left out narrows nothing; an empty list names nobody. */
export interface CommandRule {
  /** Counts where it asks for more than the command does by itself. */
  permission?: Permission;
  /** `organisation/slug`, in any case, with an `@` before it or not. Who is in any of the three may. */
  teams?: readonly string[];
  users?: readonly string[];
  /** True: code owners of the path may. They never open a command that changes the cluster. */
  codeOwners?: boolean;
}

export type CommandRules = { readonly [Kind in Verb]?: CommandRule };

export interface Refusal {
  verb: Verb;
  /**
   * `permission`: more access to the repository is needed. `nobody-named`: configuration opens it to nobody.
   * `not-named`: it is for others. `teams-unknown`: it is for a team, and who is in it could not be asked.
   */
  why: 'permission' | 'nobody-named' | 'not-named' | 'teams-unknown';
  /** What this person has, and what it takes. */
  has: Permission;
  needs: Permission;
  /** Those who are named, and so may when they have `needs` as well. */
  teams: readonly string[];
  users: readonly string[];
  codeOwners: boolean;
  /** It reaches into the cluster, and nobody may by default. */
  changesCluster: boolean;
  /** What this person may use here instead. */
  mayUse: readonly Verb[];
}

export type Authority =
  | { kind: 'allowed' }
  | { kind: 'refused'; refusal: Refusal }
  /** Not even an answer: two bots that answer each other never end. */
  | { kind: 'ignored'; why: 'ours' | 'bot' };

interface Default {
  needs: Permission;
  changesCluster: boolean;
}

const reading: Default = { needs: 'read', changesCluster: false };
const writing: Default = { needs: 'write', changesCluster: false };
const inCluster: Default = { needs: 'write', changesCluster: true };

const defaults: { readonly [Kind in Verb]: Default } = {
  help: reading,
  status: reading,
  explain: reading,
  revert: writing,
  restore: writing,
  sync: inCluster,
  hold: writing,
  resume: writing,
  snooze: writing,
  dismiss: writing,
  retry: writing,
  freeze: inCluster,
  thaw: inCluster,
};

/** Whether `who` may use `command` under these rules, and if not, who may. Never throws. */
export function authorityOf(command: Command, who: Commander, rules: CommandRules): Authority {
  if (who.isOurs) return { kind: 'ignored', why: 'ours' };
  const { verb } = command;
  const rule = rules[verb] ?? {};
  if (who.isBot) return isNamedUser(who, rule) ? { kind: 'allowed' } : { kind: 'ignored', why: 'bot' };
  const why = whyNot(verb, who, rules);
  if (why === null) return { kind: 'allowed' };
  const refusal: Refusal = {
    verb,
    why,
    has: who.permission,
    needs: needsOf(verb, rule),
    teams: rule.teams ?? [],
    users: rule.users ?? [],
    codeOwners: rule.codeOwners === true && !defaults[verb].changesCluster,
    changesCluster: defaults[verb].changesCluster,
    mayUse: verbsFor(who, rules),
  };
  return { kind: 'refused', refusal };
}

/**
 * The same where several places narrow the commands: `who` must be allowed by the rules of each. Without any, what the
 * commands need by themselves counts.
 */
export function authorityUnder(
  command: Command,
  who: Commander,
  several: readonly CommandRules[],
): Authority {
  const all = several.length === 0 ? [{}] : several;
  const mayUse = verbsFor(who, all[0] ?? {}).filter((verb) =>
    all.every((rules) => verbsFor(who, rules).includes(verb)),
  );
  for (const rules of all) {
    const authority = authorityOf(command, who, rules);
    if (authority.kind === 'refused') return { ...authority, refusal: { ...authority.refusal, mayUse } };
    if (authority.kind === 'ignored') return authority;
  }
  return { kind: 'allowed' };
}

/** Every command that `who` may use, in the order of the help. */
export function verbsFor(who: Commander, rules: CommandRules): readonly Verb[] {
  if (who.isOurs) return [];
  if (who.isBot) return verbs.filter((verb) => isNamedUser(who, rules[verb] ?? {}));
  return verbs.filter((verb) => whyNot(verb, who, rules) === null);
}

function whyNot(verb: Verb, who: Commander, rules: CommandRules): Refusal['why'] | null {
  const rule = rules[verb] ?? {};
  const names = (rule.teams ?? []).length + (rule.users ?? []).length;
  const { changesCluster } = defaults[verb];
  const isNarrowed = rule.teams !== undefined || rule.users !== undefined || rule.codeOwners === true;
  const mayOwners = rule.codeOwners === true && !changesCluster;
  if ((changesCluster || isNarrowed) && names === 0 && !mayOwners) return 'nobody-named';
  if (rankOf(who.permission) < rankOf(needsOf(verb, rule))) return 'permission';
  if (!changesCluster && !isNarrowed) return null;
  const isNamed = isNamedUser(who, rule) || isInTeam(who, rule) || (mayOwners && who.isCodeOwner);
  if (isNamed) return null;
  return (rule.teams ?? []).some((team) => isAmong(who.unknownTeams, team)) ? 'teams-unknown' : 'not-named';
}

function needsOf(verb: Verb, { permission }: CommandRule): Permission {
  const { needs } = defaults[verb];
  return permission !== undefined && rankOf(permission) > rankOf(needs) ? permission : needs;
}

function rankOf(permission: Permission): number {
  return permissions.indexOf(permission);
}

function isNamedUser({ login }: Commander, { users = [] }: CommandRule): boolean {
  return login !== '' && users.some((user) => plainName(user) === plainName(login));
}

function isInTeam(who: Commander, { teams = [] }: CommandRule): boolean {
  return teams.some((team) => isAmong(who.teams, team));
}

function isAmong(names: ReadonlySet<string> | undefined, name: string): boolean {
  return [...(names ?? [])].some((one) => plainName(one) === plainName(name));
}

/** GitHub's names are the same in any case; people write an `@` before them. */
function plainName(name: string): string {
  return inLowerCase(name.trim().replace(/^@/, ''));
}
