import type { Context } from '../../context';
import { defineJob } from '../../worker';
import { record } from '../audit';
import { removeInstalledGlossary } from '../languages';
import { removeUnused } from '../resources';
import { removeInstalledRobots } from '../seo';
import { removeImportedTables, undoWebsite, unusedByLiveRecords } from '../tables';
import { ImportInput } from './detect';
import { announce } from './live';
import * as queries from './queries';
import { emptyWritten } from './structure';
import { removeSettings } from './settings';
import { receiverOf } from './target';

const atOnce = 20;

/**
 * Takes back what an import has written: records (where nobody has changed them since), tables that it created and that are empty then, addresses, redirects and
 * texts, and files that nothing uses any more. Repeating it changes nothing, so that an interrupted run begins again.
 */
export async function undoImport(ctx: Context, row: queries.ImportRow, progress: (done: number, total: number) => Promise<void>): Promise<void> {
  const { db } = ctx.postgres;
  const by = await receiverOf(ctx, row);
  const written = row.written ?? emptyWritten;
  const designer = { siteId: by.site.id, lang: by.site.defaultLang, userId: by.userId, role: by.role, locale: by.locale, actor: by.actor };
  const batches = await queries.batchesOf(db, row.id);
  let left = row.left ?? 0;
  for (let at = 0; at < batches.length; at += atOnce) {
    await progress(at, batches.length);
    left += await undoWebsite(ctx, by, batches.slice(at, at + atOnce));
    await queries.changeImport(db, row.id, { left });
  }
  await progress(batches.length, batches.length);
  const created = Object.values(written.tables);
  // Tables of an archive came with their records, and go with them.
  const stay = new Set(await removeImportedTables(ctx, designer, [...created].reverse(), row.source === 'archive' ? 'unchanged' : 'empty'));
  await removeSettings(ctx, by, written, new Set(created.filter((id) => !stay.has(id))));
  const { robots = null, terms = null } = written.texts ?? {};
  if (robots !== null) await removeInstalledRobots(ctx, by.site.id, robots);
  if (terms !== null) await removeInstalledGlossary(db, by.site.id, terms);
  const files = await queries.addedResources(db, row.id);
  const unused: Parameters<typeof removeUnused>[4] = (tx, ids) => unusedByLiveRecords(ctx, tx, by.site.id, ids);
  for (let at = 0; at < files.length; at += 500) await removeUnused(ctx, by.site, files.slice(at, at + 500), by.actor, unused);
  await db.transaction(async (tx) => {
    await queries.changeImport(tx, row.id, { state: 'undone', step: null, left: left + stay.size });
    await record(ctx, tx, by.actor, {
      action: 'site.import_undone',
      siteId: by.site.id,
      target: { kind: 'site', id: by.site.id, name: by.site.name },
      after: { file: row.name, left: left + stay.size },
    });
  });
}

export const undoJob = defineJob('siteImport.undo', async (job, ctx) => {
  const { importId } = ImportInput.parse(job.input);
  const row = (await queries.findImport(ctx.postgres.db, importId))?.row;
  if (!row || row.jobId !== job.id || row.state !== 'undoing') return;
  try {
    await undoImport(ctx, row, (done, total) => job.progress(done, total));
  } finally {
    announce(ctx, row);
  }
});
