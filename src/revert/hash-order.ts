/**
 * When several files have the same content and all of them moved, git pairs them in the order in which it met them,
 * and that order is partly the order of a hash table of paths. Two folders decide it only when everything else is
 * equal, but then the outcome should still be git's. The table is `hashmap.c` of git: FNV-1, 64 buckets, four times
 * as many whenever more than 80 % full, newest first within a bucket.
 */

const bucketsMin = 64;

/** Paths, given in the order in which git adds them, in the order in which git would list them. */
export function inHashOrder(paths: readonly string[]): string[] {
  let buckets: string[][] = newBuckets(bucketsMin);
  let count = 0;
  for (const path of paths) {
    buckets[hashOf(path) % buckets.length]!.unshift(path);
    count++;
    if (count > Math.floor((buckets.length * 80) / 100)) {
      const larger = newBuckets(buckets.length * 4);
      for (const known of buckets.flat()) larger[hashOf(known) % larger.length]!.unshift(known);
      buckets = larger;
    }
  }
  return buckets.flat();
}

function newBuckets(count: number): string[][] {
  return Array.from({ length: count }, () => []);
}

function hashOf(path: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(path)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
