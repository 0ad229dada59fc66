/**
 * Why an Application is not back after the merge, what helps, and what was done for it. Applications with the same thing
 * in their way share a line.
 */
import type { Left } from '../domain/incident.ts';
import { never } from '../domain/never.ts';
import type { Aid, Attempt, LeftBehind } from '../domain/recovery-aid.ts';
import { hindrances } from '../domain/way-back.ts';
import { cutTo } from './clean.ts';
import { count, listOf } from './lists.ts';
import { codeSpan } from './safe.ts';
import { asMarkdown, asText, ownWords, quote, type Sentence, say } from './sentence.ts';
import { duration, timeOfDay } from './times.ts';

const nameMax = 80;
const byMax = 3;

interface Told extends Left {
  wayBack: LeftBehind;
}

/** A line of Markdown for each thing in the way, without a bullet; `namesMax` Applications are named in each. */
export function wayBackLines(left: readonly Left[], namesMax: number, now: number): readonly string[] {
  return linesIn(inMarkdown, left, namesMax, now);
}

/** The same as plain text, for pages that escape it themselves. */
export function wayBackTexts(left: readonly Left[], namesMax: number, now: number): readonly string[] {
  return linesIn(inText, left, namesMax, now);
}

/** How names and sentences are written where the line goes. */
interface Script {
  name(application: string): string;
  words(sentence: Sentence): string;
}

const inMarkdown: Script = {
  name: (application) => codeSpan(application, { max: nameMax }),
  words: asMarkdown,
};

const inText: Script = { name: (application) => cutTo(application, nameMax), words: asText };

function linesIn(script: Script, left: readonly Left[], namesMax: number, now: number): readonly string[] {
  const groups = new Map<string, Told[]>();
  for (const one of left) {
    // One that a newer version has stored may know more than this one has words for.
    if (one.wayBack === undefined || !hindrances.includes(one.wayBack.hindrance)) continue;
    const { hindrance, by, attempts } = one.wayBack;
    const tried = attempts.map(({ aid, outcome }) => `${aid} ${outcome}`);
    const key = JSON.stringify([hindrance, by, tried]);
    groups.set(key, [...(groups.get(key) ?? []), { ...one, wayBack: one.wayBack }]);
  }
  return [...groups.values()].map((group) => lineOf(script, group, namesMax, now));
}

function lineOf(script: Script, group: readonly Told[], namesMax: number, now: number): string {
  const [first] = group;
  if (first === undefined) return '';
  const names = listOf(group, namesMax, ({ application }) => script.name(application));
  const isOne = group.length === 1;
  const since = Math.min(...group.map(({ wayBack }) => wayBack.since));
  const lasting = now - since >= 60_000 ? ` (for ${duration(now - since)})` : '';
  const name = isOne ? first.application : 'NAME';
  const why = script.words(whyOf(first.wayBack, isOne, lasting, name));
  const tried = script.words(triedOf(first.wayBack.attempts));
  return `${names} ${why}${tried === '' ? '' : ` ${tried}`}`;
}

