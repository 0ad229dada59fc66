/**
 * How much is told. GitHub takes 65,536 characters in a body or a comment; a text that is longer is not cut anywhere,
 * it is written again with less: first the evidence goes, then the cells get shorter. What a person must know to decide
 * is in every size.
 */

/** Counts of things shown, and lengths in code points. */
export interface Detail {
  sets: number;
  stages: number;
  /** Names of Applications in one place. */
  names: number;
  /** Length of a message in a table. */
  cell: number;
  commits: number;
  /** Applications in one list: those that are not back, those in the way. */
  applications: number;
  /** Reasons of one ApplicationSet in the evidence; 0 leaves the evidence out. */
  evidence: number;
  /** Length of a message in the evidence. */
  message: number;
}

const details: readonly Detail[] = [
  { sets: 10, stages: 30, names: 5, cell: 120, commits: 10, applications: 10, evidence: 20, message: 1_500 },
  { sets: 10, stages: 30, names: 5, cell: 120, commits: 10, applications: 10, evidence: 5, message: 400 },
  { sets: 10, stages: 30, names: 5, cell: 120, commits: 10, applications: 10, evidence: 0, message: 0 },
  { sets: 8, stages: 12, names: 3, cell: 60, commits: 8, applications: 5, evidence: 0, message: 0 },
  { sets: 3, stages: 6, names: 1, cell: 30, commits: 3, applications: 2, evidence: 0, message: 0 },
];

/** Of a body and of a comment, in UTF-16 units, which are never fewer than what GitHub counts. */
export const textLengthMax = 65_536;

/** The first size that fits. The smallest one does for whatever an incident holds; a test says so. */
export function fitting(write: (detail: Detail) => string): string {
  let text = '';
  for (const detail of details) {
    text = write(detail);
    if (text.length <= textLengthMax) break;
  }
  return text;
}

/** As `fitting`, for what GitHub counts in bytes of UTF-8. */
export function fittingBytes(bytesMax: number, write: (detail: Detail) => string): string {
  let text = '';
  for (const detail of details) {
    text = write(detail);
    if (bytesOf(text) <= bytesMax) break;
  }
  return text;
}

/** Bytes of UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
