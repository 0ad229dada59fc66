/**
 * Comparing resourceVersions. They are decimal and grow, since Kubernetes 1.35 also by contract
 * (https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/5504-comparable-resource-version).
 */

const decimal = /^[0-9]+$/;

/** True when `version` is certainly older than `than`; anything that is not decimal is not compared. */
export function isOlderVersion(version: string, than: string): boolean {
  if (!decimal.test(version) || !decimal.test(than)) return false;
  if (version.length !== than.length) return version.length < than.length;
  return version < than;
}
