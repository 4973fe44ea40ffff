import { createRowWriter } from '../../../stores/clickhouse/rowBinary';
import type { RowWriter } from '../../../stores/clickhouse/rowBinary';
import type { PageLink } from '../../../../contract/crawler/facts';
import type { SkipReason } from '../../../../contract/crawler/terms';
import { urlFamily } from '../../../../contract/crawler/urlFamily';
import type { RunCounters } from '../counters';
import { priorityOf } from './frontier';
import type { FrontierEntry } from './frontier';
import { splitUrl } from './normalize';
import type { Batch, FamilyRow } from './protocol';
import type { RobotsCopy } from './robotsFiles';

export const linkColumns = [
  'site_id',
  'run_id',
  'src',
  'position',
  'dst',
  'kind',
  'place',
  'anchor',
  'fragment',
  'nofollow',
  'sponsored',
  'ugc',
  'internal',
  'written',
] as const;

/** PostgreSQL stores neither U+0000 nor halves of surrogate pairs; JSON writes both as escapes. */
export const storable = (json: string): string =>
  json.includes('\\u0000') || json.includes('\\ud') ? json.replaceAll(/\\u(?:0000|d[89a-f][\da-f]{2})/g, '\\ufffd') : json;

type LinkPlace = { readonly src: number; readonly position: number; readonly dst: number; readonly internal: boolean };

/** `start`: site and run, which all rows begin with. */
function writeLink(writer: RowWriter, start: Uint8Array, link: PageLink, { src, position, dst, internal }: LinkPlace): void {
  writer.bytes(start);
  writer.i64(src);
  writer.u32(position);
  writer.i64(dst);
  writer.text(link.kind);
  writer.text(link.position);
  writer.text(link.anchor);
  writer.text(link.fragment);
  writer.u8(Number(link.nofollow));
  writer.u8(Number(link.sponsored));
  writer.u8(Number(link.ugc));
  writer.u8(Number(internal));
  writer.text(link.written ?? '');
}

/** Collects what the journal is written next. */
export function createBatch(siteId: string, runId: string) {
  let urls: string[] = [];
  let frontier = new Map<number, string>();
  let pages: string[] = [];
  let findings: string[] = [];
  let rows: string[] = [];
  let robots: string[] = [];
  let bodies: Batch['bodies'][number][] = [];
  let leases: string[] = [];
  const writer = createRowWriter(256 * 1024);
  writer.text(siteId);
  writer.text(runId);
  const start = writer.take();
  let bytes = 0;

  function add(list: string[], row: object): void {
    const text = storable(JSON.stringify(row));
    bytes += text.length;
    list.push(text);
  }
  function addFrontier(entry: FrontierEntry, state: 0 | 1 | 2, skip: SkipReason | null): void {
    const { id, depth, hops, source, fromId, attempts } = entry;
    frontier.set(
      id,
      JSON.stringify({
        url_id: id,
        depth: Math.min(depth, 30_000),
        priority: priorityOf(entry),
        from_url_id: fromId,
        hops,
        source,
        state,
        skip_reason: skip,
        attempts,
      }),
    );
  }

  return {
    url(id: number, url: string): void {
      const { host, rest } = splitUrl(url);
      add(urls, { id, url, host, family: urlFamily(rest) });
    },
    frontier: addFrontier,
    page: (row: object): void => add(pages, row),
    finding: (row: object): void => add(findings, row),
    row: (row: object): void => add(rows, row),
    robots: (copy: RobotsCopy & { readonly failures: number }): void => add(robots, copy),
    body(sha: string, gzip: Uint8Array): void {
      bytes += gzip.length;
      bodies.push({ sha, gzip });
    },
    link: (src: number, position: number, link: PageLink, dst: number, internal: boolean): void =>
      writeLink(writer, start, link, { src, position, dst, internal }),
    lease: (id: string): void => void leases.push(id),
    items: (): number => pages.length + frontier.size,
    pages: (): number => pages.length,
    bytes: (): number => bytes + writer.size(),
    isEmpty: (): boolean => frontier.size + pages.length + robots.length + rows.length + leases.length === 0,
    take(number: number, families: readonly FamilyRow[], counters: RunCounters, activeMs: number): Batch {
      const list = (items: readonly string[]): string => `[${items.join(',')}]`;
      const batch: Batch = {
        number,
        urls: list(urls),
        frontier: list([...frontier.values()]),
        pages: list(pages),
        findings: list(findings),
        rows: list(rows),
        robots: list(robots),
        families: storable(JSON.stringify(families)),
        links: writer.size() === 0 ? new Uint8Array() : writer.take(),
        bodies,
        counters,
        activeMs,
        leases,
      };
      [urls, pages, findings, rows, robots, bodies, leases, bytes] = [[], [], [], [], [], [], [], 0];
      frontier = new Map();
      return batch;
    },
  };
}
