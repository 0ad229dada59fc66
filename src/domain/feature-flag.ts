/**
 * Whether progressive syncs are switched on. RollingSync is ignored, silently, unless they are, and the switch can be
 * thrown in three places: an argument of the ApplicationSet controller, its environment, or a ConfigMap from which the
 * environment is taken when the Pod starts. Read from
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/cmd/argocd-applicationset-controller/commands/applicationset_controller.go
 * What may not be looked at is unknown, never off.
 */
import { type Json, list, record, recordOrNull, text, textRecord, texts, time } from './read.ts';

export const flagArgument = '--enable-progressive-syncs';
export const flagVariable = 'ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS';
export const flagKey = 'applicationsetcontroller.enable.progressive.syncs';
export const flagConfigMap = 'argocd-cmd-params-cm';
export const flagController = 'argocd-applicationset-controller';

/** Objects as the API serves them; or why they could not be read, in one sentence. */
export type Looked = { kind: 'seen'; objects: readonly unknown[] } | { kind: 'hidden'; why: string };

/** Everything of one namespace that can decide: its ConfigMaps of interest, its Pods, its Deployments. */
export interface FeatureFlagView {
  namespace: string;
  /** By name, each seen with one object or none. One that is not here was not asked for. */
  configMaps: Readonly<Record<string, Looked>>;
  pods: Looked;
  deployments: Looked;
}

type FlagDiagnosis = 'flag-off' | 'flag-key-wrong' | 'flag-value-wrong' | 'restart-needed';

export interface FlagAnswer {
  state: 'on' | 'off' | 'unknown';
  /** What it was read from and what to do, in sentences for people. */
  evidence: readonly string[];
  diagnosis: readonly FlagDiagnosis[];
}

/** A container that runs the controller, or would. `startedAt` null: it is a template, or its start is not told. */
interface Controller {
  name: string;
  startedAt: number | null;
  words: readonly string[];
  env: readonly Json[];
  envFrom: readonly Json[];
}

/** The answer over all Pods of the controller; those that disagree make it unknown. Total. */
export function featureFlagOf(view: FeatureFlagView): FlagAnswer {
  const controllers = findControllers(view);
  if (controllers.length === 0) return withoutController(view);
  const answers = controllers.map((controller) => answerOf(controller, view));
  const states = new Set(answers.map((answer) => answer.state));
  const evidence = [...new Set(answers.flatMap((answer) => answer.evidence))];
  const diagnosis = [...new Set(answers.flatMap((answer) => answer.diagnosis))];
  const [state = 'unknown'] = states;
  if (states.size === 1) return { state, evidence, diagnosis };
  const sentence = `The Pods of ${flagController} do not agree; wait until a restart is through.`;
  return { state: 'unknown', evidence: [sentence, ...evidence], diagnosis };
}

/** Names of the ConfigMaps from which the controllers take the switch, so that they can be read as well. */
export function configMapsOfInterest(pods: Looked, deployments: Looked): readonly string[] {
  const names = findControllers({ pods, deployments }).flatMap(({ env, envFrom }) => [
    ...env
      .filter((entry) => entry.name === flagVariable)
      .map((entry) => text(record(record(entry.valueFrom).configMapKeyRef).name)),
    ...envFrom.map((entry) => text(record(entry.configMapRef).name)),
  ]);
  return [...new Set([flagConfigMap, ...names])].filter((name) => name !== '');
}

function findControllers({
  pods,
  deployments,
}: Pick<FeatureFlagView, 'pods' | 'deployments'>): readonly Controller[] {
  const running = objectsOf(pods).filter(isRunning).flatMap(controllersOfPod);
  if (running.length > 0) return running;
  return objectsOf(deployments).flatMap((deployment) => {
    const template = record(record(deployment.spec).template);
    const name = `Deployment ${text(record(deployment.metadata).name)}`;
    return containersOf(template).map((container) => controllerOf(name, null, container));
  });
}

function objectsOf(looked: Looked): readonly Json[] {
  return looked.kind === 'seen' ? looked.objects.map(record) : [];
}

function isRunning(pod: Json): boolean {
  const phase = text(record(pod.status).phase);
  const isGoing = record(pod.metadata).deletionTimestamp !== undefined;
  return !isGoing && phase !== 'Succeeded' && phase !== 'Failed';
}

function controllersOfPod(pod: Json): readonly Controller[] {
  const status = record(pod.status);
  const name = `Pod ${text(record(pod.metadata).name)}`;
  return containersOf(pod).map((container) => {
    const state = list(status.containerStatuses)
      .map(record)
      .find((candidate) => candidate.name === container.name);
    // A container that is started again inside its Pod takes its environment anew.
    const restartedAt = time(record(record(record(state).state).running).startedAt);
    return controllerOf(name, restartedAt ?? time(status.startTime), container);
  });
}

