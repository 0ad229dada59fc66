/**
 * `npm run bench`: what one event costs at three sizes of fleet, what an Application weighs in memory, and how many
 * requests lie between a verdict and the open pull request. Timings belong here and never in a test.
 */
import { Radar } from '../src/adapters/kubernetes/radar.ts';
import { RowReader } from '../src/adapters/kubernetes/table.ts';
import { noFacts } from '../src/domain/content.ts';
import type { Application, ApplicationSet } from '../src/domain/objects.ts';
import { defaultPolicy } from '../src/domain/policy.ts';
import { readApplication } from '../src/domain/read-application.ts';
import { readApplicationSet } from '../src/domain/read-application-set.ts';
import {
  answerOf,
  emptyStageMemory,
  rememberAll,
  type Sighting,
  type StageMemory,
} from '../src/domain/watcher.ts';
import { bad, perSet, rawApplication, rawRow, rawSet } from './fleet.ts';
import { requestsToPullRequest } from './requests.ts';

const start = Date.parse('2026-12-01T10:00:00Z');
const columns = ['Name', 'Sync Status', 'Health Status', 'Revision', 'Project'].map((name) => ({ name }));

/** The state a running Stepback holds of a fleet. */
interface Fleet {
  radar: Radar;
  reader: RowReader;
  sets: ApplicationSet[];
  applications: Application[][];
  memories: StageMemory[];
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the bench made an object that cannot be read');
  return value;
}

function fleetOf(applications: number): Fleet {
  const fleet: Fleet = {
    radar: new Radar(() => {}),
    reader: new RowReader(),
    sets: [],
    applications: [],
    memories: [],
  };
  for (let set = 0; set < applications / perSet; set += 1) {
    fleet.sets.push(present(readApplicationSet(rawSet(set))));
    fleet.applications.push([]);
    fleet.memories.push(emptyStageMemory);
    for (let index = 0; index < perSet; index += 1) takeRow(fleet, rawApplication(set, index, 1));
  }
  return fleet;
}

function takeRow(fleet: Fleet, application: Record<string, unknown>): void {
  for (const row of fleet.reader.read({
    kind: 'Table',
    columnDefinitions: columns,
    rows: [rawRow(application)],
  }).items)
    fleet.radar.index.changed(row);
}

/** A watch event of one Application, up to the answer of its ApplicationSet. Returns milliseconds. */
function oneEvent(fleet: Fleet, number: number): number {
  const set = (number * 7919) % fleet.sets.length;
  const index = number % perSet;
  const event = JSON.stringify(rawApplication(set, index, number + 2, bad, 'Degraded'));
  const began = performance.now();
  const raw = JSON.parse(event);
  takeRow(fleet, raw);
  const known = fleet.applications[set] ?? [];
  if (known.length === 0)
    for (let other = 0; other < perSet; other += 1)
      known.push(present(readApplication(rawApplication(set, other, 1))));
  known[index] = present(readApplication(raw));
  const applicationSet = fleet.sets[set];
  if (applicationSet === undefined) return 0;
  const sighting: Sighting = {
    applicationSet,
    applications: known,
    facts: noFacts,
    heads: [],
    policy: defaultPolicy,
    now: start + number * 1_000,
    blindness: null,
    featureFlag: 'on',
  };
  const answer = answerOf(rememberAll(fleet.memories[set] ?? emptyStageMemory, sighting), sighting);
  fleet.memories[set] = answer.memory;
  return performance.now() - began;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

console.log('Applications   per event (median)   per event (99 %)   radar, bytes per Application');
for (const size of [1_000, 10_000, 100_000]) {
  const before = heapUsed();
  const fleet = fleetOf(size);
  const bytes = (heapUsed() - before) / size;
  for (let number = 0; number < 200; number += 1) oneEvent(fleet, number);
  const times = Array.from({ length: 2_000 }, (_, number) => oneEvent(fleet, number + 200));
  console.log(
    `${String(size).padStart(12)}   ${percentile(times, 0.5).toFixed(3).padStart(15)} ms   ${percentile(times, 0.99).toFixed(3).padStart(13)} ms   ${bytes.toFixed(0).padStart(28)}`,
  );
}
const requests = await requestsToPullRequest();
console.log(`\nFrom the decision to the open pull request: ${requests.length} requests one after the other`);
for (const request of requests) console.log(`  ${request}`);
