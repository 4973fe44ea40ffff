import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import { findPageCopy, removePageCopies, storePageCopy } from '../areas/publishing';
import type { Context } from '../context';
import { startFlush } from '../kit/flush';
import { encodePage } from './pageCache';
import type { CachedPage, PageKey } from './pageCache';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Copies of pages in PostgreSQL, so that there is a last good one also after a restart. */
export type PageCopies = {
  /** Stores a page of a live release a little later. Only complete pages are copied. */
  readonly put: (key: PageKey, releaseId: string, page: CachedPage) => void;
  /** Removes the copy of a page that no longer exists, a little later. */
  readonly remove: (key: PageKey) => void;
  /** The copy of a page; null if there is none, or it cannot be read. */
  readonly find: (key: PageKey) => Promise<CachedPage | null>;
  /** Stores what was added before the call. */
  readonly close: () => Promise<void>;
};

/** A larger page is not copied, and what waits to be stored is bounded by bytes and number; beyond it, pages are copied when they are rendered again. */
const largestPage = 1024 ** 2;
const mostWaitingBytes = 16 * 1024 ** 2;
const mostWaiting = 2000;
/** Pages of which this process knows what is stored. */
const mostKnown = 20_000;

/** What is done with the copy of an address: a page to store, or null to remove it. */
type Change = { readonly key: PageKey; readonly page: { readonly releaseId: string; readonly content: CachedPage } | null };

const addressOf = ({ siteId, host, path, language }: PageKey): string => JSON.stringify([siteId, host, path, language]);
const nameOf = (address: string): string => createHash('sha256').update(address).digest('base64url');
const versionOf = (releaseId: string, { etag }: CachedPage): string => `${releaseId} ${etag.identity}`;
const isComplete = ({ status, headers, body }: CachedPage): boolean =>
  status === 200 && (headers['content-type'] ?? '').startsWith('text/html') && body.identity.length <= largestPage;

export function openPageCopies(ctx: Context): PageCopies {
  let waiting = new Map<string, Change>();
  let bytes = 0;
  /** Releases and validators of the stored copies, by address. */
  const known = new Map<string, string>();

  function add(address: string, change: Change): void {
    const size = change.page?.content.body.br.length ?? 0;
    if (waiting.size >= mostWaiting || bytes + size > mostWaitingBytes) return;
    bytes += size;
    waiting.set(address, change);
  }
  async function storeOne(address: string, { key, page }: Change): Promise<void> {
    if (page === null) return;
    const { releaseId, content } = page;
    const { identity, br } = content.body;
    // Small pages are delivered without compression.
    const html = br === identity ? await compress(identity) : br;
    await storePageCopy(ctx, { siteId: key.siteId, release: releaseId, name: nameOf(address), headers: content.headers, html, etag: content.etag.identity });
    if (known.size >= mostKnown) known.clear();
    known.set(address, versionOf(releaseId, content));
  }
  async function store(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    bytes = 0;
    const removed = [...batch].flatMap(([address, { key, page }]) => (page === null ? [{ siteId: key.siteId, name: nameOf(address) }] : []));
    try {
      await removePageCopies(ctx, removed);
      for (const [address, change] of batch) await storeOne(address, change);
    } catch (error) {
      ctx.log.warn('Copies of pages could not be stored', { pages: batch.size, error });
    }
  }
  const { close } = startFlush(store);

  return {
    put(key, releaseId, content) {
      const address = addressOf(key);
      if (isComplete(content) && known.get(address) !== versionOf(releaseId, content)) add(address, { key, page: { releaseId, content } });
    },
    remove(key) {
      const address = addressOf(key);
      known.delete(address);
      add(address, { key, page: null });
    },
    async find(key) {
      try {
        const found = await findPageCopy(ctx, key.siteId, nameOf(addressOf(key)));
        return found && (await encodePage(200, (await decompress(found.html)).toString(), found.headers));
      } catch (error) {
        ctx.log.warn('The copy of a page could not be read', { siteId: key.siteId, error });
        return null;
      }
    },
    close,
  };
}
