import type { z } from 'zod';
import { LanguagesPart } from '../../../contract/languages/part';
import type { Release, publishingEndpoints as endpoints } from '../../../contract/publishing/schemas';
import { partNames } from '../../../contract/publishing/terms';
import type { PartName } from '../../../contract/publishing/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { actorOf, record } from '../audit';
import type { Actor } from '../audit';
import { recheckRedirects } from '../crawler';
import { annotate } from '../insights';
import { lockSite, publishDraft, setDefaultLanguage } from '../sites';
import { inWrite, publishForRelease, releasingOf, undoForRelease, unreleasedRecords } from '../tables';
import type { Releasing, WriteTx } from '../tables';
import { withoutPurged } from './languages/purged';
import type { PartAuthor } from './parts';
import { changedParts, composeParts, mixedParts, releasedParts, storeParts, workingName } from './parts';
import * as queries from './queries';
import type { FoundRelease, NewRelease, ReleaseRow } from './queries';
import { ensureTheme } from './themes/store';

type Site = { readonly id: string; readonly name: string; readonly defaultLang: string; readonly timeZone: string };
const siteOf = ({ site }: { readonly site: { readonly id: string; readonly row: Omit<Site, 'id'> } }): Site => ({
  id: site.id,
  name: site.row.name,
  defaultLang: site.row.defaultLang,
  timeZone: site.row.timeZone,
});

export const targetOf = ({ id, name }: Pick<Site, 'id' | 'name'>) => ({ kind: 'site', id, name });

/** Records of each table that a preview names. */
const previewedRecords = 500;

function responseOf({ row, author, live }: FoundRelease, earlier: ReleaseRow | null, numbers: ReadonlyMap<string, number>): z.input<typeof Release> {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    live,
    note: row.note,
    records: row.records,
    changedParts: changedParts(earlier?.parts ?? null, row.parts),
    rollsBackTo: row.rollsBackTo === null ? null : (numbers.get(row.rollsBackTo) ?? null),
    failure: row.failure,
    createdBy: row.createdBy === null ? null : { id: row.createdBy, name: author ?? '' },
    createdAt: row.createdAt.toISOString(),
    scheduledFor: row.scheduledFor?.toISOString() ?? null,
    publishedAt: row.publishedAt?.toISOString() ?? null,
  };
}

export async function listReleases(ctx: Context, { site, query }: CallOf<typeof endpoints.releases>): Promise<ResponseOf<typeof endpoints.releases>> {
  const { db } = ctx.postgres;
  const found = await queries.listReleases(db, site.id, query.before, query.size + 1);
  const rows = found.slice(0, query.size);
  const numbers = new Map(found.map(({ row }) => [row.id, row.number]));
  for (const { row } of rows)
    if (row.rollsBackTo !== null && !numbers.has(row.rollsBackTo)) {
      const target = await queries.findRelease(db, site.id, row.rollsBackTo);
      if (target) numbers.set(target.row.id, target.row.number);
    }
  return { rows: rows.map((one, at) => responseOf(one, found[at + 1]?.row ?? null, numbers)), more: found.length > rows.length };
}

async function readRelease(ctx: Context, siteId: string, id: string): Promise<z.input<typeof Release>> {
  const { db } = ctx.postgres;
  const found = (await queries.findRelease(db, siteId, id)) ?? fail('not_found');
  const [earlier] = await queries.listReleases(db, siteId, found.row.number, 1);
  const target = found.row.rollsBackTo === null ? null : await queries.findRelease(db, siteId, found.row.rollsBackTo);
  return responseOf(found, earlier?.row ?? null, new Map(target ? [[target.row.id, target.row.number]] : []));
}

/** What a release of the working copy would change. */
export async function previewRelease(ctx: Context, call: CallOf<typeof endpoints.unreleased>): Promise<ResponseOf<typeof endpoints.unreleased>> {
  const { db } = ctx.postgres;
  const { hashes } = await composeParts(db, siteOf(call));
  const live = await queries.liveRelease(db, call.site.id);
  const names = call.query.parts ?? partNames;
  const tables = await unreleasedRecords(ctx, releasingOf(call), previewedRecords);
  return {
    working: workingName(hashes, names),
    parts: changedParts(live?.parts ?? null, hashes).filter((name) => names.includes(name)),
    tables: tables.map(({ table, records, more }) => ({ table: table.id, title: table.title, records, more })),
  };
}

