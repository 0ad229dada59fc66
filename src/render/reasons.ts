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
export function sentenceOf(reason: Reason): Sentence {
  const sentence = Object.hasOwn(sentences, reason.code) ? sentences[reason.code] : null;
  return sentence === null
    ? say`${who(reason)}: ${reason.code}${seen(reason)}${told(reason)}.`
    : sentence(reason);
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

function told({ message }: Reason): Sentence {
  return message === '' ? nothing : say`: ${quote(message)}`;
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
    say`No Application is in a step${seen(reason)}, so the rollout never syncs any. Steps match labels of the generated Application, not those of the cluster: copy them in ${'spec.template.metadata.labels'}, for example ${"env: '{{metadata.labels.env}}'"}, or ${`env: '{{index .metadata.labels "env"}}'`} with goTemplate.`,
  'policy-prevents-sync': (reason) =>
    say`With ${reason.field} ${reason.value} the controller may not update Applications, so it never starts a sync and the rollout stands still. Set it to ${'sync'} or ${'create-update'}.`,
  'flag-off': (reason) =>
    say`Progressive syncs are switched off${seen(reason)}: Argo CD ignores the steps, and every Application follows its own sync policy. To use the steps, set ${'applicationsetcontroller.enable.progressive.syncs: "true"'} in the ConfigMap ${'argocd-cmd-params-cm'} and restart the ApplicationSet controller.`,
  'not-rolling-sync': (reason) =>
    say`The strategy is not RollingSync${seen(reason)}: there are no stages, and a change reaches every Application at once. Set ${'spec.strategy.type'} to ${'RollingSync'} to have stages.`,
  'status-write-rejected': (reason) =>
    say`Entries of an older Argo CD have no ${reason.field}: newer API servers refuse every write of that status, and the rollout stands still. Take those entries out of the status (${'kubectl edit --subresource=status'}), or upgrade to a version of Argo CD that migrates them.`,
  'slot-held-by-unselected': ({ field, value }) =>
    say`In ${words(field)} the slots are taken by an Application that is in no step, so ${value} cannot start. Give that Application a label that a step selects, or bring it to Healthy by hand.`,
  gate: ({ field, value }) =>
    say`${words(capital(field))} moves only by hand (${'maxUpdate: 0'}): ${value} waits for a person. Sync it when you want it to go on.`,

  // Failures that a commit is blamed for.
  degraded: (reason) =>
    say`${who(reason)} has been Degraded${since(reason)} on a commit on which it never was Healthy${seen(reason)}${told(reason)}.`,
  'degraded-after-healthy': (reason) =>
    say`${who(reason)} was Healthy on this commit and has been Degraded${since(reason)}${seen(reason)}${told(reason)}. Most versions of Argo CD do not stop for that and go on to the next stage.`,
  'sync-failed': (reason) =>
    say`${who(reason)} cannot be synced${since(reason)}${seen(reason)}${told(reason)}.`,
  'render-error': (reason) =>
    say`Argo CD gets no manifests for ${who(reason)} out of the commit${since(reason)}${seen(reason)}${told(reason)}. What runs keeps running, and nothing newer can be deployed.`,
  'grace-time': (reason) =>
    say`${who(reason)} has not been failing for the whole grace time yet${since(reason)}: a revert waits, because it may still heal by itself.`,

  // Unhealthy, and no commit to blame.
  'never-healthy': (reason) =>
    say`${who(reason)} never was Healthy${since(reason)}${seen(reason)}${told(reason)}: there is nothing to go back to. Fix it with a new commit.`,
  'unhealthy-before-the-change': (reason) =>
    say`${who(reason)} has been unhealthy${since(reason)}, from before this commit arrived${seen(reason)}${told(reason)}. I look again when it recovers or when another Application fails.`,
  'healthy-beyond-the-bake-time': (reason) =>
    say`${who(reason)} has been Degraded${since(reason)}, after it was Healthy on this commit for longer than the bake time${seen(reason)}${told(reason)}: look for another cause first. If it is the commit after all, revert it by hand.`,
  'nothing-new-came': (reason) =>
    say`${who(reason)} has been Degraded${since(reason)}, and nothing new was deployed before${seen(reason)}${told(reason)}: no commit explains it. Look at its resources and at what they depend on.`,
  'same-failure-on-last-good': (reason) =>
    say`${who(reason)} has been Degraded${since(reason)}, and failed the same way on the last good commit${seen(reason)}${told(reason)}: a revert would not help. Fix what fails on both.`,
  'degraded-on-last-good': (reason) =>
    say`${who(reason)} is back on the last good commit and has been Degraded${since(reason)}${seen(reason)}${told(reason)}: the revert alone does not heal it. Look at what the bad commit left behind, such as data, Jobs and objects of its own.`,
  'commit-does-not-explain-render-error': (reason) =>
    say`Argo CD gets no manifests for ${who(reason)}${since(reason)}, although the commit is the one that runs${seen(reason)}${told(reason)}: no commit explains it. Look at the repo server and at what the manifests are generated with.`,
  'template-edited': (reason) =>
    say`${who(reason)} has been failing${since(reason)}${seen(reason)}${told(reason)}, and was Healthy on the same commit before the ApplicationSet's template or parameters were edited: a revert of the commit changes nothing. Take that edit back.`,
  'began-before-we-looked': (reason) =>
    say`${who(reason)} was Degraded already when I first saw it${since(reason)}${seen(reason)}${told(reason)}, so I cannot tell with which commit it began. If it is the newest one, revert it by hand.`,
  'health-script-error': (reason) =>
    say`The health script for a resource of ${who(reason)} crashes${since(reason)}${seen(reason)}${told(reason)}: health stays Unknown, and every sync ends in Error. Correct the script in ${'argocd-cm'} (${'resource.customizations.health'}).`,
  'health-unknown': (reason) =>
    say`The health of ${who(reason)} is not known${since(reason)}${seen(reason)}${told(reason)}, so neither good nor bad is concluded. Look at its health checks in ${'argocd-cm'}.`,

  // Held by something outside the commit.
  'destination-unreachable': (reason) =>
    say`Argo CD cannot reach the cluster of ${who(reason)}${since(reason)}${seen(reason)}${told(reason)}. It keeps what it runs, and its place in the step, until the cluster and its credentials are back.`,
  'transport-trouble': (reason) =>
    say`Argo CD cannot compare ${who(reason)} with Git${since(reason)}${seen(reason)}${told(reason)}, and the message names no fault of a commit. I judge it again when the comparison works.`,
  'sync-window': (reason) =>
    say`A sync window holds ${who(reason)}${since(reason)}${seen(reason)}${told(reason)}. It goes on when the window opens, or by a manual sync where the window allows one.`,
  'needs-prune': (reason) =>
    say`${who(reason)} stays OutOfSync${since(reason)}, because ${reason.value} should be deleted and the template does not prune; the stages behind it wait. Run ${command('sync', reason, ' --prune')}, or set ${'automated.prune: true'} in the template's ${'syncPolicy'}.`,
  'missing-kind': (reason) =>
    say`The cluster of ${who(reason)} does not know a kind that the commit uses${since(reason)}${seen(reason)}${told(reason)}. Install its CustomResourceDefinition there, then sync again.`,
  'operation-runs-too-long': (reason) =>
    say`An operation on ${who(reason)} has no end${since(reason)}${seen(reason)}${told(reason)}: what landed since, a revert too, waits for it. To end it, run ${command('terminate-op', reason)}.`,
  'operation-never-starts': (reason) =>
    say`An operation was requested for ${who(reason)}${since(reason)} and has not begun${seen(reason)}${told(reason)}: Argo CD has not picked it up. Request it again with ${command('sync', reason)}; if that does not start either, restart the application controller.`,
  'still-out-of-sync': (reason) =>
    say`${who(reason)} was synced and differs from Git all the same${since(reason)}${seen(reason)}: its stage cannot end so. Look at what changes those objects, or ignore the difference (${'ignoreDifferences'} in the template).`,
  'pending-for-another-revision': (reason) =>
    say`${who(reason)} is Pending${since(reason)} for a commit that was overtaken${seen(reason)}, a fault of Argo CD before 2.14.3: its stage cannot go on. Run ${command('sync', reason)}, restart the ApplicationSet controller, or upgrade.`,
  'progressing-too-long': (reason) =>
    say`${who(reason)} has been neither Healthy nor Degraded${since(reason)}${seen(reason)}${told(reason)}. That alone is no reason for a revert: look at its resources, and revert by hand if it is the commit.`,
  suspended: (reason) =>
    say`${who(reason)} is Suspended${since(reason)}${seen(reason)}${told(reason)}: a paused rollout or a suspended Job waits for a person. Resume it and the stage goes on.`,
  'no-sync-is-coming': (reason) =>
    say`${who(reason)} differs from Git${since(reason)}, and no sync is coming${seen(reason)}. If it stays so, run ${command('sync', reason)}.`,

  // On its way.
  'waits-for-its-turn': (reason) =>
    say`${who(reason)} waits for the stages before it${since(reason)}${seen(reason)}.`,
  'sync-is-coming': (reason) => say`${who(reason)} is about to be synced${since(reason)}${seen(reason)}.`,
  'operation-runs': (reason) =>
    say`A sync of ${who(reason)} is running${since(reason)}${seen(reason)}${told(reason)}.`,
  'operation-on-other-commit': (reason) =>
    say`${who(reason)} is Synced, and an operation on another commit is still running${since(reason)}${seen(reason)}${told(reason)}: when it ends, that commit is what runs. To prevent it, run ${command('terminate-op', reason)}.`,
  'waits-for-retry': (reason) =>
    say`A sync of ${who(reason)} failed and is tried again${since(reason)}${seen(reason)}${told(reason)}.`,
  progressing: (reason) =>
    say`${who(reason)} is not Healthy yet${since(reason)}${seen(reason)}${told(reason)}.`,
  'never-deployed': (reason) => say`${who(reason)} has not been deployed yet${since(reason)}${seen(reason)}.`,

  // Not part of the rollout, or nothing to say.
  unselected: (reason) =>
    say`${who(reason)} is in no step, so the rollout never syncs it${since(reason)}${seen(reason)}. Give it a label that a step selects, or run ${command('sync', reason)}.`,
  orphan: (reason) =>
    say`${who(reason)} belongs to the ApplicationSet and is not generated any more${seen(reason)}: the rollout leaves it as it is. Delete it if nobody needs it.`,
  healthy: (reason) => say`${who(reason)} is Healthy${since(reason)}${seen(reason)}.`,
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
