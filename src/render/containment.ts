/**
 * What keeps the change from those that have not got it yet: how many they are, the command that holds them, or what is held and
 * what stood there before. What cannot be held, and what somebody else changed, is said in the same breath.
 */
import { type Containment, containmentFor, type HeldStep } from '../domain/held-steps.ts';
import type { Incident, SetStanding } from '../domain/incident.ts';
import { maxUpdateInWords } from '../domain/stages.ts';
import { share } from './facts.ts';
import type { Detail } from './fit.ts';
import { counted, listOf, shortName } from './lists.ts';
import { codeBlock, codeSpan, inlineText } from './safe.ts';
import { asMarkdown, quote, say } from './sentence.ts';

const nameMax = 63;
const stagesMax = 5;

/** Markdown of a paragraph an ApplicationSet; "" when there is nothing to say. */
export function containmentSection(incident: Incident, detail: Detail): string {
  const isOpen = incident.phase === 'noticed' || incident.phase === 'proposed';
  return incident.sets
    .slice(0, detail.sets)
    .flatMap((set) => {
      const containment = containmentFor(incident, set.key);
      if (containment === null) return [];
      const whose = incident.sets.length === 1 ? '' : `${codeSpan(set.name, { max: nameMax })}: `;
      return [isOpen ? whileOpen(incident, set, containment, whose, detail) : afterwards(containment, whose)];
    })
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** The incident with its stages as somebody wrote them: a step that we hold is no gate, and goes on by itself. */
export function withoutOurGates(incident: Incident): Incident {
  const sets = incident.sets.map((set) => {
    const held = containmentFor(incident, set.key)?.steps.filter(({ state }) => state === 'held') ?? [];
    const stages = set.stages.map((stage) => {
      const step = held.find(({ index }) => index === stage.number - 1);
      if (step === undefined) return stage;
      const verdict = stage.verdict === 'manual-gate' ? 'waiting' : stage.verdict;
      return { ...stage, verdict, pace: `${maxUpdateInWords(step.former)}, frozen` };
    });
    return held.length === 0 ? set : { ...set, stages };
  });
  return { ...incident, sets };
}

/** One sentence for the pull request that did it, where the revert says the rest; "" when there is nothing to say. */
export function containmentInShort(incident: Incident, revert: string | null): string {
  const all = incident.containments ?? [];
  const held = all.flatMap((one) => one.steps.filter(({ state }) => state === 'held'));
  const escaping = all.flatMap((one) => one.plan?.escaping ?? []).length;
  const ahead = all.reduce((sum, one) => sum + (one.plan?.ahead ?? 0), 0);
  const except =
    escaping === 0 ? '' : `, but for **${counted(escaping, 'Application')}** that cannot be held`;
  if (held.length > 0) return `I hold ${namesOf(held)} until then${except}.`;
  if (ahead === 0 || revert === null) return '';
  return `**${counted(ahead, 'more Application')}** can still get it: ${revert} says how to hold ${ahead === 1 ? 'it' : 'them'}.`;
}

function whileOpen(
  incident: Incident,
  set: SetStanding,
  containment: Containment,
  whose: string,
  detail: Detail,
): string {
  const held = containment.steps.filter(({ state }) => state === 'held');
  const first =
    held.length > 0 ? heldWords(incident, containment, held, whose) : aheadWords(set, containment, whose);
  if (first === '') return '';
  const rest = [
    first,
    ...notHeldAnyMore(containment.steps),
    escapingWords(set, containment, detail),
    gateWords(containment, held),
  ];
  const paragraph = rest.filter((sentence) => sentence !== '').join(' ');
  const advice = held.length > 0 ? '' : adviceFor(set, containment);
  return advice === '' ? paragraph : `${paragraph} ${advice}`;
}

/** "**Frozen** · I keep staging and prod as they are with `maxUpdate: 0`. …" */
function heldWords(
  incident: Incident,
  { order }: Containment,
  held: readonly HeldStep[],
  whose: string,
): string {
  const asked =
    order?.kind === 'freeze' ? `, as ${codeSpan(order.by, { max: 40, isPublic: true })} asked` : '';
  const branch = codeSpan(incident.branch, { max: 80, isPublic: true });
  return `**Frozen** · ${whose}I keep the change from ${namesOf(held)} with ${codeSpan('maxUpdate: 0')}${asked}. As soon as the revert, or a fix, is on ${branch}, I put back what stood there: ${formerOf(held)}.`;
}

function aheadWords(set: SetStanding, { plan, order, will }: Containment, whose: string): string {
  if (plan === null || plan.ahead === 0) return '';
  const who = plan.ahead === 1 ? 'Application' : 'Applications';
  const letGo =
    will === 'advise' && order != null
      ? ` ${codeSpan(order.by, { max: 40, isPublic: true })} asked me to let them go, so I do not hold them.`
      : '';
  return `**Still ahead** · ${whose}**${share(plan.ahead, set.total)}** ${who} can still get the change.${letGo}`;
}

function notHeldAnyMore(steps: readonly HeldStep[]): readonly string[] {
  const undone = steps.filter(({ state }) => state === 'undone');
  const changed = steps.filter(({ state }) => state === 'changed');
  return [
    ...(undone.length === 0
      ? []
      : [
          `**${namesOf(undone)} ${isOrAre(undone)} not held any more**: something put ${codeSpan('maxUpdate')} back, a parent Application or a person, and I do not change it a second time. To hold ${itOrThem(undone)}, change it where the manifest is kept.`,
        ]),
    ...(changed.length === 0
      ? []
      : [
          `**${namesOf(changed)} ${isOrAre(changed)} not held any more**: somebody gave ${codeSpan('maxUpdate')} another value, and that stays.`,
        ]),
  ];
}

/** "prod-2 cannot be held any more: it is Pending, …" */
function escapingWords(set: SetStanding, { plan }: Containment, detail: Detail): string {
  const all = plan?.escaping ?? [];
  const sentences = (['operation', 'pending'] as const).flatMap((why) => {
    const some = all.filter((one) => one.why === why);
    if (some.length === 0) return [];
    const names = listOf(some, detail.names, ({ application }) =>
      inlineText(shortName(application, set.name), { max: nameMax }),
    );
    const isOne = some.length === 1;
    const because = {
      operation: `a sync of the change is under way there`,
      pending: `${isOne ? 'it is' : 'they are'} Pending, and Argo CD syncs ${isOne ? 'it' : 'them'} as soon as the stages before are through`,
    }[why];
    return [`**${names} cannot be held any more**: ${because}.`];
  });
  return sentences.join(' ');
}

/** A stage that somebody else holds needs no command. */
function gateWords({ plan }: Containment, held: readonly HeldStep[]): string {
  const gates = (plan?.gates ?? []).filter((name) => !held.some((step) => step.name === name));
  if (gates.length === 0) return '';
  const verb = gates.length === 1 ? 'moves' : 'move';
  return `${listOf(gates, stagesMax, stageWords)} ${verb} only by hand, so nothing there gets it.`;
}

/** What people can do, where nothing is held. */
function adviceFor(set: SetStanding, containment: Containment): string {
  const { plan, obstacle, order, will } = containment;
  const theirs = containment.steps.filter(({ state }) => state === 'undone' || state === 'changed');
  const wanted = (plan?.steps ?? []).filter(({ name }) => !theirs.some((step) => step.name === name));
  if (wanted.length === 0 || (will === 'advise' && order != null)) return '';
  if (obstacle?.kind === 'owned') return ownedAdvice(wanted, obstacle);
  const why =
    obstacle?.kind === 'refused' && will === 'hold'
      ? `I cannot hold them: ${asMarkdown(say`${quote(obstacle.message, { max: 500 })}`)}. `
      : '';
  const command = patchCommand(
    set.key,
    wanted.map(({ index }) => ({ op: 'add', index, value: 0 })),
  );
  const what = namesOf(wanted);
  const back = `After the merge put back what stands there now: ${formerOf(wanted.map((step) => ({ ...step, former: step.maxUpdate })))}. Else nothing there ever moves again.`;
  if (command === null) return `${why}Set ${codeSpan('maxUpdate: 0')} for ${what} to hold them. ${back}`;
  return `${why}This holds ${what}:\n\n${codeBlock(command, { isPublic: true })}\n\n${back}`;
}

function ownedAdvice(
  steps: readonly { name: string }[],
  { owners, place }: Extract<Containment['obstacle'], { kind: 'owned' }>,
): string {
  const where =
    place === null
      ? 'where its manifest is kept'
      : `in its manifest in ${codeSpan(place.repository, { max: 120, isPublic: true })}${place.path === '' ? '' : `, below ${codeSpan(place.path, { max: 120, isPublic: true })}`}`;
  const owner = listOf(owners, 2, (name) => codeSpan(name, { max: nameMax }));
  return `To hold ${namesOf(steps)}, set ${codeSpan('maxUpdate: 0')} ${where}: the ApplicationSet belongs to ${owner}, which would put back what is changed in the cluster.`;
}

/** Nothing once all is put back: that is how it should be. */
function afterwards(containment: Containment, whose: string): string {
  const held = containment.steps.filter(({ state }) => state === 'held');
  if (held.length === 0) return '';
  const { obstacle } = containment;
  const why =
    obstacle?.kind === 'refused' ? `: ${asMarkdown(say`${quote(obstacle.message, { max: 500 })}`)}` : '';
  const command = patchCommand(
    containment.key,
    held.map(({ index, former }) =>
      former === null ? { op: 'remove', index } : { op: 'replace', index, value: former },
    ),
  );
  const first = `**Still frozen** · ${whose}I have not been able to put back ${codeSpan('maxUpdate')} of ${namesOf(held)} yet${why}. I try again; until then nothing there moves.`;
  return command === null ? first : `${first} This does it:\n\n${codeBlock(command, { isPublic: true })}`;
}

/** Names in a cluster are of these characters; nothing else is put on a command line. */
const shellSafe = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

interface StepPatch {
  op: 'add' | 'replace' | 'remove';
  index: number;
  value?: number | string;
}

/** One line to copy, or null when a name, or a value, is not one that Kubernetes allows. */
function patchCommand(key: string, patches: readonly StepPatch[]): string | null {
  const [namespace = '', name = ''] = key.split('/', 2);
  const isOdd = patches.some(({ value }) => typeof value === 'string' && !/^\d{1,9}%?$/.test(value));
  if (!shellSafe.test(namespace) || !shellSafe.test(name) || isOdd) return null;
  const patch = patches.map(({ op, index, value }) => {
    const path = `/spec/strategy/rollingSync/steps/${index}/maxUpdate`;
    return value === undefined ? { op, path } : { op, path, value };
  });
  return `kubectl -n ${namespace} patch applicationset ${name} --type json -p '${JSON.stringify(patch)}'`;
}

function namesOf(steps: readonly { name: string }[]): string {
  return listOf(steps, stagesMax, ({ name }) => stageWords(name));
}

/** "staging `50%` and prod `1`" */
function formerOf(steps: readonly Pick<HeldStep, 'name' | 'former'>[]): string {
  return listOf(steps, stagesMax, ({ name, former }) =>
    former === null
      ? `${stageWords(name)} without one`
      : `${stageWords(name)} ${codeSpan(String(former), { max: 20 })}`,
  );
}

function stageWords(name: string): string {
  return inlineText(name, { max: 40 });
}

function isOrAre(all: readonly unknown[]): string {
  return all.length === 1 ? 'is' : 'are';
}

function itOrThem(all: readonly unknown[]): string {
  return all.length === 1 ? 'it' : 'them';
}
