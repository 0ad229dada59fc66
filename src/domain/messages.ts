/**
 * What Argo CD's messages mean. Trouble of a destination, of the network and of a commit all arrive as a
 * ComparisonError; only the words tell them apart. The words are those of the recordings and of the cases
 * named beside each pattern. An unknown message is never blamed on a commit.
 */

import type { OperationState } from './objects.ts';

export type MessageMeaning =
  /** The commit cannot be turned into manifests. */
  | 'render'
  /** The destination cluster cannot be reached or refuses us (recording cluster-unreachable). */
  | 'destination'
  /** The repository or a controller could not be reached just now (PS16). */
  | 'transport'
  /** A health script crashed; every sync of the Application ends in Error then (PS18). */
  | 'health-script'
  /** A deny window holds the sync (PS12, recording sync-window). */
  | 'sync-window'
  /** A person or a controller ended the operation: no failed attempt. */
  | 'terminated'
  /** Argo CD's own settings are in the way: a project, an account to act as. */
  | 'settings'
  /** The kind of an object is not installed in the destination (PS05). */
  | 'missing-kind'
  | 'other';

/**
 * Words that only a renderer finds, when all it needs has been fetched. What such a message quotes, a value that reads
 * "connection refused", says nothing about the network.
 */
const certainRender =
  /execution error at \(|template: \S{1,300}:\d{1,7}:\d{1,7}:|parse error at \(|error converting yaml to json|yaml: line \d|failed to unmarshal "|failed to evaluate jsonnet|values don't meet the specifications of the schema/i;

const patterns: readonly (readonly [MessageMeaning, RegExp])[] = [
  ['sync-window', /blocked by sync window/i],
  ['terminated', /operation (?:is )?terminat(?:ed|ing)/i],
  ['health-script', /error setting app health|failed to get resource health/i],
  [
    'destination',
    /failed to get cluster info|failed to get cluster version|failed to get server version|failed to load live state|failed to get destination cluster|error getting cluster rest config|error synchronizing cache state|there are no clusters with this name|cluster "?[^ ]{0,200}"? (?:not found|has not been configured|is disabled)|application destination .{0,200} (?:does not exist|not permitted)|the server has asked for the client to provide credentials|failed to get server groups|failed calling webhook/i,
  ],
  ['render', certainRender],
  [
    'transport',
    /connection reset|connection refused|connection error|i\/o timeout|context deadline exceeded|context canceled|deadlineexceeded|code = (?:unavailable|canceled|resourceexhausted)|tls handshake timeout|no such host|no route to host|network is unreachable|temporary failure in name resolution|server misbehaving|unexpected status code 5\d\d|\b50[0234]\b:? (?:internal server error|bad gateway|service unavailable|gateway time-?out)|too many requests|failed to list refs|authentication required|authentication failed|repository not found|repository not accessible|could not read from remote repository|could not read username|ssh: |tls: |x509: |unable to resolve .{0,200} to a commit|failed to connect to repo server|error creating (?:git|oci) client|\btimed out\b|\btimeout (?:after|exceeded|running|expired)|client\.timeout|: timeout\b|error acquiring repo(?:sitory)? lock/i,
  ],
  [
    'settings',
    /failed to load application project|service account to impersonate|impersonation enforcement/i,
  ],
  [
    'render',
    /failed to generate manifest|manifest generation error|failed to load target state|failed to unmarshal manifests|app path does not exist/i,
  ],
  [
    'missing-kind',
    /could not find .{0,300} for requested resource|no matches for kind|make sure the .{0,200} crd is installed/i,
  ],
];

/** The first meaning whose words the message holds, in the order of what must not be mistaken for a commit's fault. */
export function meaningOf(message: string): MessageMeaning {
  return patterns.find(([, pattern]) => pattern.test(message))?.[0] ?? 'other';
}

/**
 * What an attempt failed by. The message of the operation can be general while every refused resource says that nobody
 * was reached.
 */
export function meaningOfFailure(operation: OperationState): MessageMeaning {
  const meaning = meaningOf(operation.message);
  if (meaning !== 'other') return meaning;
  const refused = (operation.result?.resources ?? [])
    .filter((resource) => resource.status === 'SyncFailed')
    .map((resource) => meaningOf(resource.message));
  const [first] = refused;
  const isShared = first !== undefined && refused.every((one) => one === first);
  return isShared && (first === 'destination' || first === 'transport') ? first : meaning;
}
