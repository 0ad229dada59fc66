/** Every variable that Stepback reads, in words for people. The README's table and the manifests are held against it. */
import { defaultPolicy, type Policy } from '../domain/policy.ts';

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
  STEPBACK_HOST_ALIASES: setting(
    'Other names of the GitHub host in `repoURL`, such as SSH aliases: `work.github.com=github.com`.',
    'none',
  ),
  STEPBACK_GRACE_SECONDS: setting(
    'How long an Application is Degraded before it counts as failed.',
    seconds('graceMs'),
  ),
  STEPBACK_BAKE_SECONDS: setting(
    'How long after Healthy a degradation still counts against the commit.',
    seconds('bakeMs'),
  ),
  STEPBACK_STALLED_SECONDS: setting('Progressing for so long is told to people.', seconds('stalledMs')),
  STEPBACK_STUCK_SECONDS: setting('A sync that runs for so long is told to people.', seconds('stuckMs')),
  STEPBACK_UNNOTICED_SECONDS: setting(
    'Out of sync for so long with no sync coming is told to people.',
    seconds('unnoticedMs'),
  ),
  STEPBACK_SYNC_ATTEMPTS: setting(
    'So many failed attempts make a sync failed.',
    `\`${defaultPolicy.syncAttempts}\``,
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export type Variables = Readonly<Record<string, string | undefined>>;

function setting(meaning: string, fallback: string): Setting {
  return { meaning, fallback };
}

function seconds(key: keyof Policy): string {
  return `\`${defaultPolicy[key] / 1000}\``;
}
