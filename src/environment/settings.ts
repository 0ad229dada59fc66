/** Every variable that Stepback reads, in words for people. The README's table and the manifests are held against it. */
import type { Settings } from '../config/configuration.ts';
import { keys } from '../config/keys.ts';

export interface Setting {
  meaning: string;
  /** What stands when it is not set. */
  fallback: string;
}

/** By name. An empty value counts as none. */
export const settings = {
  APP_ID: setting("The GitHub App's number, or its client id.", 'required'),
  PRIVATE_KEY: setting(
    "The App's private key: PEM as it is, PEM with `\\n` for its line ends, or base64.",
    'required, or PRIVATE_KEY_PATH',
  ),
  PRIVATE_KEY_PATH: setting(
    'A file with that key. It is read again for each use, so the key can be changed.',
    'none',
  ),
  WEBHOOK_SECRET: setting(
    "The webhook secret of the App's settings page. Webhooks without it are refused.",
    'required',
  ),
  GITHUB_API_URL: setting(
    'The API of GitHub: `https://HOST/api/v3` for an Enterprise Server.',
    '`https://api.github.com`',
  ),
  GHE_HOST: setting('The host of an Enterprise Server, in place of `GITHUB_API_URL`.', 'none'),
  HTTPS_PROXY: setting('A proxy on the way to GitHub: `http://user:password@proxy:3128`.', 'none'),
  NO_PROXY: setting('Hosts that are reached without the proxy: `localhost,.example.com`.', 'none'),
  KUBECONFIG: setting('A kubeconfig file.', "the Pod's own cluster, else `~/.kube/config`"),
  PORT: setting('The port for webhooks, the status page, metrics and health.', '`3000`'),
  HOST: setting('The address to listen on.', 'all'),
  LOG_LEVEL: setting('`info`, `warn` or `silent`.', '`info`'),
  WEBHOOK_PATH: setting('Where GitHub sends webhooks to.', '`/api/github/webhooks`'),
  STEPBACK_INSTANCE: setting(
    'The name of this Argo CD in branches, comments and records: letters, digits and dashes. Two that watch one repository need two names.',
    "the context's name",
  ),
  STEPBACK_CONTEXTS: setting(
    'Several Argo CDs: contexts of the kubeconfig, with a name each: `prod=arn:aws:eks:…,dev=kind-dev`.',
    'the current one',
  ),
  STEPBACK_ARGOCD_NAMESPACE: setting(
    'Where Argo CD is installed. With several contexts one for all, or one for each in their order.',
    '`argocd`',
  ),
  STEPBACK_NAMESPACES: setting(
    'Only these namespaces are watched for Applications and ApplicationSets.',
    'all that it may see',
  ),
  STEPBACK_REPLICA: setting(
    'The name of this replica; of several one acts. In Kubernetes the name of the Pod.',
    'the name of the host',
  ),
  STEPBACK_POD_IP: setting(
    'Where the other replicas reach this one, at `PORT`: the address of the Pod. Without it webhooks are not passed on to the replica that acts, and it finds out a little later.',
    'none',
  ),
  STEPBACK_LEASE_SECONDS: setting(
    'How long a replica that acts may be silent before another acts in its place.',
    '`15`',
  ),
  STEPBACK_HOST_ALIASES: setting(
    'Other names of the GitHub host in `repoURL`, such as SSH aliases: `work.github.com=github.com`.',
    'none',
  ),
  STEPBACK_STOP: setting(
    'The kill switch of the installation: `true` stops everything but words. It is read at the start.',
    '`false`',
  ),
  STEPBACK_MODE: limit('mode'),
  STEPBACK_GRACE_SECONDS: limit('graceMs'),
  STEPBACK_BAKE_SECONDS: limit('bakeMs'),
  STEPBACK_STALLED_SECONDS: limit('stalledMs'),
  STEPBACK_STUCK_SECONDS: limit('stuckMs'),
  STEPBACK_UNNOTICED_SECONDS: limit('unnoticedMs'),
  STEPBACK_FAILURE_TOO_OLD_SECONDS: limit('failureAgeMsMax'),
  STEPBACK_CULPRIT_TOO_OLD_SECONDS: limit('culpritAgeMsMax'),
  STEPBACK_SYNC_ATTEMPTS: limit('syncAttempts'),
  STEPBACK_REVERTS_PER_DAY: limit('revertsPerInstallationMax'),
  STEPBACK_REPOSITORY_REVERTS_PER_DAY: limit('revertsPerRepositoryMax'),
  STEPBACK_APPLICATION_SET_REVERTS_PER_DAY: limit('revertsPerApplicationSetMax'),
  STEPBACK_AUTO_MERGES_PER_DAY: limit('autoMergesMax'),
  STEPBACK_CONTAIN: limit('contain'),
  STEPBACK_RECOVER: limit('recover'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export type Variables = Readonly<Record<string, string | undefined>>;

function setting(meaning: string, fallback: string): Setting {
  return { meaning, fallback };
}

/** A key of the configuration that the environment may set; `limits.ts` reads it. */
function limit(name: keyof Settings): Setting {
  const { meaning, fallback } = keys[name];
  return setting(
    meaning,
    `\`${name.endsWith('Ms') || name.endsWith('MsMax') ? Number(fallback) / 1000 : fallback}\``,
  );
}
