/**
 * Reasons in sentences: what is seen (which Application, which field, since when), what it means, what to do. One code,
 * one sentence; comment, check run, page, command line and log print the same ones. A code without a sentence does not
 * compile.
 */
import type { Reason, ReasonCode } from '../domain/verdict.ts';
import { asMarkdown, asText, nothing, ownWords, quote, type Sentence, say, words } from './sentence.ts';
import { exactTime } from './times.ts';

/** One reason in plain text, on one line; secrets and control characters are gone. */
export function describeReason(reason: Reason): string {
  return asText(sentenceOf(reason));
}

/** The same words in Markdown; every name and message is in a code span. */
export function reasonInMarkdown(reason: Reason): string {
  return asMarkdown(sentenceOf(reason));
}

/** The words for both. A code of another version, out of a stored incident, is told as it stands. */
function sentenceOf(reason: Reason): Sentence {
  const sentence = Object.hasOwn(sentences, reason.code) ? sentences[reason.code] : null;
  return sentence === null ? say`${who(reason)}: ${reason.code}${facts(reason)}` : sentence(reason);
}

function who({ application }: Reason): Sentence {
  return application === null ? ownWords('The ApplicationSet') : say`${application}`;
}

function since(reason: Reason): Sentence {
  return reason.since === null ? nothing : ownWords(` since ${exactTime(reason.since)}`);
}

/** Where to look, with kubectl's name of the field. */
function seen({ field, value, message }: Reason): Sentence {
  if (field === '') return nothing;
  return value === '' || value === message ? say` (${field})` : say` (${field}: ${value})`;
}

/** Where it is seen, and in whose words; ends the sentence. */
function told(reason: Reason): Sentence {
  return reason.message === '' ? say`${seen(reason)}.` : say`${seen(reason)}: ${quote(reason.message)}.`;
}

/** Since when as well. */
function facts(reason: Reason): Sentence {
  return say`${since(reason)}${told(reason)}`;
}

/** A command for the Application, ready to be copied. */
function command(verb: string, { application }: Reason, flags = ''): string {
  return `argocd app ${verb} ${application ?? 'NAME'}${flags}`;
}

