/** Reads variables and collects what is wrong with them, so that every fault is told and not only the first. */
import type { SettingName, Variables } from './settings.ts';

const quoteLengthMax = 80;

export class Reader {
  readonly faults: string[] = [];
  /** For what others put into the environment: Kubernetes, the shell. */
  readonly variables: Variables;

  constructor(variables: Variables) {
    this.variables = variables;
  }

  /** Without the blanks around it; null when it is not set or empty. */
  text(name: SettingName): string | null {
    const value = this.variables[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** The parts between commas; none when it is not set. */
  list(name: SettingName): readonly string[] {
    const parts = this.text(name)?.split(',') ?? [];
    return parts.map((part) => part.trim()).filter((part) => part !== '');
  }

  /** A whole number; what is none is a fault, and the fallback stands in for it. */
  whole(name: SettingName, fallback: number, limits: { min: number; max: number }): number {
    const written = this.text(name);
    if (written === null) return fallback;
    const value = /^\d{1,9}$/.test(written) ? Number(written) : Number.NaN;
    if (value >= limits.min && value <= limits.max) return value;
    this.fault(`${name} is ${quoted(written)}. Give a whole number from ${limits.min} to ${limits.max}.`);
    return fallback;
  }

  /** Notes a fault: what is wrong, what it means, what to do. */
  fault(sentences: string): void {
    this.faults.push(sentences);
  }
}

/** A value in a sentence: on one line, cut, in quotes. Never for secrets. */
export function quoted(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return `"${line.length > quoteLengthMax ? `${line.slice(0, quoteLengthMax)}…` : line}"`;
}
