import { createHash, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { PageFacts } from '../../../../contract/crawler/facts';
import type { Context } from '../../../context';
import { readBody } from './bodies';

const perQuery = 200;
type Row = {
  readonly url_id: string;
  readonly url: string;
  readonly status: number;
  readonly mime: string;
  readonly sha: Buffer | null;
  readonly facts: PageFacts;
  readonly fetched_at: Date;
};

const base32 = (bytes: Buffer): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >>> bits) & 31];
    }
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
};
const digest = (block: Buffer): string => `sha1:${base32(createHash('sha1').update(block).digest())}`;

/** One record of WARC 1.1 (ISO 28500), compressed by itself so that readers can begin at each. */
function record(type: string, headers: readonly (readonly [string, string])[], block: Buffer, date: Date): Buffer {
  const lines = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${randomUUID()}>`,
    `WARC-Date: ${date.toISOString()}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `WARC-Block-Digest: ${digest(block)}`,
    `Content-Length: ${block.length}`,
  ];
  return gzipSync(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]));
}

/** Stored bodies are decoded, so the headers of the encoding and the length on the wire are written under other names. */
function httpBlock({ status, facts }: Row, body: Buffer): Buffer {
  const renamed = new Set(['content-encoding', 'content-length', 'transfer-encoding']);
  const headers = Object.entries(facts.headers).map(
    ([name, value]) => `${renamed.has(name) ? `x-crawler-${name}` : name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`,
  );
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, ...headers, `content-length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

async function* records(ctx: Context, run: { readonly id: string; readonly siteId: string }): AsyncGenerator<Buffer> {
  const info = Buffer.from('software: Sitewright\r\nformat: WARC File Format 1.1\r\n');
  yield record('warcinfo', [['Content-Type', 'application/warc-fields']], info, new Date(ctx.now()));
  for (let last = -1; ;) {
    const { rows } = await ctx.postgres.pool.query<Row>(
      `SELECT p.url_id, u.url, p.status, p.mime, p.sha, p.facts, p.fetched_at FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id
       WHERE p.run_id = $1 AND p.url_id > $3 AND p.status > 0 ORDER BY p.url_id LIMIT ${perQuery}`,
      [run.id, run.siteId, last],
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      const body = row.sha === null ? null : await readBody(ctx, run.siteId, row.sha);
      // A response without its body says only what redirects and errors say.
      if (body === null && row.status >= 200 && row.status < 300) continue;
      const headers = [
        ['WARC-Target-URI', row.url],
        ['Content-Type', 'application/http; msgtype=response'],
        ...(body === null ? [] : [['WARC-Payload-Digest', digest(body)] as const]),
      ] as const;
      yield record('response', headers, httpBlock(row, body ?? Buffer.alloc(0)), row.fetched_at);
    }
    last = Number(rows.at(-1)?.url_id);
  }
}

/** The responses of a run whose bodies are stored, as a `.warc.gz`. */
export const writeWarc = (ctx: Context, run: { readonly id: string; readonly siteId: string }): Readable => Readable.from(records(ctx, run));