const sentences: Readonly<Record<ReasonCode, (reason: Reason) => Sentence>> = {
  // What concerns the whole ApplicationSet.
  blind: ({ value }) =>
    say`I cannot see enough of the cluster to judge, so I change nothing: ${words(value, { max: 600 })} As soon as I can see it, I judge again.`,
  'no-steps': (reason) =>
    say`The strategy is RollingSync and has no step${seen(reason)}: Argo CD rolls nothing out. Add steps, or remove ${'spec.strategy'} to sync all Applications at once.`,
  'no-application-in-a-step': (reason) =>
    say`No Application is in a step (${reason.field}: ${reason.value}), so the rollout never syncs any. Steps match labels of the generated Application, not those of the cluster. Add to ${'spec.template.metadata.labels'} of the ApplicationSet: ${reason.message === '' ? "env: '{{metadata.labels.env}}'" : reason.message}.`,
  'policy-prevents-sync': (reason) =>
    say`With ${reason.field} ${reason.value} the controller may not update Applications, so it never starts a sync and the rollout stands still. Set it to ${'sync'} or ${'create-update'}.`,
  'flag-off': (reason) =>
    say`Progressive syncs are switched off${seen(reason)}: Argo CD ignores the steps, and every Application follows its own sync policy. To use the steps, set ${'applicationsetcontroller.enable.progressive.syncs: "true"'} in the ConfigMap ${'argocd-cmd-params-cm'} and restart the ApplicationSet controller.`,
  'status-write-rejected': (reason) =>
    say`Entries of an older Argo CD have no ${reason.field}: newer API servers refuse every write of that status, and the rollout stands still. Take those entries out of the status (${'kubectl edit --subresource=status'}), or upgrade to a version of Argo CD that migrates them.`,
  'slot-held-by-unselected': ({ field, value }) =>
    say`In ${words(field)} the slots are taken by an Application that is in no step, so ${waiting(value)} cannot start. Give that Application a label that a step selects, or bring it to Healthy by hand.`,
  gate: ({ field, value }) =>
    say`${words(capital(field))} moves only by hand (${'maxUpdate: 0'}). When you want it to go on, sync ${waiting(value)}.`,

  // Failures that a commit is blamed for.
  degraded: (reason) =>
    say`${who(reason)} has been Degraded${since(reason)}, on a commit on which it never was Healthy${told(reason)}`,
  'degraded-after-healthy': (reason) =>
    say`${who(reason)} was Healthy on this commit and has been Degraded${facts(reason)} Most versions of Argo CD do not stop for that and go on to the next stage.`,
  'sync-failed': (reason) => say`${who(reason)} has failed to sync${facts(reason)}`,
  'render-error': (reason) =>
    say`Argo CD has got no manifests for ${who(reason)} out of the commit${facts(reason)} What runs keeps running, and nothing newer can be deployed.`,
  'grace-time': (reason) =>
    say`${who(reason)} has been failing${since(reason)}, for less than the grace time: it may still heal by itself, so a revert waits.`,

  // Unhealthy, and no commit to blame.
  'unhealthy-before-the-change': (reason) =>
    say`${who(reason)} has been unhealthy${facts(reason)} It was so before this commit arrived. I look again when it recovers or when another Application fails.`,
  'healthy-beyond-the-bake-time': (reason) =>
    say`${who(reason)} has been Degraded${facts(reason)} It was Healthy on this commit for longer than the bake time: look for another cause first. If it is the commit after all, revert it by hand.`,
  'nothing-new-came': (reason) =>
    say`${who(reason)} has been Degraded${facts(reason)} Nothing new was deployed before, so no commit explains it: look at its resources and at what they depend on.`,
  'same-failure-on-last-good': (reason) =>
    say`${who(reason)} has been Degraded${facts(reason)} It failed the same way on the last good commit, so a revert would not help: fix what fails on both.`,
  'degraded-on-last-good': (reason) =>
    say`${who(reason)} is back on the last good commit and has been Degraded${facts(reason)} The revert alone does not heal it: look at what the bad commit left behind, such as data, Jobs and objects of its own.`,
  'commit-does-not-explain-render-error': (reason) =>
    say`Argo CD has got no manifests for ${who(reason)}${facts(reason)} It has them from the same commit already, so no commit explains it: look at the repo server and at what the manifests are generated with.`,
  'template-edited': (reason) =>
    say`${who(reason)} has been failing${facts(reason)} It was Healthy on the same commit before the ApplicationSet's template or parameters were edited, so a revert of the commit changes nothing: take that edit back.`,
  'began-before-we-looked': (reason) =>
    say`${who(reason)} was Degraded already when I first saw it${told(reason)} With which commit it began I cannot tell. If it is the newest one, revert it by hand.`,
  'health-script-error': (reason) =>
    say`The health script for a resource of ${who(reason)} has been crashing${facts(reason)} Health stays Unknown, and every sync ends in Error: correct the script in ${'argocd-cm'} (${'resource.customizations.health'}).`,
  'health-unknown': (reason) =>
    say`The health of ${who(reason)} has not been known${facts(reason)} Nothing is concluded from that, good or bad: look at its health checks in ${'argocd-cm'}.`,

  // Held by something outside the commit.
  'destination-unreachable': (reason) =>
    say`Argo CD has not reached the cluster of ${who(reason)}${facts(reason)} The Application keeps what it runs, and its place in the step, until the cluster and its credentials are back.`,
  'transport-trouble': (reason) =>
    say`Argo CD has not been able to compare ${who(reason)} with Git${facts(reason)} That names no fault of a commit; I judge it again when the comparison works.`,
  'sync-window': (reason) =>
    say`A sync window has held ${who(reason)}${facts(reason)} It goes on when the window allows it, or by a manual sync where the window allows one.`,
  'needs-prune': (reason) =>
    say`${who(reason)} has been OutOfSync${since(reason)} (${reason.field}): ${reason.value} should be deleted, and the template does not prune. The stages behind it wait. Run ${command('sync', reason, ' --prune')}, or set ${'automated.prune: true'} in the template's ${'syncPolicy'}.`,
  'missing-kind': (reason) =>
    say`${who(reason)} has failed to sync${facts(reason)} Its cluster does not know a kind that the commit uses: install the CustomResourceDefinition there, then sync again.`,
  'operation-runs-too-long': (reason) =>
    say`An operation on ${who(reason)} has been running without an end${facts(reason)} What landed since, a revert too, waits for it. To end it, run ${command('terminate-op', reason)}.`,
  'operation-never-starts': (reason) =>
    say`An operation on ${who(reason)} has been requested${since(reason)} and has not begun${told(reason)} Request it again with ${command('sync', reason)}; if that does not start either, restart the application controller.`,
  'still-out-of-sync': (reason) =>
    say`${who(reason)} was synced and has differed from Git all the same${facts(reason)} Its stage does not end like this: look at what changes those objects, or ignore the difference (${'ignoreDifferences'} in the template).`,
  'pending-for-another-revision': (reason) =>
    say`${who(reason)} has been Pending${since(reason)} for a commit that was overtaken${told(reason)} That is a fault of Argo CD before 2.14.3, and its stage does not go on: run ${command('sync', reason)}, restart the ApplicationSet controller, or upgrade.`,
  'progressing-too-long': (reason) =>
    say`${who(reason)} has been neither Healthy nor Degraded${facts(reason)} That alone is no reason for a revert: look at its resources, and revert by hand if it is the commit.`,
  suspended: (reason) =>
    say`${who(reason)} has been Suspended${facts(reason)} A paused rollout or a suspended Job waits for a person: resume it and the stage goes on.`,
  'no-sync-is-coming': (reason) =>
    say`${who(reason)} has differed from Git${since(reason)}, and no sync is coming${told(reason)} If it stays so, run ${command('sync', reason)}.`,

  // On its way.
  'waits-for-its-turn': (reason) => say`${who(reason)} has waited for the stages before it${facts(reason)}`,
  'sync-is-coming': (reason) => say`${who(reason)} has waited for its sync to start${facts(reason)}`,
  'operation-runs': (reason) => say`A sync of ${who(reason)} has been running${facts(reason)}`,
  'operation-on-other-commit': (reason) =>
    say`${who(reason)} is Synced, and an operation on another commit has been running${facts(reason)} When it ends, that commit is what runs. To prevent it, run ${command('terminate-op', reason)}.`,
  'waits-for-retry': (reason) =>
    say`A sync of ${who(reason)} has failed and waits for its next attempt${facts(reason)}`,
  progressing: (reason) => say`${who(reason)} has been on its way to Healthy${facts(reason)}`,
  'never-deployed': (reason) => say`${who(reason)} has not been deployed yet${told(reason)}`,

  // Not part of the rollout, or nothing to say.
  unselected: (reason) =>
    say`${who(reason)} is in no step, so the rollout never syncs it${told(reason)} Give it a label that a step selects, or run ${command('sync', reason)}.`,
  orphan: (reason) =>
    say`${who(reason)} belongs to the ApplicationSet and is not generated any more${told(reason)} The rollout leaves it as it is; delete it if nobody needs it.`,
  'being-deleted': (reason) =>
    say`${who(reason)} is being deleted${told(reason)} What it shows meanwhile counts for nothing, and it is not waited for. If it does not go, look at its finalizers and at its cluster.`,
  'ignored-application': (reason) =>
    say`${who(reason)} is left out: ${'ignore.applications'} names it. It counts again when ${'.github/stepback.yaml'} does not name it any more.`,
  'ignored-kind': (reason) =>
    say`${who(reason)} is left out while nothing but ${reason.value} is Degraded${since(reason)}: ${'ignore.kinds'} names that kind.`,
  snoozed: (reason) =>
    say`${who(reason)} is left out until ${ownWords(exactTime(reason.since ?? 0))}: ${reason.value} snoozed ${reason.message}.`,
  'below-threshold': (reason) =>
    say`In ${words(reason.field)} ${words(reason.value)} failures that are needed have come (${'thresholds'} in ${'.github/stepback.yaml'}), so none counts yet.`,
  healthy: (reason) => say`${who(reason)} is Healthy${told(reason)}`,
};

/** Names that wait, as the domain joins them. */
function waiting(names: string): Sentence {
  return names === '' ? ownWords('what is in it') : say`${names}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