/** After the names; `name` stands in commands that people copy. */
function whyOf({ hindrance, by }: LeftBehind, isOne: boolean, lasting: string, name: string): Sentence {
  const has = ownWords(isOne ? 'has' : 'have');
  const is = ownWords(isOne ? 'is' : 'are');
  const waits = ownWords(isOne ? 'waits' : 'wait');
  const time = ownWords(lasting);
  const them = namesOf(by);
  const sync = command(`argocd app sync ${name}`);
  switch (hindrance) {
    case 'not-reverted':
      return say`${has} the bad commit still, and so does the branch, as far as I can see.`;
    case 'not-noticed':
      return say`${has} not been compared with the revert yet${time}. ${command(`argocd app get ${name} --refresh`)} makes Argo CD look.`;
    case 'no-sync-is-coming':
      return say`${is} compared with the revert, and no sync is coming${time}: a refresh does not change that, ${sync} does.`;
    case 'bad-operation-runs':
      return say`${has} a sync of the bad commit under way${time}, perhaps in a hook. One that ends now applies that commit after all: end it with ${command(`argocd app terminate-op ${name}`)}, then ${sync}.`;
    case 'retry-takes-the-revert':
      return say`${has} a failed sync that waits for its retry${time}. The retry takes what the branch holds then, which is the revert: nothing to do.`;
    case 'retry-keeps-the-bad-commit':
      return say`${has} a sync that names the bad commit itself and tries it again and again${time}: end it with ${command(`argocd app terminate-op ${name}`)}, then ${sync}.`;
    case 'sync-window':
      return say`${waits} for a sync window${time}. When it opens Argo CD may not notice for minutes; ${command(`argocd app get ${name} --refresh`)} helps then.`;
    case 'manual-gate':
      return say`${waits} for a person${time}: ${them} moves only by hand (${command('maxUpdate: 0')}). ${sync} brings it back.`;
    case 'behind-a-stage':
      return say`${waits} for ${them}, which comes first. Nothing to do.`;
    case 'unreachable':
      return say`cannot be reached by Argo CD${time}: the cluster is away or refuses its credentials. It comes back when the cluster does.`;
    case 'behind-the-unreachable':
      return say`${waits} behind ${them}, whose cluster cannot be reached${time}. ${sync} brings ${ownWords(isOne ? 'it' : 'them')} back without waiting.`;
    case 'behind-a-sibling':
      return say`${waits} behind ${them}, which ${ownWords(by.length === 1 ? 'holds every slot of the stage and does' : 'hold every slot of the stage and do')} not come to an end${time}. ${sync} brings ${ownWords(isOne ? 'it' : 'them')} back without waiting.`;
    case 'needs-prune':
      return say`${has} the revert, but for what would have to be deleted: ${them}. The template does not prune; ${command(`argocd app sync ${name} --prune`)} deletes ${ownWords(by.length === 1 ? 'it' : 'them')}.`;
    case 'never-in-sync':
      return say`${has} the revert and stays OutOfSync all the same${time}${by.length === 0 ? ownWords('') : say`: ${them}`}. Something else changes it, or it differs by design: look at the difference with ${command(`argocd app diff ${name}`)}.`;
    case 'held-by-a-later-commit':
      return say`${is} told to run a later commit than the revert (${them}) and ${is} not well on it${time}. I bring no later commit anywhere: mend or revert that one, or ${sync} if it is to go there.`;
    case 'not-healthy-on-the-revert':
      return say`${has} the revert and ${is} not Healthy on it${time}: what the bad commit did there is not undone by going back. Look at the Application itself.`;
    case 'in-no-stage':
      return say`${is} in no stage of the rollout, which therefore never syncs ${ownWords(isOne ? 'it' : 'them')}: ${sync} does.`;
    case 'on-its-way':
      return say`${is} on the way back.`;
    default:
      return never(hindrance);
  }
}

function command(text: string): Sentence {
  return [{ kind: 'value', text, options: { max: 200 } }];
}

/** At most three, as code; commits with seven digits. */
function namesOf(names: readonly string[]): Sentence {
  const shown = names.slice(0, byMax).map((name) => (/^[0-9a-f]{40}$/.test(name) ? name.slice(0, 7) : name));
  const more = names.length - shown.length;
  const parts: Sentence[] = shown.map((name) => [{ kind: 'value', text: name, options: { max: nameMax } }]);
  if (more > 0) parts.push(ownWords(`${count(more)} more`));
  return parts.flatMap((part, index) => [
    ...(index === 0 ? [] : ownWords(index === parts.length - 1 ? ' and ' : ', ')),
    ...part,
  ]);
}

const done: Readonly<Record<Aid, string>> = {
  refresh: 'asked Argo CD to compare it',
  sync: 'asked Argo CD to sync it',
  terminate: 'ended the operation',
};

const asked: Readonly<Record<Aid, string>> = {
  refresh: 'ask Argo CD to compare it',
  sync: 'sync it',
  terminate: 'end its operation',
};

/** What Stepback did about it, the last thing first; empty when it did nothing. */
function triedOf(attempts: readonly Attempt[]): Sentence {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  const at = ownWords(timeOfDay(last.at));
  if (last.outcome === 'refused')
    return say`I may not ${ownWords(asked[last.aid])}: ${quote(last.detail, { max: 400 })}.`;
  if (last.outcome !== 'done') return [];
  const times = attempts.filter(({ aid, outcome }) => aid === last.aid && outcome === 'done').length;
  return say`I ${ownWords(done[last.aid])} at ${at}${ownWords(times > 1 ? `, for the ${ordinal(times)} time` : '')}.`;
}

function ordinal(count: number): string {
  return ['', 'first', 'second', 'third'][count] ?? `${count}th`;
}
