/**
 * The server's own Tables (`Accept: application/json;as=Table;v=v1;g=meta.k8s.io`) and bare metadata, on lists, single objects and
 * watches. Columns and cells as in apiextensions-apiserver's tableconvertor; held against recorded Tables.
 */
import { valueAtPath } from './json-path.ts';
import type { StoredObject } from './objects.ts';
import type { PrinterColumn, ResourceDefinition } from './resources.ts';
import { badRequest, StoreProblem } from './store-problem.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** What the client wants to see: whole objects, a Table, or metadata alone. */
export type View = { as: 'objects' } | { as: 'table'; includeObject: IncludeObject } | { as: 'metadata' };

export interface ListMetadata {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may ' +
  'allow a client to request the generation of an appropriate name automatically. Name is primarily intended for ' +
  'creation idempotence and configuration definition. Cannot be updated. More info: ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';

/**
 * The view that the Accept header and `includeObject` ask for: the first media type that is served wins. Throws a
 * StoreProblem 406 when none is, 400 for an unknown `includeObject`.
 */
export function viewOf(accept: string | undefined, includeObject: string | null): View {
  for (const mediaType of (accept ?? '*/*').split(',')) {
    const [type, ...parameters] = mediaType.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type!)) continue;
    const values = new Map(parameters.map((parameter) => parameter.split('=') as [string, string]));
    const as = values.get('as');
    if (as === undefined) return { as: 'objects' };
    if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') continue;
    if (as === 'Table') return { as: 'table', includeObject: included(includeObject) };
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { as: 'metadata' };
  }
  const message = 'only the following media types are accepted: application/json';
  throw new StoreProblem(406, 'NotAcceptable', message);
}

function included(asked: string | null): IncludeObject {
  if (asked === null || asked === '') return 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: "${asked}": must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** A Table of these objects. `headers` false leaves the column definitions out, as every watch event after the first. */
export function tableOf(
  definition: ResourceDefinition,
  objects: readonly object[],
  metadata: ListMetadata,
  options: { includeObject: IncludeObject; headers: boolean; nowMs: number },
): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: options.headers ? columnsOf(definition) : null,
    rows: objects.map((object) => ({
      cells: cellsOf(definition, object as StoredObject, options.nowMs),
      object: rowObject(object as StoredObject, options.includeObject),
    })),
  };
}

/** Only the metadata of an object. */
export function metadataOf(object: StoredObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

function rowObject(object: StoredObject, includeObject: IncludeObject): object | null {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : metadataOf(object);
}

function columnsOf(definition: ResourceDefinition): object[] {
  const custom = definition.columns.map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description:
      column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
    priority: column.priority ?? 0,
  }));
  return [
    { name: 'Name', type: 'string', format: 'name', description: NAME_DESCRIPTION, priority: 0 },
    ...custom,
  ];
}

/** A bookmark has no name and no values: its cells are an empty string and nulls (recorded). */
function cellsOf(definition: ResourceDefinition, object: StoredObject, nowMs: number): unknown[] {
  return [object.metadata.name ?? '', ...definition.columns.map((column) => cellOf(column, object, nowMs))];
}

function cellOf(column: PrinterColumn, object: StoredObject, nowMs: number): unknown {
  const value = valueAtPath(object, column.jsonPath);
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageInWords(value, nowMs) : null;
    default:
      return null;
  }
}

/** An age as kubectl shows it, k8s.io/apimachinery/pkg/util/duration.HumanDuration. */
function ageInWords(timestamp: string, nowMs: number): string {
  const ageSeconds = Math.floor((nowMs - Date.parse(timestamp)) / 1000);
  if (Number.isNaN(ageSeconds) || ageSeconds < -1) return '<invalid>';
  if (ageSeconds < 0) return '0s';
  if (ageSeconds < 120) return `${ageSeconds}s`;
  const minutes = Math.floor(ageSeconds / 60);
  if (minutes < 10) return inTwo(minutes, 'm', ageSeconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return inTwo(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return inTwo(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? inTwo(years, 'y', days % 365, 'd') : `${years}y`;
}

function inTwo(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
