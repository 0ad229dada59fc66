/**
 * A port through which every call takes a while and may come to grief. It knows no port: what a method begins with tells a read
 * from a write, so a method that is added to a port meets the same trouble.
 */
import type { Clock } from '../ports.ts';
import type { Dice } from './dice.ts';
import { isDeletion } from './rivals.ts';
import type { FaultKind } from './tally.ts';
import { type Fate, fateOf, type Trouble } from './trouble.ts';

export interface Call {
  port: string;
  method: string;
  isWrite: boolean;
  args: readonly unknown[];
}

/** A call that changes something, and what the world answered. */
export interface Written extends Call {
  answer: unknown;
}

/** What the world answers when somebody else was faster. */
const vain: readonly unknown[] = [
  'conflict',
  'changed',
  'exists',
  'moved',
  'missing',
  'busy',
  'over',
  'gone',
  'known',
];

/** Whether the call changed something. */
export function hadEffect({ answer }: Written): boolean {
  return !vain.includes(answer);
}

export interface Through {
  clock: Clock;
  dice: Dice;
  trouble(): Trouble;
  isDead(): boolean;
  die(): void;
  onWrite(written: Written): void;
  /** Whether a call had its effect is not known to who made it, or what it answered was old, or somebody else wrote too. */
  onDoubt(call: Call): void;
  onCall(call: Call): void;
  onFault(kind: FaultKind): void;
  tell(what: () => string): void;
}

export interface PortOptions<Port> {
  /** As people call it. */
  port: string;
  /** What is no call: it answers at once. */
  plain: readonly string[];
  latencyMs: readonly [number, number];
  /** The same port as of a while ago; where it is missing, reads are never old. */
  stale?(lagMs: number): Port;
  /** What reads objects in pages. */
  listing?: readonly string[];
  /** Somebody else writes just before this call does; says what in words, null when nobody would. */
  rival?(method: string, args: readonly unknown[]): string | null;
  /** So many times as often as others, by method: what is written seldom would meet nobody. */
  rivals?: Readonly<Record<string, number>>;
}

/** How long it takes until somebody gives an answer up. */
const timeoutMs = 10_000;

const writing =
  /^(create|update|move|delete|save|add|remove|request|enable|disable|forget|mark|react|redeliver|post|settle|refresh|sync|terminate|set)/;
/** Trees and commits that nobody points to are no writes that anybody sees, and are made again without harm. */
const invisible = new Set(['createTree', 'createCommit']);

/** True when the method changes something that others see. */
export function isWriting(method: string): boolean {
  return writing.test(method) && !invisible.has(method);
}

/** The port, with the trouble of the seed around every call. */
export function throughTrouble<Port extends object>(
  port: Port,
  through: Through,
  options: PortOptions<Port>,
): Port {
  const known = new Map<string, unknown>();
  return new Proxy(port, {
    get(target, name) {
      const method = String(name);
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      const before = known.get(method);
      if (before !== undefined) return before;
      const bound = value.bind(target) as (...args: unknown[]) => unknown;
      const made = options.plain.includes(method)
        ? bound
        : (...args: unknown[]) => call(bound, method, args, through, options);
      known.set(method, made);
      return made;
    },
  });
}

