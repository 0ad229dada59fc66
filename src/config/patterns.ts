/**
 * Patterns over names, with `*` for any run of characters but a slash. Matching walks both texts once and goes back to the
 * last star only, so no pattern makes it slow.
 */

/** Whole text against whole pattern; case counts. Time is at most the product of both lengths. */
export function matches(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let starText = 0;
  while (inText < text.length) {
    const sign = pattern[inPattern];
    if (sign === '*') {
      star = inPattern;
      starText = inText;
      inPattern += 1;
    } else if (sign === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star !== -1 && text[starText] !== '/') {
      starText += 1;
      inText = starText;
      inPattern = star + 1;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}

/** A pattern without a slash is about the last part of the key alone, whatever stands before its slash. */
export function matchesKey(pattern: string, key: string): boolean {
  return matches(pattern, pattern.includes('/') ? key : key.slice(key.lastIndexOf('/') + 1));
}
