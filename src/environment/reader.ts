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

  /** A whole number; what is none is a fault, and the fallback stands in for it, as it does where nothing is set. */
  whole<Fallback extends number | null>(
    name: SettingName,
    fallback: Fallback,
    limits: { min: number; max: number },
  ): number | Fallback {
    const written = this.text(name);
    if (written === null) return fallback;
    const value = /^\d{1,9}$/.test(written) ? Number(written) : Number.NaN;
    if (value >= limits.min && value <= limits.max) return value;
    this.fault(`${name} is ${quoted(written)}. Give a whole number from ${limits.min} to ${limits.max}.`);
    return fallback;
  }

  /** One of several words, in any case; null when it is not set, and with a fault when it is none of them. */
  oneOf<Word extends string>(name: SettingName, words: readonly Word[]): Word | null {
    const written = this.text(name);
    if (written === null) return null;
    const word = words.find((one) => one === written.toLowerCase()) ?? null;
    if (word === null) {
      const all = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
      this.fault(`${name} is ${quoted(written)}. Use ${all}.`);
    }
    return word;
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
