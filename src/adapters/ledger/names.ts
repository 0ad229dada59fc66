/** Names of objects, made from what people and clusters named: readable where possible, always valid, never two for one. */
import { createHash } from 'node:crypto';

/** RFC 1123, as Kubernetes wants it of the name of a custom resource. */
const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const nameLengthMax = 253;
const slugLengthMax = 52;

/**
 * `text` itself when it is a valid name, else its readable part with a digest of the whole. That two texts get one name
 * takes a digest of ten digits to be met; who reads an object checks whom it is about all the same.
 */
export function objectName(text: string): string {
  if (validName.test(text) && text.length <= nameLengthMax) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugLengthMax)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? `x-${digest}` : `${slug}-${digest}`;
}

/** Of the Lease that says which replica acts: two instances that share a namespace have one each. */
export function leaseName(instance: string): string {
  return instance === 'argocd' ? 'stepback' : objectName(`stepback-${instance}`);
}
