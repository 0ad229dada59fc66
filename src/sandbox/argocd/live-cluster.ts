/**
 * A destination cluster: the objects that Applications have put there, how healthy each is, and whether the cluster can
 * be reached. Whoever watches it learns that something about an Application's objects changed, as Argo CD does from its
 * cluster cache; a cluster that cannot be reached tells nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { groupOf, isHook, type Manifest, objectKey } from './manifests.ts';
import type { Cluster } from './objects.ts';
import { type Health, healthAt, healthChanges, refusal } from './workload.ts';

export interface LiveObject {
  manifest: Manifest;
  /** `namespace/name` of the Application that manages it. */
  application: string;
  /** The revisions of the sync that gave it this content. */
  revisions: readonly string[];
  /** Since when it has this content. */
  since: number;
  /** What happens to it at run time, against what its manifest says. */
  override?: HealthOverride;
}

export interface HealthOverride extends Health {
  /** It stays when other content is applied: the trouble is not in the content (sick-before-the-change). */
  isLasting?: boolean;
}

export type Applied = { message: string } | { refusal: string };

export class LiveCluster {
  readonly name: string;
  readonly server: string;
  readonly #clock: Clock;
  readonly #onChange: (application: string) => void;
  readonly #objects = new Map<string, LiveObject>();
  readonly #meddled = new Set<string>();
  #isReachable = true;

  constructor(cluster: Cluster, clock: Clock, onChange: (application: string) => void) {
    this.name = cluster.name;
    this.server = cluster.server;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** The credentials stop working, or work again. Nobody is told: Argo CD finds out at its next look. */
  setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
  }

  /** Something in the cluster changes what this Application (`namespace/name`) applies, as an admission webhook does. */
  setMeddled(application: string, isMeddled: boolean): void {
    if (isMeddled) this.#meddled.add(application);
    else this.#meddled.delete(application);
  }

  /** The objects of one Application, or of all. */
  objects(application?: string): LiveObject[] {
    const all = [...this.#objects.values()];
    return application === undefined ? all : all.filter((object) => object.application === application);
  }

  /** The object with the key of the manifest, whoever manages it. */
  find(manifest: Manifest): LiveObject | undefined {
    return this.#objects.get(objectKey(manifest));
  }

  /** Health now; undefined for kinds that have none. */
  health(object: LiveObject): Health | undefined {
    return object.override ?? healthAt(object.manifest, this.name, this.#clock.now() - object.since);
  }

  /** Applies a manifest; answers with kubectl's words, or with the refusal of the API server. */
  apply(application: string, asked: Manifest, revisions: readonly string[]): Applied {
    const reason = refusal(asked, this.name);
    if (reason !== undefined) return { refusal: reason };
    const manifest = this.#meddled.has(application) ? meddledWith(asked) : asked;
    const key = objectKey(manifest);
    const before = this.#objects.get(key);
    const group = groupOf(manifest);
    const what = `${manifest.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${manifest.metadata.name}`;
    if (
      before !== undefined &&
      before.application === application &&
      isDeepStrictEqual(before.manifest, manifest)
    ) {
      before.revisions = revisions;
      return { message: `${what} unchanged` };
    }
    const override = before?.override?.isLasting ? before.override : undefined;
    const object: LiveObject = { manifest, application, revisions, since: this.#clock.now(), override };
    this.#objects.set(key, object);
    this.#tell(object);
    for (const ms of healthChanges(manifest, this.name)) {
      this.#clock.after(ms, () => {
        if (this.#objects.get(key) === object) this.#tell(object);
      });
    }
    return { message: `${what} ${before === undefined ? 'created' : 'configured'}` };
  }

  /** Takes an object away. */
  remove(object: LiveObject): void {
    if (this.#objects.delete(objectKey(object.manifest))) this.#tell(object);
  }

  /**
   * Something happens to the objects of an Application at run time, or is over (undefined). Ordinary resources are
   * meant unless `hooks` says so. Returns how many objects it happened to.
   */
  override(application: string, override: HealthOverride | undefined, hooks = false): number {
    const affected = this.objects(application).filter(({ manifest }) => isHook(manifest) === hooks);
    for (const object of affected) {
      object.override = override;
      this.#tell(object);
    }
    return affected.length;
  }

  #tell(object: LiveObject): void {
    if (this.#isReachable) this.#onChange(object.application);
  }
}

function meddledWith(manifest: Manifest): Manifest {
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, 'sidecar.acme.example/injected': 'true' };
  return { ...manifest, metadata: { ...metadata, annotations } };
}
