import { Readable } from 'node:stream';
import type { CrawledPage, inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { inventoryLimits } from '../../../../contract/crawler/inventoryTerms';
import type { Context } from '../../../context';
import { byteOrderMark, csvLine } from '../../../csv';
import type { Cell } from '../../../csv';
import { asDownload, downloadPlaces } from '../../../http/download';
import type { CallOf } from '../../../http/route';
import { listPages } from './pageQueries';
import { findRun } from './runs';

type Call = CallOf<typeof endpoints.exportCrawledPages>;

/** Names of columns are those of the API, because programs read these files as well. */
const columns: readonly (keyof CrawledPage)[] = [
  'url',
  'kind',
  'status',
  'error',
  'indexable',
  'indexReason',
  'title',
  'description',
  'h1',
  'language',
  'template',
  'mime',
  'depth',
  'units',
  'bytes',
  'firstByteMs',
  'totalMs',
  'linksIn',
  'linksInternal',
  'linksExternal',
  'pageRank',
  'inSitemap',
  'issues',
  'fetchedAt',
];
const cellOf = (value: string | number | boolean | null): Cell => (typeof value === 'boolean' ? String(value) : value);

/** Files that one process writes at once. */
export const exportPlaces = () => downloadPlaces({ all: 8, each: 2 });

export async function exportPages(ctx: Context, { site, params, query, reply }: Call, place: ReturnType<typeof exportPlaces>): Promise<Call['reply']> {
  const { db } = ctx.postgres;
  const run = await findRun(db, site.id, params.crawlRunId);
  const left = place(reply, run.id);
  async function* lines(): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(columns);
    let before: string | undefined;
    for (let written = 0; written < inventoryLimits.exported && !left.aborted;) {
      const { rows, next } = await listPages(db, run, query, query, { before, size: 1000 });
      written += rows.length;
      yield rows.map((row) => csvLine(columns.map((column) => cellOf(row[column])))).join('');
      if (next === null) return;
      before = next;
    }
  }
  return asDownload(reply, `${site.row.slug}-crawl-${String(run.number)}-pages.csv`, 'text/csv; charset=utf-8').send(Readable.from(lines()));
}