/** Redirects that change are named in reports, because a fall in visits may come from them, and what crawls found about redirects is checked again. */
async function followRedirectChange(
  { ctx, tx }: WriteTx,
  site: Pick<Site, 'id' | 'name' | 'timeZone'>,
  before: ReleaseRow | null,
  release: ReleaseRow,
): Promise<void> {
  if (before === null || before.parts.redirects === release.parts.redirects) return;
  const [earlier, later] = [await releasedParts(tx, site.id, before.parts), await releasedParts(tx, site.id, release.parts)];
  const count = (redirects: unknown): string => String(Array.isArray(redirects) ? redirects.length : 0);
  const values = { before: count(earlier.redirects), after: count(later.redirects) };
  await annotate(ctx, tx, site.id, { kind: 'redirects_changed', values, timeZone: site.timeZone, author: release.createdBy });
  await recheckRedirects(ctx, { ...site, userId: release.createdBy }, tx);
}

/** Makes a stored release the live one, in the transaction that publishes its records. `gone`: languages that it had and whose texts were deleted. */
export async function goLive(
  w: WriteTx,
  site: Pick<Site, 'id' | 'name' | 'timeZone'>,
  release: ReleaseRow,
  actor: Actor,
  gone: readonly string[] = [],
): Promise<void> {
  const { ctx, tx } = w;
  const before = await queries.liveRelease(tx, site.id);
  await queries.makeLive(tx, site.id, release.id);
  await publishDraft(tx, site.id);
  const [language] = LanguagesPart.parse((await releasedParts(tx, site.id, release.parts)).languages).languages;
  if (language) await setDefaultLanguage(tx, site.id, language.tag);
  await record(ctx, tx, actor, {
    action: 'publishing.released',
    siteId: site.id,
    target: targetOf(site),
    after: { number: release.number, records: release.records, ...(gone.length > 0 && { withoutLanguages: gone.join(', ') }) },
  });
  await annotate(ctx, tx, site.id, { kind: 'release', values: { name: String(release.number) }, timeZone: site.timeZone, author: release.createdBy });
  await followRedirectChange(w, site, before, release);
  w.after(() => {
    ctx.live.publish({ type: 'publishing', siteId: site.id });
    ctx.live.publish({ type: 'site', siteId: site.id, change: 'changed' });
  });
}

/** What a release of the working copy, or of some of its parts, contains. Throws `stale_revision` if these parts are not the ones that the caller has seen. */
async function composeReleased(w: WriteTx, site: Site, request: { readonly working: string; readonly parts?: readonly PartName[] | undefined }) {
  const composed = await composeParts(w.tx, site);
  const working = workingName(composed.hashes, request.parts);
  if (working !== request.working) return fail('stale_revision', { current: { working } });
  if (request.parts === undefined) return composed;
  const live = (await queries.liveRelease(w.tx, site.id)) ?? fail('conflict', { current: { working } });
  return mixedParts(w.tx, site.id, composed, live.parts, request.parts);
}

/**
 * Publishes the working copy and records as one release, or schedules it. The site is locked, so that two releases at once are two whole ones. Throws
 * `stale_revision` if the working copy is not the one that the caller has seen, `conflict` if the first release of a site shall publish single parts.
 */
export async function createRelease(ctx: Context, call: CallOf<typeof endpoints.createRelease>): Promise<z.input<typeof Release>> {
  const site = siteOf(call);
  const { body, session } = call;
  const publishAt = body.publishAt === undefined ? null : new Date(body.publishAt);
  await ensureTheme(ctx, { site, userId: session.userId, actor: actorOf(call) });
  const id = await inWrite(ctx, call, async (w) => {
    await lockSite(w.tx, site.id);
    const composed = await composeReleased(w, site, body);
    await storeParts(w.tx, site.id, composed);
    const release: NewRelease = {
      siteId: site.id,
      number: await queries.nextNumber(w.tx, site.id),
      state: 'scheduled',
      parts: composed.hashes,
      note: body.note,
      createdBy: session.userId,
      createdAt: w.now,
    };
    if (publishAt !== null && publishAt > w.now) {
      const stored = await queries.insertRelease(w.tx, { ...release, selected: body.records, scheduledFor: publishAt });
      await record(ctx, w.tx, actorOf(call), {
        action: 'publishing.scheduled',
        siteId: site.id,
        target: targetOf(site),
        after: { number: stored.number, scheduledFor: publishAt.toISOString() },
      });
      w.after(() => ctx.live.publish({ type: 'publishing', siteId: site.id }));
      return stored.id;
    }
    const { batchId, published } = await publishForRelease(w, releasingOf(call), body.records);
    const stored = await queries.insertRelease(w.tx, { ...release, state: 'published', batchId, records: published, publishedAt: w.now });
    await goLive(w, site, stored, actorOf(call));
    return stored.id;
  });
  return readRelease(ctx, site.id, id);
}

