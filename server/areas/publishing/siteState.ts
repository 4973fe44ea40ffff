import type { Context } from '../../context';
import { releasingOf, unreleasedRecords } from '../tables';
import { changedParts, composeParts, workingParts } from './parts';
import * as queries from './queries';
import type { FoundRelease } from './queries';
import { latestChange } from './themes/queries';

/** Records of a table that are counted; there may be more. */
const countedRecords = 1000;
/** The newest releases that are looked at. */
const lookedAt = 50;

const newestPublished = (found: readonly FoundRelease[]): FoundRelease[] =>
  found.filter(({ row }) => row.publishedAt !== null).toSorted((a, b) => (b.row.publishedAt?.getTime() ?? 0) - (a.row.publishedAt?.getTime() ?? 0));

/** What is not published yet, what will be, and the release that visitors get; of records only those that the caller may publish. */
export async function contentState(ctx: Context, call: Parameters<typeof releasingOf>[0]) {
  const { db } = ctx.postgres;
  const { id, defaultLang } = call.site.row;
  const [{ hashes }, live, found, tables] = await Promise.all([
    composeParts(db, { id, defaultLang }),
    queries.liveRelease(db, id),
    queries.listReleases(db, id, undefined, lookedAt),
    unreleasedRecords(ctx, releasingOf(call), countedRecords),
  ]);
  const [last] = found.filter((one) => one.live);
  return {
    drafts: tables.reduce((sum, { records }) => sum + records.length, 0),
    more: tables.some((table) => table.more),
    /** A site that was never published has no differences to count. */
    parts: live === null ? 0 : changedParts(live.parts, hashes).length,
    scheduled: found.flatMap(({ row }) => (row.state === 'scheduled' && row.scheduledFor !== null ? [{ number: row.number, at: row.scheduledFor }] : [])),
    last: last?.row.publishedAt
      ? { number: last.row.number, at: last.row.publishedAt, by: last.author, canRollBack: newestPublished(found).some(({ row }) => row.id !== last.row.id) }
      : null,
  };
}

/** The last release, if it failed and none has been published since. */
export async function failedRelease(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<{ readonly number: number; readonly at: Date } | null> {
  const found = await queries.listReleases(ctx.postgres.db, siteId, undefined, lookedAt);
  const ended = (one: FoundRelease): number => (one.row.publishedAt ?? one.row.scheduledFor ?? one.row.createdAt).getTime();
  const [latest] = found.filter(({ row }) => row.state === 'published' || row.state === 'failed').toSorted((a, b) => ended(b) - ended(a));
  return latest?.row.state === 'failed' ? { number: latest.row.number, at: new Date(ended(latest)) } : null;
}

/** What has been done to set up a site that is built here. */
export async function buildState(ctx: Pick<Context, 'postgres'>, site: { readonly id: string; readonly defaultLang: string }) {
  const { db } = ctx.postgres;
  const [{ settings, routes }, live, theme] = await Promise.all([workingParts(db, site), queries.liveRelease(db, site.id), latestChange(db, site.id)]);
  return { hasIcon: settings.content.icon !== null, hasPages: routes.content.length > 0, hasTheme: theme !== null, isPublished: live !== null };
}
