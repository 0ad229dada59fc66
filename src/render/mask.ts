/**
 * Secrets that messages of Argo CD, of Kubernetes and of GitHub may carry: remote addresses with passwords, headers,
 * manifests of Secrets that were refused. What looks like one is masked; a word too many is better than a key too few,
 * because the whole message can still be read in the cluster.
 */

const mask = '[masked]';

interface Rule {
  pattern: RegExp;
  replacement: string;
}

/** A value after `key=` or `"key": `, in quotes (also escaped ones) or up to the next separator. */
const value = String.raw`(?:\\{0,3}"[^"]{0,4000}"?|'[^']{0,4000}'?|[^\s"',;&)}\]]+)`;

/** Names whose value is a secret; not those that only name where one is kept (`secretName`, `tokenRef`). */
const secretKey = String.raw`(?:passw(?:or)?d|passphrase|\bpass|\bpwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)(?![\w-]{0,40}(?:name|ref)s?\b)[\w-]{0,40}`;

/** In this order: what spans lines or holds other secrets comes first. */
const rules: readonly Rule[] = [
  {
    pattern: /-----BEGIN [^-]{0,60}PRIVATE KEY[^-]{0,20}-----[\s\S]*?(?:-----END [^-]{0,80}-----|$)/g,
    replacement: mask,
  },
  // The data of a Secret, as JSON, as escaped JSON and as YAML.
  {
    pattern: /\b(data|stringData)(\\{0,3}["']?\s{0,8}:\s{0,8})\{[^{}]{0,20000}\}?/gi,
    replacement: `$1$2${mask}`,
  },
  {
    pattern: /^([ ]{0,80}(?:data|stringData):)[ ]{0,80}\n(?:[ ][^\n]*(?:\n|$))+/gim,
    replacement: `$1 ${mask}\n`,
  },
  // https://user:password@host; the user of ssh://git@host is none.
  { pattern: /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?!git@)[^\s/@]*(?:@[^\s/@]*)*@/gi, replacement: `$1${mask}@` },
  { pattern: /\b(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3})[^\n,;]{1,4000}/gi, replacement: `$1${mask}` },
  {
    pattern: /\b(bearer|basic)\s{1,3}(?!tokens?\b|auth)[^\s"',;)\]}\\]{4,}/gi,
    replacement: `$1 ${mask}`,
  },
  { pattern: /\beyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, replacement: mask },
  { pattern: /\b(?:gh[a-z]_[A-Za-z0-9]{10,}|github_pat_\w{10,}|glpat-[\w-]{10,})/g, replacement: mask },
  { pattern: /\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{12,}/g, replacement: mask },
  {
    pattern:
      /\b(?:xox[a-z]-[\w-]{8,}|AIza[\w-]{20,}|npm_[A-Za-z0-9]{20,}|[rs]k_(?:live|test)_\w{8,}|sk-[\w-]{20,}|hv[sbr]\.[\w-]{20,}|dop_v1_\w{20,})/g,
    replacement: mask,
  },
  { pattern: /(hooks\.slack\.com\/services\/)[\w/]+/gi, replacement: `$1${mask}` },
  {
    pattern: /([?&](?:sig|signature|code|key|x-amz-[a-z-]{1,40})=)[^&\s"']+/gi,
    replacement: `$1${mask}`,
  },
  {
    pattern: new RegExp(String.raw`(${secretKey}\\{0,3}["']?\s{0,3}[:=]\s{0,3})${value}`, 'gi'),
    replacement: `$1${mask}`,
  },
  // Base64: long with its padding, or very long with letters of both cases and digits.
  { pattern: /(?<![\w+/])[A-Za-z0-9+/]{12,}={1,2}(?![\w=])/g, replacement: mask },
  {
    pattern: /(?<![\w+/.-])(?=[^\sA-Z]{0,60}[A-Z])(?=[^\sa-z]{0,60}[a-z])(?=\D{0,60}\d)[A-Za-z0-9+]{40,}/g,
    replacement: mask,
  },
];

/** The text with everything that looks like a secret replaced by a word. Total; linear in the length of the text. */
export function maskSecrets(text: string): string {
  return rules.reduce((masked, { pattern, replacement }) => masked.replace(pattern, replacement), text);
}