function containersOf(podOrTemplate: Json): readonly Json[] {
  return list(record(podOrTemplate.spec).containers)
    .map(record)
    .filter((container) => {
      const words = [...texts(container.command), ...texts(container.args)];
      const isNamed = text(container.name).includes('applicationset-controller');
      return isNamed || words.some((word) => word.includes(flagController));
    });
}

function controllerOf(name: string, startedAt: number | null, container: Json): Controller {
  return {
    name,
    startedAt,
    words: [...texts(container.command), ...texts(container.args)],
    env: list(container.env).map(record),
    envFrom: list(container.envFrom).map(record),
  };
}

function answerOf(controller: Controller, view: FeatureFlagView): FlagAnswer {
  const argument = controller.words.findLast(
    (word) => word === flagArgument || word.startsWith(`${flagArgument}=`),
  );
  if (argument !== undefined) {
    const value = argument === flagArgument ? 'true' : argument.slice(flagArgument.length + 1);
    return fixed(value, `the argument ${argument} of ${controller.name}`);
  }
  const variable = controller.env.findLast((entry) => entry.name === flagVariable);
  if (variable !== undefined) return answerOfVariable(variable, controller, view);
  const sources = controller.envFrom.toReversed().map((source) => answerOfSource(source, controller, view));
  const found = sources.find((answer) => answer !== null);
  if (found !== undefined) return found;
  return off(
    `${controller.name} has neither the argument ${flagArgument} nor the environment variable ${flagVariable}: RollingSync is ignored. Add the argument.`,
    ['flag-off'],
  );
}

/** What a ConfigMap or Secret taken whole as environment says; null when it says nothing. */
function answerOfSource(source: Json, controller: Controller, view: FeatureFlagView): FlagAnswer | null {
  const prefix = text(source.prefix);
  if (!flagVariable.startsWith(prefix)) return null;
  const name = text(record(source.configMapRef).name);
  if (name === '') {
    return unknown(`${controller.name} takes its environment from a Secret, which Stepback does not read.`);
  }
  const key = flagVariable.slice(prefix.length);
  const looked = configMapOf(view, name);
  if (looked.kind === 'seen' && textRecord(objectsOf(looked)[0]?.data)[key] === undefined) return null;
  return answerOfConfigMap(name, key, controller, view);
}

function answerOfVariable(variable: Json, controller: Controller, view: FeatureFlagView): FlagAnswer {
  const from = recordOrNull(variable.valueFrom);
  if (from === null) {
    return fixed(text(variable.value), `the environment variable ${flagVariable} of ${controller.name}`);
  }
  const reference = recordOrNull(from.configMapKeyRef);
  if (reference !== null) {
    return answerOfConfigMap(text(reference.name), text(reference.key), controller, view);
  }
  return unknown(
    `${controller.name} takes ${flagVariable} from a place that Stepback does not read (${Object.keys(from).join(', ')}).`,
  );
}

function answerOfConfigMap(
  name: string,
  key: string,
  controller: Controller,
  view: FeatureFlagView,
): FlagAnswer {
  const looked = configMapOf(view, name);
  if (looked.kind === 'hidden') return unknown(looked.why);
  const configMap = objectsOf(looked)[0];
  const value = textRecord(configMap?.data)[key];
  const where = `ConfigMap ${view.namespace}/${name}`;
  if (configMap === undefined || value === undefined) return keyMissing(where, key, configMap);
  const isSet = parseBool(value);
  if (isSet === null) return fixed(value, `the key ${key} of ${where}`);
  const change = changeOf(configMap, key);
  const isOlder = controller.startedAt !== null && change.at !== null && change.at > controller.startedAt;
  if (isSet && isOlder) {
    const sentence = `Progressive syncs are set in ${where} but not active: ${controller.name} started before the change and reads it only when it starts. Restart it: kubectl -n ${view.namespace} rollout restart deployment ${flagController}.`;
    const state = change.isOfThisKey ? 'off' : 'unknown';
    return { state, evidence: [sentence], diagnosis: ['restart-needed'] };
  }
  if (!isSet && isOlder) {
    return unknown(
      `${where} was changed after ${controller.name} started, which may still run with another value of ${key}.`,
    );
  }
  if (isSet && controller.startedAt === null && view.pods.kind === 'hidden') {
    return unknown(
      `Progressive syncs are set in ${where}; whether the controller was started since cannot be seen. ${view.pods.why}`,
    );
  }
  return fixed(value, `the key ${key} of ${where}`);
}

