/**
 * Which of two values is the stricter one: the one by which Stepback does less, or lets fewer people tell it to. Where two
 * places set the same limit the stricter one wins, in whatever order they come. What is no limit (words, names of
 * reviewers) is taken from the more specific place.
 */
import {
  type CommandName,
  type CommandRule,
  type CommandRules,
  commandNames,
  type People,
  permissions,
  type ThresholdTable,
} from './configuration.ts';

export interface Strictness<Value> {
  /** Ends the sentence "When several places set it, …". */
  words: string;
  isLimit: boolean;
  /** Of two places. For a limit: the same in every order and grouping, and with a value of itself. */
  join(general: Value, specific: Value): Value;
  /** Within one place: what it says of one ApplicationSet over what it says of all. */
  overlay(general: Value, specific: Value): Value;
}

export const larger = limit('the largest counts', (one: number, other: number) => Math.max(one, other));
export const smaller = limit('the smallest counts', (one: number, other: number) => Math.min(one, other));
export const eitherSays = limit('true in any of them counts', (one: boolean, other: boolean) => one || other);
export const bothSay = limit('all of them must say true', (one: boolean, other: boolean) => one && other);
export const all = limit('all of them count together', unionOf);

/** The value that stands earlier in a ladder. */
export function lower<Value extends string>(ladder: readonly Value[]): Strictness<Value> {
  const position = (value: Value): number => ladder.indexOf(value);
  return limit('the lowest counts', (one, other) => (position(one) <= position(other) ? one : other));
}

export function moreSpecific<Value>(): Strictness<Value> {
  return {
    words: 'the most specific counts',
    isLimit: false,
    join: (_, specific) => specific,
    overlay: (_, specific) => specific,
  };
}

export const allTables: Strictness<readonly ThresholdTable[]> = {
  words: 'all of them must be met',
  isLimit: true,
  join: inOneOrder,
  overlay: (general, specific) => {
    if (general.length === 0 || specific.length === 0) return inOneOrder(general, specific);
    return inOneOrder(general.flatMap((one) => specific.map((other) => withStages(one, other))));
  },
};

export const commandRules: Strictness<CommandRules> = {
  words: 'a person must be allowed by all of them',
  isLimit: true,
  join: (one, other) => eachRule(one, other, joinRules),
  overlay: (general, specific) =>
    eachRule(general, specific, (rule, over) => ({
      permission: over.permission ?? rule.permission,
      people: over.people.length > 0 ? over.people : rule.people,
    })),
};

function limit<Value>(words: string, join: (one: Value, other: Value) => Value): Strictness<Value> {
  return { words, isLimit: true, join, overlay: (_, specific) => specific };
}

function unionOf(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].sort();
}

/** A stage that both name is that of the specific one. */
function withStages(general: ThresholdTable, specific: ThresholdTable): ThresholdTable {
  const own = new Set(specific.map(({ stage }) => stage));
  const both = [...general.filter(({ stage }) => !own.has(stage)), ...specific];
  return both.sort((one, other) => (one.stage < other.stage ? -1 : 1));
}

function eachRule(
  one: CommandRules,
  other: CommandRules,
  join: (one: CommandRule, other: CommandRule) => CommandRule,
): CommandRules {
  const rules: Partial<Record<CommandName, CommandRule>> = {};
  for (const command of commandNames) {
    const [first, second] = [one[command], other[command]];
    const rule = first !== undefined && second !== undefined ? join(first, second) : (first ?? second);
    if (rule !== undefined) rules[command] = rule;
  }
  return rules;
}

function joinRules(one: CommandRule, other: CommandRule): CommandRule {
  const rank = (rule: CommandRule): number =>
    rule.permission === null ? -1 : permissions.indexOf(rule.permission);
  return {
    permission: rank(one) >= rank(other) ? one.permission : other.permission,
    people: inOneOrder<People>(one.people, other.people),
  };
}

/** Values of several places, each once, in an order that does not depend on that of the places. */
function inOneOrder<Value>(...lists: readonly (readonly Value[])[]): readonly Value[] {
  const byText = new Map(lists.flat().map((value) => [JSON.stringify(value), value]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as Value);
}
