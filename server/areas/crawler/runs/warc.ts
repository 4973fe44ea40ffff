import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { readBody } from '../engine';
import type { RunRecord } from './queries';

/** Headers that describe the transfer instead of the stored body. */
const ofTransfer = new Set(['content-encoding', 'transfer-encoding', 'content-length', 'connection', 'keep-alive']);
const batch = 200;

type PageRow = { url_id: string; url: string; status: number; mime: string; headers: Record<string, string> | null; sha: Buffer | null; at: string };

async function* pagesOf(ctx: Context, { id, siteId }: RunRecord): AsyncGenerator<PageRow> {
  let after = '0';
  for (;;) {
    const { rows } = await ctx.postgres.db.execute<PageRow>(sql`
      SELECT p.url_id::text AS url_id, u.url, p.status, p.mime, p.facts -> 'headers' AS headers, p.sha,
        to_char(p.fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at
      FROM crawl_pages p JOIN crawl_urls u ON u.site_id = ${siteId} AND u.id = p.url_id
      WHERE p.run_id = ${id} AND p.url_id > ${after}::bigint AND p.sha IS NOT NULL ORDER BY p.url_id LIMIT ${batch}`);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.url_id;
  }
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

/** One record of a WARC file (ISO 28500:2017, 4–6). */
function recordOf(headers: readonly (readonly [string, string])[], block: Buffer): Buffer {
  const all = [...headers, ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`], ['Content-Length', String(block.length)]] as const;
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

function responseRecord({ url, status, mime, headers, at }: PageRow, body: Buffer): Buffer {
  const sent = Object.entries({ 'content-type': mime, ...headers }).filter(([name, value]) => !ofTransfer.has(name) && value !== '');
  const lines = [...sent, ['content-length', String(body.length)] as const].map(([name, value]) => `${name}: ${oneLine(value)}\r\n`).join('');
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  return recordOf(
    [
      ['WARC-Type', 'response'],
      ['WARC-Target-URI', url],
      ['WARC-Date', at],
      ['WARC-Payload-Digest', digest],
      ['Content-Type', 'application/http;msgtype=response'],
    ],
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines}\r\n`), body]),
  );
}

async function* recordsOf(ctx: Context, run: RunRecord): AsyncGenerator<Buffer> {
  const info = Buffer.from('software: Sitewright\r\nformat: WARC File Format 1.1\r\n');
  yield recordOf(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Date', new Date(ctx.now()).toISOString()],
      ['Content-Type', 'application/warc-fields'],
    ],
    info,
  );
  for await (const page of pagesOf(ctx, run)) {
    const body = page.sha && (await readBody(ctx, run.siteId, page.sha));
    if (body) yield responseRecord(page, body);
  }
}

/** The stored pages of a run as WARC: the responses with their decoded bodies and the headers that are stored. */
export const writeWarc = (ctx: Context, run: RunRecord): Readable => Readable.from(recordsOf(ctx, run), { objectMode: false });
