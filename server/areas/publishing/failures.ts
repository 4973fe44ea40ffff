import { and, desc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import type { ThemeFailure } from '../../../contract/publishing/preview';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import type { TemplateFailure } from '../../kit/templates/renderPool';
import { themeFailures } from './schema';

/** Failures that are listed, those that are stored for a site, and how long one that does not come back is remembered. */
const mostFailures = 50;
const mostStored = 200;
const rememberedDays = 30;
const rememberedSince = (ctx: Pick<Context, 'now'>): Date => new Date(ctx.now() - rememberedDays * DAY);

const nameOf = ({ file, line, message }: TemplateFailure): string =>
  createHash('sha256')
    .update(JSON.stringify([file, line, message]))
    .digest('hex')
    .slice(0, 32);

/** Records that a template failed on a page of visitors, and how many times. The same failure has one row; beyond the number that a site may have, those that occurred longest ago go. */
export async function recordThemeFailure(ctx: Context, siteId: string, failure: TemplateFailure, page: string, times = 1): Promise<void> {
  const { db } = ctx.postgres;
  const now = new Date(ctx.now());
  const latest = { page: page.slice(0, 500), lastAt: now };
  await db
    .insert(themeFailures)
    .values({ siteId, name: nameOf(failure), ...failure, message: failure.message.slice(0, 500), count: times, firstAt: now, ...latest })
    .onConflictDoUpdate({ target: [themeFailures.siteId, themeFailures.name], set: { ...latest, count: sql`${themeFailures.count} + ${times}` } });
  // Messages contain texts of the page, so that one line of a template can have any number of them.
  const surplus = db
    .select({ name: themeFailures.name })
    .from(themeFailures)
    .where(eq(themeFailures.siteId, siteId))
    .orderBy(desc(themeFailures.lastAt), themeFailures.name)
    .offset(mostStored);
  await db
    .delete(themeFailures)
    .where(and(eq(themeFailures.siteId, siteId), or(lt(themeFailures.lastAt, rememberedSince(ctx)), inArray(themeFailures.name, surplus))));
}

/** The latest first. Those that have not come back for 30 days are left out. */
export async function listThemeFailures(ctx: Context, siteId: string): Promise<ThemeFailure[]> {
  const rows = await ctx.postgres.db
    .select()
    .from(themeFailures)
    .where(and(eq(themeFailures.siteId, siteId), gte(themeFailures.lastAt, rememberedSince(ctx))))
    .orderBy(desc(themeFailures.lastAt))
    .limit(mostFailures);
  return rows.map(({ reason, message, file, line, column, page, count, firstAt, lastAt }) => ({
    reason,
    message,
    file,
    line,
    column,
    page,
    count,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
}
