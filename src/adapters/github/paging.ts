/**
 * Lists come in pages of a hundred. GitHub says with a `Link` whether there is a next one; a page with fewer items
 * than asked for need not be the last. Pages are counted up here and not followed by address, so that a server behind
 * another name cannot send us elsewhere.
 */

export const pageSize = 100;

export interface Page<Item> {
  items: readonly Item[];
  hasNext: boolean;
}

/** All items of up to `pagesMax` pages, in order. `isComplete` is false when there were more. */
export async function allPages<Item>(
  readPage: (page: number) => Promise<Page<Item>>,
  pagesMax: number,
): Promise<{ items: Item[]; isComplete: boolean }> {
  const items: Item[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const { items: more, hasNext } = await readPage(page);
    items.push(...more);
    if (!hasNext) return { items, isComplete: true };
  }
  return { items, isComplete: false };
}

/** Reads the `Link` header of RFC 8288. */
export function hasNextPage(link: string | undefined): boolean {
  return link !== undefined && /;\s*rel="?next"?/i.test(link);
}

/** Where the next page of a list begins that is paged by cursors, by its `Link`; undefined on the last page. */
export function nextCursor(link: string | undefined): string | undefined {
  const cursor = /<[^>]*[?&]cursor=([^&>]+)[^>]*>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1];
  return cursor === undefined ? undefined : decodeURIComponent(cursor);
}
