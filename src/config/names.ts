/**
 * Names that come from a configuration and go to GitHub or are compared with names of the cluster: which ones can exist at
 * all, and what somebody meant who wrote one that cannot.
 */
import { quoted } from './faults.ts';

export interface NameKind {
  /** Ends the sentence "… cannot be …". */
  noun: string;
  /** What to write. */
  words: string;
  /** For the schema; JSON Schema's dialect, which is that of JavaScript. */
  pattern: string;
  lengthMax: number;
  example: string;
  /** How to mend one that does not fit; null for the general words. */
  mend(text: string): string | null;
  /** What the pattern cannot say; null when nothing is wrong. */
  problem?(text: string, owner: string | null): { problem: string; mend: string } | null;
  /** How it is kept. */
  canonical?(text: string): string;
}

/** GitHub logins: letters, digits and dashes, in old accounts anywhere; enterprise-managed ones end in `_shortcode`. */
export const userName: NameKind = {
  noun: 'a login',
  words: 'the login of a person on GitHub',
  pattern: '^[A-Za-z0-9-]{1,39}(?:_[A-Za-z0-9]{1,20})?$',
  lengthMax: 60,
  example: 'octocat',
  mend: (text) => {
    if (/\[bot\]$/.test(text)) return 'Take it out; an App cannot be asked.';
    if (text.includes('/')) return 'Write teams under "teams".';
    return text.startsWith('@') ? `Write it without "@": ${quoted(text.slice(1))}.` : null;
  },
};

export const teamName: NameKind = {
  noun: 'a team',
  words: 'the slug of a team, as in its address on GitHub: `team` or `organisation/team`',
  pattern: '^(?:[A-Za-z0-9-]{1,39}/)?[a-z0-9_](?:[a-z0-9_-]{0,98}[a-z0-9_])?$',
  lengthMax: 140,
  example: 'platform',
  mend: (text) => {
    const plain = text.replace(/^@/, '').trim().toLowerCase().replace(/\s+/g, '-');
    return new RegExp(teamName.pattern).test(plain) ? `Did you mean ${quoted(plain)}?` : null;
  },
  problem: (text, owner) => {
    const organisation = text.includes('/') ? text.slice(0, text.indexOf('/')) : null;
    if (organisation === null || owner === null || organisation.toLowerCase() === owner.toLowerCase())
      return null;
    return {
      problem: `${quoted(text)} is a team of another organisation than ${quoted(owner)}.`,
      mend: 'Name a team of the organisation that owns the repository.',
    };
  },
  canonical: (text) => text.slice(text.indexOf('/') + 1),
};

/** GitHub's labels: up to 50 characters. A comma would be two labels to its search. */
export const labelName: NameKind = {
  noun: 'a label',
  words: 'a label of up to 50 characters without a comma',
  pattern: '^(?! )[^,\\n]{1,50}(?<! )$',
  lengthMax: 50,
  example: 'rollback',
  mend: (text) => (text.includes(',') ? 'Write each label as an entry of its own.' : null),
};

const trailersOfOthers = ['signed-off-by', 'co-authored-by', 'reviewed-by', 'acked-by', 'change-id', 'fixes'];

/** The key of a git trailer: letters, digits and dashes. */
export const trailerName: NameKind = {
  noun: 'the key of a trailer',
  words: 'the key of a trailer in a commit message, without its colon',
  pattern: '^[A-Za-z][A-Za-z0-9-]{0,49}$',
  lengthMax: 50,
  example: 'Stepback-Skip',
  mend: (text) => {
    const key = text.split(':')[0]?.trim().replace(/\s+/g, '-') ?? '';
    return key !== text && new RegExp(trailerName.pattern).test(key)
      ? `Write the key alone; any value counts: ${quoted(key)}.`
      : null;
  },
  problem: (text) =>
    trailersOfOthers.includes(text.toLowerCase())
      ? {
          problem: `${quoted(text)} is a trailer with a meaning of its own, and changes that have it would never be reverted.`,
          mend: 'Choose a key that only says this, such as "Stepback-Skip".',
        }
      : null,
};

const objectNamePattern = '^(?:[a-z0-9*-]{1,63}/)?[a-z0-9.*-]{1,253}$';

/** Kubernetes names are small letters, digits, dashes and dots. */
function objectPattern(noun: string, example: string): NameKind {
  return {
    noun,
    words: `a name in small letters, \`name\` or \`namespace/name\`, with \`*\` for any characters`,
    pattern: objectNamePattern,
    lengthMax: 320,
    example,
    mend: (text) => {
      const plain = text.trim().toLowerCase().replace(/\*+/g, '*');
      if (/[?[\](){}|^$\\+]/.test(text))
        return 'Only "*" stands for other characters; it is no regular expression.';
      return new RegExp(objectNamePattern).test(plain) ? `Did you mean ${quoted(plain)}?` : null;
    },
    problem: (text) => {
      if (text.includes('**'))
        return { problem: `${quoted(text)} has two stars in a row.`, mend: 'Write one.' };
      if (!text.includes('.*')) return null;
      const mend = `Only "*" stands for other characters: ${quoted(text.replaceAll('.*', '*'))}.`;
      return { problem: `${quoted(text)} reads as a regular expression, and it is none.`, mend };
    },
  };
}

export const applicationSetPattern = objectPattern('an ApplicationSet', 'argocd/payments');
export const applicationPattern = objectPattern('an Application', '*-canary');

export const kindPattern: NameKind = {
  noun: 'a kind of object',
  words: 'a kind, `Kind` or `group/Kind`, with `*` for any characters',
  pattern: '^(?:[a-z0-9.*-]{1,253}/)?[A-Z*][A-Za-z0-9*]{0,62}$',
  lengthMax: 320,
  example: 'batch/Job',
  mend: (text) => {
    const [group, , kind] = text.split('/');
    if (kind !== undefined) return `Leave the version out: ${quoted(`${group}/${kind}`)}.`;
    const upper = text.replace(
      /(^|\/)([a-z])(?=[A-Za-z0-9*]*$)/,
      (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`,
    );
    return new RegExp(kindPattern.pattern).test(upper) ? `Did you mean ${quoted(upper)}?` : null;
  },
  problem: (text) => {
    const [, kind] = /^v\d+(?:(?:alpha|beta)\d+)?\/(.+)$/.exec(text) ?? [];
    if (kind === undefined) return null;
    return { problem: `${quoted(text)} has a version and no group.`, mend: `Write ${quoted(kind)}.` };
  },
};
