/**
 * What the API server refuses, in its own words. The sentences and reasons are those of
 * k8s.io/apimachinery/pkg/api/errors; conflict and forbidden are held against recorded answers.
 */
import type { ResourceDefinition } from './resources.ts';

export type ProblemReason =
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Invalid'
  | 'BadRequest'
  | 'Expired'
  | 'Forbidden'
  | 'Unauthorized'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'Timeout'
  | 'InternalError'
  | 'UnsupportedMediaType'
  | 'NoSuchKind';

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  retryAfterSeconds?: number;
  causes?: { reason?: string; message: string; field?: string }[];
}

/** A refusal with its HTTP status code. `NoSuchKind` is the one that is answered as plain text. */
export class StoreProblem extends Error {
  override name = 'StoreProblem';
  readonly code: number;
  readonly reason: ProblemReason;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: ProblemReason, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

export type ResourceName = Pick<ResourceDefinition, 'group' | 'plural'>;

/** `applications.argoproj.io`, or the bare plural for the core group. */
export function qualified(resource: ResourceName): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  return { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural };
}

export function notFound(resource: ResourceName, name: string): StoreProblem {
  const message = `${qualified(resource)} "${name}" not found`;
  return new StoreProblem(404, 'NotFound', message, detailsOf(resource, name));
}

export function alreadyExists(resource: ResourceName, name: string): StoreProblem {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new StoreProblem(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(
  resource: ResourceName,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): StoreProblem {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new StoreProblem(409, 'Conflict', message, detailsOf(resource, name));
}

export function invalid(
  resource: Pick<ResourceDefinition, 'group' | 'kind'>,
  name: string,
  faults: { field: string; message: string }[],
): StoreProblem {
  const sentences = faults.map((fault) => `${fault.field}: ${fault.message}`);
  const list = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`;
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`;
  return new StoreProblem(422, 'Invalid', `${kind} "${name}" is invalid: ${list}`, {
    name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.kind,
    causes: faults.map((fault) => ({
      reason: 'FieldValueInvalid',
      message: fault.message,
      field: fault.field,
    })),
  });
}

export function badRequest(message: string): StoreProblem {
  return new StoreProblem(400, 'BadRequest', message);
}

/** The resource is not served here: the custom resource definition is missing. */
export function noSuchKind(): StoreProblem {
  return new StoreProblem(404, 'NoSuchKind', '404 page not found');
}
