/**
 * A port through which every call takes a while and may come to grief. It knows no port: what a method begins with tells a read
 * from a write, so a method that is added to a port meets the same trouble.
 */
import type { Clock } from '../ports.ts';
import type { Dice } from './dice.ts';
import { type Fate, fateOf, type Trouble } from './trouble.ts';

export interface Call {
  port: string;
  method: string;
  isWrite: boolean;
  args: readonly unknown[];
}

export interface Through {
  clock: Clock;
  dice: Dice;
  trouble(): Trouble;
  isDead(): boolean;
  die(): void;
  onWrite(call: Call): void;
  /** Whether a call had its effect is not known to who made it, or what it answered was old. */
  onDoubt(call: Call): void;
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
}

/** How long it takes until somebody gives an answer up. */
const timeoutMs = 10_000;

const writing =
  /^(create|update|move|delete|save|add|remove|request|enable|mark|react|redeliver|post|settle|refresh|sync|terminate|set)/;
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
  const fate = lived(fateOf(dice, through.trouble(), { what, isWrite: about.isWrite }), options);
  await pause(through, dice.between(...options.latencyMs));
  if (through.isDead()) return never();
  if (fate.kind === 'dies-before') return dead(through, () => `is about to call ${shown(about)}`);
  if (fate.kind === 'fails-before') {
    tell(() => `calls ${shown(about)}: ${fate.problem.message}`);
    throw fate.problem;
  }
  const value = fate.kind === 'stale' ? await stale(method, args, fate.lagMs, options) : await work(...args);
  if (about.isWrite) through.onWrite(about);
  if (fate.kind !== 'answered') through.onDoubt(about);
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
