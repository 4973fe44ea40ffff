import { and, eq, or, sql } from 'drizzle-orm';
import type { Context } from '../../context';
import { defineJob, enqueue } from '../../worker';
import type { RunningJob } from '../../worker';
import { systemActor } from '../audit';
import { forgetRuleLanguage } from '../countryBlock';
import { beginPurge, dueLanguages, endPurge, purgePartTexts } from '../publishing';
import { forgetLanguage } from '../resources';
import { findSite, forgetMessage } from '../sites';
import { forgetSupportLanguage } from '../support';
import { purgeLanguage } from '../tables';
import { siteGlossaries, translationMarks, translationRuns } from './schema';

/** Deletes what the area stores about a language: states, past runs with their texts, and terms. */
async function purgeTranslations(ctx: Context, siteId: string, tag: string): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    await tx.delete(translationMarks).where(and(eq(translationMarks.siteId, siteId), eq(translationMarks.language, tag)));
    await tx.delete(translationRuns).where(and(eq(translationRuns.siteId, siteId), eq(translationRuns.language, tag)));
    const rows = sql`(SELECT coalesce(jsonb_agg(term), '[]') FROM jsonb_array_elements(${siteGlossaries.rows}) term WHERE term ->> 'from' <> ${tag} AND term ->> 'to' <> ${tag})`;
    await tx
      .update(siteGlossaries)
      .set({ rows, revision: sql`${siteGlossaries.revision} + 1` })
      .where(
        and(eq(siteGlossaries.siteId, siteId), or(...['from', 'to'].map((side) => sql`${siteGlossaries.rows} @> ${JSON.stringify([{ [side]: tag }])}::jsonb`))),
      );
  });
}

async function purgeOne(ctx: Context, job: RunningJob, siteId: string, tag: string): Promise<void> {
  const site = await findSite(ctx, siteId);
  const row = site && (await beginPurge(ctx, site, tag));
  if (!row) return;
  const author = { site, userId: row.removedBy, actor: systemActor };
  const designer = row.removedBy === null ? null : { lang: site.defaultLang, userId: row.removedBy, actor: systemActor };
  await purgeLanguage(ctx, siteId, designer, tag, (done, total) => job.progress(done, total));
  await purgePartTexts(ctx, author, tag);
  await forgetLanguage(ctx, siteId, tag);
  await forgetMessage(ctx, siteId, tag);
  await forgetRuleLanguage(ctx, site, tag);
  await forgetSupportLanguage(ctx, siteId, tag);
  await purgeTranslations(ctx, siteId, tag);
  await endPurge(ctx, site, tag);
}

/** Deletes the texts of removed languages of a site that are due. Every step can be repeated, so an interrupted job begins anew. */
export const purgeJob = defineJob('languages.purge', async (job, ctx) => {
  const siteId = job.siteId ?? '';
  for (const { language } of await dueLanguages(ctx.postgres.db, new Date(ctx.now()), siteId)) await purgeOne(ctx, job, siteId, language);
});

/** Queues that job for every site with a language that is due. Runs hourly. */
export async function purgeDueLanguages(ctx: Context): Promise<void> {
  const due = await dueLanguages(ctx.postgres.db, new Date(ctx.now()));
  for (const siteId of new Set(due.map((row) => row.siteId))) {
    const site = await findSite(ctx, siteId);
    if (site) await enqueue(ctx, 'languages.purge', { siteId, label: site.name, cancellable: false, once: true });
  }
}
