import { addressColumn, fieldsByColumn } from '../../../../contract/crawler/rowMapping';
import type { Context } from '../../../context';
import { findSite } from '../../sites';
import { notifyContacts } from '../../contacts';
import { notifyPeople, publishNotices } from '../../notices';
import { newRecordId, roleNow, writableFields } from '../../tables';
import { runNotice } from './notices';
import * as queries from './queries';
import type { CrawlerRecord, RunRecord } from './queries';
import { enqueueRows } from './rows';

/**
 * Announces runs that have ended: notices behind the bell and to contacts, as the crawler says, and rows for content tables, in the transaction that notes it. A
 * process that is killed leaves either everything or nothing.
 */
export async function announceEnded(ctx: Context): Promise<void> {
  for (;;) {
    const people: string[] = [];
    const run = await ctx.postgres.db.transaction(async (tx) => {
      people.length = 0;
      const ended = await queries.takeEnded(tx);
      if (!ended) return null;
      await queries.setAnnounced(tx, ended.id, new Date(ctx.now()));
      const [crawler, site] = await Promise.all([queries.findCrawler(tx, ended.crawlerId), findSite(ctx, ended.siteId)]);
      if (!crawler || !site) return ended;
      const { found, errors, fixed } = ended.issueChanges;
      const hasNewErrors = errors > 0 && ended.number > 1;
      // A run that somebody stopped is no news.
      if (ended.state !== 'stopped' && (crawler.alerts.completed || (crawler.alerts.newErrors && hasNewErrors) || ended.state === 'failed')) {
        const message = runNotice(ctx, { site, crawler, run: ended, found, errors, fixed });
        people.push(...(await notifyPeople(ctx, tx, { kind: 'crawl', siteId: site.id, message })));
        await notifyContacts(ctx, tx, { topic: 'crawl', site: { id: site.id, name: site.name }, message });
      }
      if (ended.state === 'completed' || ended.state === 'limited') await passRows(ctx, tx, crawler, ended, site.timeZone);
      return ended;
    });
    if (!run) return;
    publishNotices(ctx, [...new Set(people)]);
    ctx.live.publish({ type: 'crawl', siteId: run.siteId, runId: run.id });
  }
}

/** Rows of extractions that name a content table are written into it with the rights of the person who created the crawler; columns go into fields of the same name, and the address into a field for addresses. */
async function passRows(
  ctx: Context,
  tx: queries.Db & Parameters<typeof enqueueRows>[4],
  crawler: CrawlerRecord,
  run: RunRecord,
  timeZone: string,
): Promise<void> {
  const userId = crawler.createdBy;
  const role = userId === null ? null : await roleNow(tx, run.siteId, userId);
  if (userId === null || role === null) return;
  const counts = new Map((await queries.extractionsOf(tx, run.id)).map(({ extraction, rows }) => [extraction, rows]));
  for (const { name, columns, tableId } of run.config.extractions) {
    if (tableId === null || !counts.get(name)) continue;
    const fields = await writableFields(ctx, { siteId: run.siteId, reader: { role, userId }, timeZone }, tableId).catch(() => []);
    const mapped = fieldsByColumn(
      columns.map((column) => column.name),
      fields,
    );
    if (Object.keys(mapped).length === 0) continue;
    const keyField = fields.find(({ id, isKey }) => isKey && id === mapped[addressColumn])?.id ?? null;
    await enqueueRows(
      ctx,
      run,
      crawler.name,
      { runId: run.id, extraction: name, tableId, fields: mapped, keyField, batchId: newRecordId(ctx.now()), userId },
      tx,
    );
  }
}
