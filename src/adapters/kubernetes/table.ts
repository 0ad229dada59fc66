/**
 * Reading the API server's own Tables: rows of cells, and beside each the object's metadata. Columns come from the
 * custom resource definition, which people change, so they are found by what they say of themselves and never by
 * their place. A list of whole objects is read as well, for servers and proxies that make no Tables.
 */
import type { ApplicationRow } from '../../domain/objects.ts';
import { type Json, list, record, text, textRecord } from '../../domain/read.ts';
import { readOwner, readRevisions } from '../../domain/read-application.ts';

/** Asks for a Table; a server that makes none answers with plain JSON. */
export const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Where the cells of interest are; -1 where there is no such column. */
interface Columns {
  sync: number;
  health: number;
  revision: number;
}

const noColumns: Columns = { sync: -1, health: -1, revision: -1 };

/** Equal texts, labels and owners are kept once: a fleet has few different ones. */
const sharedMax = 20_000;

/**
 * Reads rows, one reader a feed. It remembers the columns of the last Table, because a watch need not repeat them, and
 * shares equal values between rows.
 */
export class RowReader {
  #columns = noColumns;
  #definitions = '';
  readonly #texts = new Map<string, string>();
  readonly #labels = new Map<string, Readonly<Record<string, string>>>();
  readonly #owners = new Map<string, { name: string; uid: string }>();

  /**
   * The rows of a Table, of a list of whole objects, or of one object. Total but for a row without a name, which is
   * left out: `unreadable` counts those.
   */
  read(object: Json): { items: ApplicationRow[]; unreadable: number } {
    const values = this.#rowsOf(object);
    const items = values.filter((row) => row !== null);
    return { items, unreadable: values.length - items.length };
  }

  #rowsOf(object: Json): (ApplicationRow | null)[] {
    if (object.kind === 'Table') {
      this.#learnColumns(object.columnDefinitions);
      return list(object.rows).map((row) => this.#rowOfTable(record(row)));
    }
    if (Array.isArray(object.items)) return object.items.map((item) => this.#rowOfObject(record(item)));
    return [this.#rowOfObject(object)];
  }

  #learnColumns(value: unknown): void {
    const definitions = list(value).map((definition) => ({
      name: text(record(definition).name),
      description: text(record(definition).description),
    }));
    if (definitions.length === 0) return;
    const signature = JSON.stringify(definitions);
    if (signature === this.#definitions) return;
    this.#definitions = signature;
    const find = (path: string, names: readonly string[]) => {
      const byPath = definitions.findIndex(({ description }) => description.endsWith(`: ${path}`));
      if (byPath !== -1) return byPath;
      return definitions.findIndex(({ name }) => names.includes(name.toLowerCase().replace(/[^a-z]/g, '')));
    };
    this.#columns = {
      sync: find('.status.sync.status', ['syncstatus', 'sync']),
      health: find('.status.health.status', ['healthstatus', 'health']),
      revision: find('.status.sync.revision', ['revision', 'syncrevision']),
    };
  }

  #rowOfTable(row: Json): ApplicationRow | null {
    const cells = list(row.cells);
    const { sync, health, revision } = this.#columns;
    return this.#row(record(record(row.object).metadata), {
      syncStatus: text(cells[sync]),
      healthStatus: text(cells[health]),
      revision: text(cells[revision]),
    });
  }

  #rowOfObject(object: Json): ApplicationRow | null {
    const status = record(object.status);
    const sync = record(status.sync);
    return this.#row(record(object.metadata), {
      syncStatus: text(sync.status),
      healthStatus: text(record(status.health).status),
      revision: readRevisions(sync)[0] ?? '',
    });
  }

  #row(
    metadata: Json,
    cells: Pick<ApplicationRow, 'syncStatus' | 'healthStatus' | 'revision'>,
  ): ApplicationRow | null {
    const name = text(metadata.name);
    if (name === '') return null;
    const owner = readOwner(metadata);
    const labels = textRecord(metadata.labels);
    return {
      key: `${text(metadata.namespace)}/${name}`,
      uid: text(metadata.uid),
      resourceVersion: text(metadata.resourceVersion),
      owner: owner === null ? null : shared(this.#owners, `${owner.name}\n${owner.uid}`, owner),
      labels: shared(this.#labels, JSON.stringify(labels), labels),
      syncStatus: shared(this.#texts, cells.syncStatus, cells.syncStatus),
      healthStatus: shared(this.#texts, cells.healthStatus, cells.healthStatus),
      revision: shared(this.#texts, cells.revision, cells.revision),
    };
  }
}

function shared<Value>(pool: Map<string, Value>, key: string, value: Value): Value {
  const known = pool.get(key);
  if (known !== undefined) return known;
  if (pool.size >= sharedMax) pool.clear();
  pool.set(key, value);
  return value;
}

/** The version that a list, an event or a bookmark carries, "" when it carries none. */
export function versionOf(object: Json): string {
  const own = text(record(object.metadata).resourceVersion);
  return own === '' && object.kind === 'Table' ? text(metadataOfFirstRow(object).resourceVersion) : own;
}

/** Whether a bookmark says that the initial events of a streamed list are all there. */
export function endsInitialEvents(object: Json): boolean {
  const metadata = object.kind === 'Table' ? metadataOfFirstRow(object) : record(object.metadata);
  return textRecord(metadata.annotations)['k8s.io/initial-events-end'] === 'true';
}

/** A bookmark is a Table whose only row carries the version. */
function metadataOfFirstRow(table: Json): Json {
  return record(record(record(list(table.rows)[0]).object).metadata);
}
