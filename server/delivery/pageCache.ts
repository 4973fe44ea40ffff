import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';
/** A rendered page, in the encodings that readers accept. */
export type CachedPage = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Strong validator of each encoding, with quotes. */
  readonly etag: Readonly<Record<Encoding, string>>;
  readonly body: Readonly<Record<Encoding, Buffer>>;
};

/** What a page depends on. `version`: of the site's content, when its data was read. */
export type PageKey = { readonly siteId: string; readonly release: string; readonly host: string; readonly path: string; readonly language: string };

export type PageCache = {
  readonly get: (key: PageKey, version: number) => CachedPage | null;
  readonly put: (key: PageKey, version: number, page: CachedPage) => void;
  /** The last page that was stored for the same address, of any version or release: for when rendering fails. */
  readonly lastGood: (key: PageKey) => CachedPage | null;
  /** Bytes in use. */
  readonly bytes: () => number;
};

/** Below this size compression costs more than it saves, in bytes. */
const smallest = 860;

/** Compresses a page once. Brotli 5 and gzip 6 take about a millisecond for a page of 30 kB. */
export async function encodePage(status: number, html: string, headers: Readonly<Record<string, string>>): Promise<CachedPage> {
  const identity = Buffer.from(html);
  const [br, gz] =
    identity.length < smallest
      ? [identity, identity]
      : await Promise.all([
          compressBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
          compressGzip(identity, { level: 6 }),
        ]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 27);
  return { status, headers, etag: { identity: `"${hash}"`, br: `"${hash}.br"`, gzip: `"${hash}.gz"` }, body: { identity, br, gzip: gz } };
}

/** The same few values come from all browsers; others are read each time. */
const known = new Map<string, Encoding>();
const mostKnown = 200;
const longestKnown = 100;

/** The best encoding that a request accepts. */
export function encodingFor(accept: string | undefined): Encoding {
  if (accept === undefined || accept === '') return 'identity';
  const before = known.get(accept);
  if (before) return before;
  const encoding = readEncodings(accept);
  if (known.size < mostKnown && accept.length <= longestKnown) known.set(accept, encoding);
  return encoding;
}

function readEncodings(accept: string): Encoding {
  const accepted = new Map(
    accept.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  return accepted.get('br') ? 'br' : accepted.get('gzip') ? 'gzip' : 'identity';
}

const bytesOf = ({ body, headers }: CachedPage): number =>
  [...new Set(Object.values(body))].reduce((sum, one) => sum + one.length, 0) + JSON.stringify(headers).length + 500;

/** Pages in memory, at most `maxBytes`; the least recently used go first. One page larger than a tenth of it is not stored. */
export function createPageCache(maxBytes: number): PageCache {
  const pages = new Map<string, { readonly release: string; readonly version: number; readonly page: CachedPage; readonly bytes: number }>();
  let total = 0;
  // Only the path, which comes last, may have a line break.
  const name = ({ siteId, host, path, language }: PageKey): string => `${siteId}\n${host}\n${language}\n${path}`;

  function remove(key: string): void {
    total -= pages.get(key)?.bytes ?? 0;
    pages.delete(key);
  }
  return {
    get(key, version) {
      const at = name(key);
      const found = pages.get(at);
      if (!found || found.version !== version || found.release !== key.release) return null;
      pages.delete(at);
      pages.set(at, found);
      return found.page;
    },
    put(key, version, page) {
      const at = name(key);
      const bytes = bytesOf(page) + at.length * 2;
      remove(at);
      if (bytes > maxBytes / 10) return;
      pages.set(at, { release: key.release, version, page, bytes });
      total += bytes;
      for (const oldest of pages.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
    lastGood: (key) => pages.get(name(key))?.page ?? null,
    bytes: () => total,
  };
}
