/**
 * Who types a command: what GitHub lets them do, the teams that the configuration names, whether they own the path.
 * Asked for every letter anew, because rights are taken away in the middle of an incident.
 */
import type { Settings } from '../config/configuration.ts';
import { accessTo } from '../config/resolve.ts';
import { ownersOf } from '../domain/code-owners.ts';
import { type Verb, verbs } from '../domain/command.ts';
import type { Commander, CommandRule, CommandRules } from '../domain/command-authority.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { World } from './world.ts';

/** Of all that a configuration names, so many teams are asked about. */
const teamsMax = 50;

/** The rules of each place that narrows a command; a person must be allowed by all of them. */
export function rulesOf(settings: Settings, owner: string): readonly CommandRules[] {
  const depth = Math.max(1, ...verbs.map((verb) => accessTo(settings, verb).people.length));
  return Array.from({ length: depth }, (_, level) =>
    Object.fromEntries(verbs.map((verb) => [verb, ruleOf(settings, verb, level, owner)])),
  );
}

function ruleOf(settings: Settings, verb: Verb, level: number, owner: string): CommandRule {
  const { permission, people } = accessTo(settings, verb);
  // Where fewer places narrow this command than another one, the last of them stands for those that do not.
  const named = people[Math.min(level, people.length - 1)];
  if (named === undefined) return { permission };
  return {
    permission,
    teams: named.teams.map((slug) => `${owner}/${slug}`),
    users: named.users,
    codeOwners: named.codeOwners,
  };
}

/**
 * The sender of a letter. `pathsOf` gives the folders that feed what the letter is about; it is asked only where a rule
 * counts on code owners. Throws WorldProblem when GitHub cannot be asked.
 */
export async function commanderOf(
  { forge }: World,
  { repository, sender }: Letter,
  several: readonly CommandRules[],
  pathsOf: () => Promise<readonly string[]>,
): Promise<Commander> {
  const rules = several.flatMap((one) => Object.values(one));
  const memberships = new Map<string, 'yes' | 'no' | 'unknown'>();
  const isIn = async (team: string): Promise<'yes' | 'no' | 'unknown'> => {
    const known = memberships.get(team);
    if (known !== undefined) return known;
    const slug = team.slice(team.indexOf('/') + 1);
    const answer = await forge.isMemberOf(repository, slug, sender.login);
    memberships.set(team, answer);
    return answer;
  };
  const permission = await forge.permissionOf(repository, sender.login);
  const named = [...new Set(rules.flatMap((rule) => rule.teams ?? []))].slice(0, teamsMax);
  for (const team of named) await isIn(team);
  const isCodeOwner = rules.some((rule) => rule.codeOwners === true) && (await ownsAll());
  const teams = (answer: string): ReadonlySet<string> =>
    new Set([...memberships].filter(([, given]) => given === answer).map(([team]) => team));
  return {
    login: sender.login,
    isBot: sender.isBot,
    isOurs: sender.isOurs,
    permission,
    teams: teams('yes'),
    unknownTeams: teams('unknown'),
    isCodeOwner,
  };

  async function ownsAll(): Promise<boolean> {
    const text = await forge.codeOwnersText(repository, null);
    const paths = text === null ? [] : await pathsOf();
    if (text === null || paths.length === 0) return false;
    for (const path of paths) if (!(await isAmong(ownersOf(text, path)))) return false;
    return true;
  }

  async function isAmong(owners: readonly string[]): Promise<boolean> {
    for (const owner of owners) {
      const name = owner.replace(/^@/, '').toLowerCase();
      if (!owner.startsWith('@')) continue;
      if (!name.includes('/') && name === sender.login.toLowerCase()) return true;
      // Teams of other organisations own nothing here.
      const isTeam = name.startsWith(`${repository.owner.toLowerCase()}/`);
      if (isTeam && (await isIn(name)) === 'yes') return true;
    }
    return false;
  }
}