/** Nobody seems to run the controller, or nobody may look: what the ConfigMap alone can tell. */
function withoutController(view: FeatureFlagView): FlagAnswer {
  const looked = configMapOf(view, flagConfigMap);
  const hidden = [view.pods, view.deployments, looked].filter((one) => one.kind === 'hidden');
  const why = [...new Set(hidden.map((one) => one.why))];
  const where = `ConfigMap ${view.namespace}/${flagConfigMap}`;
  const configMap = objectsOf(looked)[0];
  if (configMap === undefined) {
    const sentence = `No ${flagController} and no ${where} is seen; check that Argo CD lives in namespace ${view.namespace}.`;
    return { state: 'unknown', evidence: why.length > 0 ? why : [sentence], diagnosis: [] };
  }
  const value = textRecord(configMap.data)[flagKey];
  const answer =
    value === undefined
      ? keyMissing(where, flagKey, configMap)
      : fixed(value, `the key ${flagKey} of ${where}`);
  // The argument of a controller that is not seen could say otherwise.
  const nobody = `No Pod of ${flagController} runs in namespace ${view.namespace}.`;
  const doubts = answer.state === 'on' && why.length === 0 ? [nobody] : why;
  if (doubts.length === 0) return answer;
  return { ...answer, state: 'unknown', evidence: [...answer.evidence, ...doubts] };
}

function keyMissing(where: string, key: string, configMap: Json | undefined): FlagAnswer {
  const similar = Object.keys(textRecord(configMap?.data)).filter(
    (other) => other !== key && /progressive/i.test(other),
  );
  const remedy = `Set ${key}: "true" there and restart ${flagController}.`;
  if (similar.length === 0) {
    const missing = configMap === undefined ? `${where} is not there` : `${where} has no key ${key}`;
    return off(`${missing}, so progressive syncs are off and RollingSync is ignored. ${remedy}`, [
      'flag-off',
    ]);
  }
  return off(
    `${where} has the key ${similar.join(', ')}, which Argo CD does not know, so RollingSync is ignored. ${remedy}`,
    ['flag-key-wrong', 'flag-off'],
  );
}

/** When the value of a key was changed last, as far as `managedFields` tell: per manager, not per key. */
function changeOf(configMap: Json, key: string): { at: number | null; isOfThisKey: boolean } {
  const metadata = record(configMap.metadata);
  const createdAt = time(metadata.creationTimestamp);
  const entries = list(metadata.managedFields).map((value) => {
    const entry = record(value);
    const fields = recordOrNull(entry.fieldsV1);
    const keys = Object.keys(record(record(fields)['f:data'])).filter((field) => field.startsWith('f:'));
    return { at: time(entry.time), owns: fields === null || keys.includes(`f:${key}`), keys: keys.length };
  });
  const owners = entries.filter((entry) => entry.owns && entry.at !== null);
  const newest = owners.sort((one, other) => (other.at ?? 0) - (one.at ?? 0))[0];
  if (newest === undefined) return { at: createdAt, isOfThisKey: true };
  return { at: newest.at, isOfThisKey: newest.keys <= 1 || newest.at === createdAt };
}

function configMapOf(view: FeatureFlagView, name: string): Looked {
  return (
    view.configMaps[name] ?? { kind: 'hidden', why: `ConfigMap ${view.namespace}/${name} was not read.` }
  );
}

/** A value that is in force. An unreadable one counts as the default, off, with a line in the controller's log. */
function fixed(value: string, source: string): FlagAnswer {
  const isSet = parseBool(value);
  if (isSet === true) {
    return { state: 'on', evidence: [`Progressive syncs are on by ${source}.`], diagnosis: [] };
  }
  if (isSet === false) {
    return off(`Progressive syncs are off by ${source}: RollingSync is ignored. Set it to true.`, [
      'flag-off',
    ]);
  }
  return off(
    `The value of ${source} is neither true nor false, so progressive syncs are off and RollingSync is ignored. Write "true".`,
    ['flag-value-wrong', 'flag-off'],
  );
}

function off(sentence: string, diagnosis: readonly FlagDiagnosis[]): FlagAnswer {
  return { state: 'off', evidence: [sentence], diagnosis };
}

function unknown(sentence: string): FlagAnswer {
  return { state: 'unknown', evidence: [sentence], diagnosis: [] };
}

/** Go's strconv.ParseBool, by which Argo CD reads the variable and the argument; null for anything else. */
function parseBool(value: string): boolean | null {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) return false;
  return null;
}