/** Publishes the working copy of a site that a program has filled, unless something was published already. Its records are published one by one before. */
export async function installRelease(ctx: Context, author: PartAuthor & { readonly site: Site }): Promise<void> {
  const { site, userId, actor } = author;
  await ensureTheme(ctx, author);
  await inWrite(ctx, null, async (w) => {
    await lockSite(w.tx, site.id);
    if ((await queries.liveRelease(w.tx, site.id)) !== null) return;
    const composed = await composeParts(w.tx, site);
    await storeParts(w.tx, site.id, composed);
    const times = { createdAt: w.now, publishedAt: w.now };
    const number = await queries.nextNumber(w.tx, site.id);
    const release = { siteId: site.id, number, state: 'published', parts: composed.hashes, note: '', createdBy: userId, records: 0, ...times } as const;
    await goLive(w, site, await queries.insertRelease(w.tx, release), actor);
  });
}

/** Publishes some parts of the working copy alone, as they are now. Throws `conflict` before the first release of the site. */
export async function publishParts(
  ctx: Context,
  caller: Omit<CallOf<typeof endpoints.createRelease>, 'body'>,
  parts: PartName[],
): Promise<z.input<typeof Release>> {
  const { hashes } = await composeParts(ctx.postgres.db, siteOf(caller));
  return createRelease(ctx, { ...caller, body: { working: workingName(hashes, parts), note: '', records: [], parts } });
}

/** Cancels a scheduled release. Throws `bad_transition` if it is not scheduled any more. */
export async function cancelRelease(ctx: Context, call: CallOf<typeof endpoints.cancelRelease>): Promise<z.input<typeof Release>> {
  const site = siteOf(call);
  const { id } = call.params;
  await ctx.postgres.db.transaction(async (tx) => {
    const found = (await queries.findRelease(tx, site.id, id)) ?? fail('not_found');
    if (!(await queries.endSchedule(tx, id, { state: 'cancelled' }))) fail('bad_transition');
    await record(ctx, tx, actorOf(call), {
      action: 'publishing.cancelled',
      siteId: site.id,
      target: targetOf(site),
      after: { number: found.row.number },
    });
  });
  ctx.live.publish({ type: 'publishing', siteId: site.id });
  return readRelease(ctx, site.id, id);
}

/** Undoes the publications of records by the releases after one, the newest first. Returns how many stay because others have changed them since. */
async function undoPublications(w: WriteTx, releasing: Releasing, target: ReleaseRow): Promise<number> {
  let skipped = 0;
  for (const { batchId } of await queries.publishedAfter(w.tx, target)) if (batchId !== null) skipped += (await undoForRelease(w, releasing, batchId)) ?? 0;
  return skipped;
}

/** Publishes the parts of an earlier release again, as a new release, so that the history shows what visitors got when. */
export async function rollBack(ctx: Context, call: CallOf<typeof endpoints.rollBack>): Promise<ResponseOf<typeof endpoints.rollBack>> {
  const site = siteOf(call);
  const { params, body, session } = call;
  const { id, skipped } = await inWrite(ctx, call, async (w) => {
    await lockSite(w.tx, site.id);
    const target = (await queries.findRelease(w.tx, site.id, params.id)) ?? fail('not_found');
    if (target.row.state !== 'published' || target.live) fail('bad_transition');
    const left = body.records === 'undo' ? await undoPublications(w, releasingOf(call), target.row) : 0;
    const { parts, gone } = await withoutPurged(w.tx, site, target.row.parts);
    const stored = await queries.insertRelease(w.tx, {
      siteId: site.id,
      number: await queries.nextNumber(w.tx, site.id),
      state: 'published',
      parts,
      note: '',
      rollsBackTo: target.row.id,
      createdBy: session.userId,
      createdAt: w.now,
      publishedAt: w.now,
    });
    await goLive(w, site, stored, actorOf(call), gone);
    return { id: stored.id, skipped: left };
  });
  return { release: await readRelease(ctx, site.id, id), skipped };
}

/** What visitors of a site get: the live release with its parts; null before the first one. */
export async function liveSite(
  ctx: Context,
  siteId: string,
): Promise<{ readonly id: string; readonly parts: Awaited<ReturnType<typeof releasedParts>> } | null> {
  const live = await queries.liveRelease(ctx.postgres.db, siteId);
  return live && { id: live.id, parts: await releasedParts(ctx.postgres.db, siteId, live.parts) };
}
