/**
 * What Argo CD's messages mean. Trouble of a destination, of the network and of a commit all arrive as a
 * ComparisonError; only the words tell them apart. The words are those of the recordings and of the cases
 * named beside each pattern. An unknown message is never blamed on a commit.
 */

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
  /** The kind of an object is not installed in the destination (PS05). */
  | 'missing-kind'
  | 'other';

const patterns: readonly (readonly [MessageMeaning, RegExp])[] = [
  ['sync-window', /blocked by sync window/i],
  ['terminated', /operation terminated/i],
  ['health-script', /error setting app health|failed to get resource health/i],
  [
    'destination',
    /failed to get cluster info|failed to get cluster version|failed to get server version|failed to load live state|error synchronizing cache state|there are no clusters with this name|cluster .{0,200} (?:not found|has not been configured|is disabled)|application destination .{0,200} (?:does not exist|not permitted)|the server has asked for the client to provide credentials|failed to get server groups/i,
  ],
  [
    'transport',
    /connection reset|connection refused|i\/o timeout|context deadline exceeded|deadlineexceeded|code = unavailable|tls handshake timeout|no such host|temporary failure in name resolution|\b50[234]\b (?:bad gateway|service unavailable|gateway time-?out)|too many requests|failed to list refs|authentication required|repository not found|unable to resolve .{0,200} to a commit/i,
  ],
  [
    'render',
    /failed to generate manifest|manifest generation error|failed to load target state|app path does not exist/i,
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
