/** Who may use which command: `sync: { teams: [platform], permission: maintain }`. It narrows what a command needs anyway. */

import { commandNeeds } from './command-needs.ts';
import {
  type CommandName,
  type CommandRule,
  type CommandRules,
  commandNames,
  permissions,
} from './configuration.ts';
import { childPath, quoted } from './faults.ts';
import { teamName, userName } from './names.ts';
import { entriesOf, noteUnknown } from './sections.ts';
import { type Json, names, oneOf, type Shape, type Spot, yesOrNo } from './shapes.ts';
import type { Written } from './written.ts';

const teams = names(teamName, 50, 'sorted');
const users = names(userName, 100, 'sorted');
const codeOwners = yesOrNo();
const permission = oneOf(permissions);
const fields = ['teams', 'users', 'codeOwners', 'permission'];

const ruleSchema = (command: CommandName) => ({
  type: ['object', 'null'],
  additionalProperties: false,
  description: `Who may use \`/stepback ${command}\`. It needs the role \`${commandNeeds[command].permission}\`${
    commandNeeds[command].changesCluster
      ? ' and, because it changes the cluster, a team or a person named here'
      : ''
  }.`,
  properties: {
    teams: { ...teams.schema, description: 'Teams of the organisation that owns the repository.' },
    users: { ...users.schema, description: 'Logins.' },
    codeOwners: { ...codeOwners.schema, description: 'Also the code owners of the path.' },
    permission: { ...permission.schema, description: 'The least role in the repository.' },
  },
});

export const commands: Shape<CommandRules> = {
  schema: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(commandNames.map((command) => [command, ruleSchema(command)])),
  },
  write: (rules) =>
    Object.fromEntries(
      Object.entries(rules).map(([command, rule]): [string, Json] => [command, writtenRule(rule)]),
    ),
  read(written, spot) {
    const rules: Partial<Record<CommandName, CommandRule>> = {};
    const entries = entriesOf(written, spot);
    for (const entry of entries ?? []) {
      const command = commandNames.find((candidate) => candidate === entry.key);
      if (command === undefined) noteUnknown(entry, spot, () => commandNames);
      else rules[command] = readRule(command, entry.value, { ...spot, path: childPath(spot.path, command) });
    }
    return entries === null ? undefined : rules;
  },
};

function readRule(command: CommandName, written: Written, spot: Spot): CommandRule {
  const found: { teams?: readonly string[]; users?: readonly string[]; codeOwners?: boolean } = {};
  let least: CommandRule['permission'] = null;
  for (const entry of entriesOf(written, spot) ?? []) {
    const { key, value } = entry;
    const below = { ...spot, path: childPath(spot.path, key) };
    if (key === 'teams') found.teams = teams.read(value, below);
    else if (key === 'users') found.users = users.read(value, below);
    else if (key === 'codeOwners') found.codeOwners = codeOwners.read(value, below);
    else if (key === 'permission') least = readPermission(command, value, below);
    else noteUnknown(entry, spot, () => fields);
  }
  const isNaming = [found.teams, found.users].some((list) => list !== undefined) || found.codeOwners === true;
  const people = {
    teams: found.teams ?? [],
    users: found.users ?? [],
    codeOwners: found.codeOwners ?? false,
  };
  const isNobody = people.teams.length === 0 && people.users.length === 0;
  if (isNaming && isNobody && (commandNeeds[command].changesCluster || !people.codeOwners)) {
    const mend = 'Name a team or a person if somebody should.';
    spot.faults.warning(
      written.span,
      spot.path,
      `Nobody may use ${quoted(`/stepback ${command}`)} with this.`,
      mend,
    );
  }
  return { permission: least, people: isNaming ? [people] : [] };
}

/** A role below what the command needs would do nothing, and somebody would rely on it. */
function readPermission(command: CommandName, written: Written, spot: Spot): CommandRule['permission'] {
  const value = permission.read(written, spot) ?? null;
  const needed = commandNeeds[command].permission;
  if (value === null || permissions.indexOf(value) >= permissions.indexOf(needed)) return value;
  const problem = `${quoted(value)} is less than ${quoted(needed)}, which this command always needs.`;
  spot.faults.error(
    written.span,
    spot.path,
    problem,
    `Write ${quoted(needed)} or more, or leave the key out.`,
  );
  return null;
}

/** Only a rule of one file can be written; one that was merged of several cannot. */
function writtenRule(rule: CommandRule): Json {
  const [people] = rule.people;
  return {
    ...(people === undefined ? {} : { teams: people.teams, users: people.users }),
    ...(people?.codeOwners === true ? { codeOwners: true } : {}),
    ...(rule.permission === null ? {} : { permission: rule.permission }),
  };
}
