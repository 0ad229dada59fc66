/** What a deliberate mistake is: a wrapping of what the loop is given, so that the product itself holds no trace of it. */
import type { Incident } from '../domain/incident.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import type { LoopOptions } from '../loop/loop.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import type { Clock, Cluster, Forge, Ledger } from '../ports.ts';

export interface HostPorts {
  cluster: Cluster;
  forge: Forge;
  ledger: Ledger<StoredMemory, Incident>;
  mailbox: Mailbox;
  clock: Clock;
}

export interface Mistake {
  name: string;
  /** What Stepback would do wrong. */
  about: string;
  /** The law that it breaks. */
  law: string;
  /** A seed below 500 in which it breaks that law. */
  seed: number;
  made(ports: HostPorts): Partial<LoopOptions>;
}
