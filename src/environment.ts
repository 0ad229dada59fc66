/**
 * Everything that Stepback is told by its environment, read and checked at once into one typed value. This is the
 * only reader of `process.env`. All faults are found in one go, so that nobody has to start five times to hear of
 * five; a name that nobody knows is a fault too, because a misspelt brake would silently be no brake.
 */
import type { PartialSettings } from './config/configuration.ts';
import {
  type ClusterSettings,
  type KubeconfigPlace,
  readClusters,
  readKubeconfig,
} from './environment/clusters.ts';
import {
  readApiUrl,
  readAppId,
  readHostAliases,
  readProxy,
  readWebhookSecret,
} from './environment/github.ts';
import { readLimits } from './environment/limits.ts';
import { readPrivateKey } from './environment/private-key.ts';
import { Reader } from './environment/reader.ts';
import {
  type LogLevel,
  type Replica,
  readLogLevel,
  readPort,
  readReplica,
  readWebhookPath,
} from './environment/server.ts';
import type { Variables } from './environment/settings.ts';
import { unknownNames } from './environment/unknown-names.ts';

export interface Environment {
  appId: string;
  /** PEM. Read anew from its file each time, so that a key can be changed while we run. */
  privateKey: () => string;
  webhookSecret: string;
  webhookPath: string;
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  apiUrl: string;
  /** Other names of the GitHub host in `repoURL`: alias → host. */
  hostAliases: Readonly<Record<string, string>>;
  proxy: { url: string; except: string } | null;
  kubeconfig: KubeconfigPlace;
  /** At least one; their names differ, also in the names of branches. */
  clusters: readonly ClusterSettings[];
  /** What no file goes beyond: what was set, and nothing that is a default. */
  limits: PartialSettings;
  /** Nothing is changed on GitHub or in a cluster; people are told why. */
  isStopped: boolean;
  port: number;
  /** All addresses of the machine when undefined. */
  host: string | undefined;
  logLevel: LogLevel;
  replica: Replica;
}

export type Reading =
  | { environment: Environment; faults: readonly [] }
  | { environment: null; faults: readonly string[] };

/**
 * Reads it all, the files it names too. Never throws: each fault is a sentence or two that say what is wrong and what
 * to do. `environment/settings.ts` lists the names.
 */
export function readEnvironment(variables: Variables = process.env): Reading {
  const reader = new Reader(variables);
  const environment: Environment = {
    appId: readAppId(reader),
    privateKey: readPrivateKey(reader),
    webhookSecret: readWebhookSecret(reader),
    webhookPath: readWebhookPath(reader),
    apiUrl: readApiUrl(reader),
    hostAliases: readHostAliases(reader),
    proxy: readProxy(reader),
    kubeconfig: readKubeconfig(reader),
    clusters: readClusters(reader),
    limits: readLimits(reader),
    isStopped: reader.oneOf('STEPBACK_STOP', ['true', 'false']) === 'true',
    port: readPort(reader),
    host: reader.text('HOST') ?? undefined,
    logLevel: readLogLevel(reader),
    replica: readReplica(reader),
  };
  const faults = [...reader.faults, ...unknownNames(variables)];
  return faults.length === 0 ? { environment, faults: [] } : { environment: null, faults };
}