async function call<Port extends object>(
  work: (...args: unknown[]) => unknown,
  method: string,
  args: readonly unknown[],
  through: Through,
  options: PortOptions<Port>,
): Promise<unknown> {
  const { dice, tell } = through;
  const about: Call = { port: options.port, method, isWrite: isWriting(method), args };
  const what = `${method} of ${options.port}`;
  const isListing = options.listing?.includes(method) ?? false;
  const fate = lived(fateOf(dice, through.trouble(), { what, isWrite: about.isWrite, isListing }), options);
  await pause(through, dice.between(...options.latencyMs));
  if (through.isDead()) return never();
  through.onCall(about);
  if (fate.kind !== 'answered') through.onFault(fate.fault);
  if (fate.kind === 'dies-before') return dead(through, () => `is about to call ${shown(about)}`);
  if (fate.kind === 'fails-before') {
    tell(() => `calls ${shown(about)}: ${fate.problem.message}`);
    throw fate.problem;
  }
  if (about.isWrite) meetRival(about, through, options);
  const value = fate.kind === 'stale' ? await stale(method, args, fate.lagMs, options) : await work(...args);
  if (about.isWrite) through.onWrite({ ...about, answer: value });
  if (fate.kind !== 'answered') through.onDoubt(about);
  noteAnswer(about, value, through);
  if (about.isWrite || fate.kind !== 'answered')
    tell(() => `calls ${shown(about)} → ${brief(value)}${fate.kind === 'stale' ? ' (an old answer)' : ''}`);
  if (fate.kind === 'dies-after') return dead(through, () => `has called ${shown(about)}`);
  if (fate.kind === 'fails-after') {
    tell(() => `hears nothing of ${method} for 10 s`);
    await pause(through, timeoutMs);
    throw fate.problem;
  }
  return value;
}

function meetRival<Port extends object>(about: Call, through: Through, options: PortOptions<Port>): void {
  const { rival } = options;
  const times = options.rivals?.[about.method] ?? 1;
  if (rival === undefined || !through.dice.chance(through.trouble().rival * times)) return;
  const did = rival(about.method, about.args);
  if (did === null) return;
  through.onFault(isDeletion(did) ? 'comment-deleted' : 'rival');
  through.onDoubt(about);
  through.tell(() => `is about to call ${shown(about)}, and ${did}`);
}

/** What the world says of what others did: expected answers, which must come. */
function noteAnswer({ method }: Call, value: unknown, { onFault }: Through): void {
  if (value === 'conflict') onFault('version-conflict');
  if (value === 'changed') onFault('spec-changed');
  if (value === 'busy') onFault('sync-busy');
  if (value === 'moved') onFault('ref-moved');
  if (value === 'exists' && method === 'createBranch') onFault('ref-exists');
  if ((value as { kind?: unknown } | null | undefined)?.kind === 'exists') onFault('pull-request-exists');
}

/** Where there are no old answers there is no old answer. */
function lived<Port>(fate: Fate, options: PortOptions<Port>): Fate {
  return fate.kind === 'stale' && options.stale === undefined ? { kind: 'answered' } : fate;
}

function stale<Port extends object>(
  method: string,
  args: readonly unknown[],
  lagMs: number,
  options: PortOptions<Port>,
): unknown {
  const old = options.stale?.(lagMs) as Record<string, (...given: unknown[]) => unknown>;
  return old[method]?.(...args);
}

function dead(through: Through, what: () => string): Promise<never> {
  through.tell(what);
  through.die();
  return never();
}

function pause(through: Through, ms: number): Promise<void> {
  return new Promise((resolve) => void through.clock.after(ms, resolve));
}

/** What a dead process waits for. */
function never(): Promise<never> {
  return new Promise(() => {});
}

/** `createBranch(acme/fleet, stepback/argocd/revert-1234, 5678…)` */
function shown({ method, args }: Call): string {
  return `${method}(${args.map(brief).join(', ')})`;
}

function brief(value: unknown): string {
  if (value === undefined) return 'done';
  if (typeof value === 'string') {
    const line = /^[0-9a-f]{40}$/.test(value) ? value.slice(0, 7) : (value.split('\n')[0] ?? '');
    return line.length > 90 ? `${line.slice(0, 90)}…` : line;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const { owner, name, number, kind, title, phase, state, head } = value as Record<string, unknown>;
  if (typeof owner === 'string') return `${owner}/${name}`;
  const told = Object.entries({ number, kind, title, phase, state, head }).filter(
    ([, one]) => typeof one !== 'object' && one !== undefined,
  );
  return told.length === 0 ? '…' : told.map(([key, one]) => `${key} ${one}`).join(' ');
}
