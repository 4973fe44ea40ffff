import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { resourceStorageEndpoints as endpoints } from '../../../contract/resources/storage';
import type { ResourceStorage, ResourceStorageInput } from '../../../contract/resources/storage';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { actorOf, record } from '../audit';
import { fileTooLarge, storageFull } from './messages';
import type { Db } from './queries';
import { blobs, isVideoName, resourceSettings, resources, resourceUploads, resourceVariants } from './schema';

type SettingsRow = typeof resourceSettings.$inferSelect;
type Limits = { readonly maxBytes: number; readonly maxFileBytes: number };

const findSettings = async (db: Db, siteId: string): Promise<SettingsRow | null> =>
  (await db.select().from(resourceSettings).where(eq(resourceSettings.siteId, siteId)))[0] ?? null;

const installationLimits = ({ config }: Context): Limits => ({ maxBytes: config.resourcesMaxBytes, maxFileBytes: config.resourceMaxBytes });

/** Those of the site, but at most those of the installation, which may have become smaller since. */
function limitsOf(ctx: Context, row: SettingsRow | null): Limits {
  const { maxBytes, maxFileBytes } = installationLimits(ctx);
  return { maxBytes: Math.min(row?.maxBytes ?? maxBytes, maxBytes), maxFileBytes: Math.min(row?.maxFileBytes ?? maxFileBytes, maxFileBytes) };
}

type Use = { readonly stored: number; readonly converted: number; readonly uploading: number };

/**
 * Bytes of the contents, the converted videos and the unfinished uploads of a site. Uploads count with their announced size from the beginning, so that several
 * at once cannot exceed the limit together.
 */
async function useOf(db: Db, siteId: string): Promise<Use> {
  const { rows } = await db.execute<Record<keyof Use, string>>(sql`SELECT
    (SELECT coalesce(sum(${blobs.bytes}), 0) FROM ${blobs} WHERE ${blobs.siteId} = ${siteId}) AS stored,
    (SELECT coalesce(sum(${resourceVariants.bytes}), 0) FROM ${resourceVariants}
      WHERE ${resourceVariants.siteId} = ${siteId} AND ${isVideoName(resourceVariants.name)}) AS converted,
    (SELECT coalesce(sum(greatest(${resourceUploads.bytes}, 0)), 0) FROM ${resourceUploads}
      WHERE ${resourceUploads.siteId} = ${siteId} AND ${resourceUploads.resourceId} IS NULL) AS uploading`);
  const [use] = rows;
  return { stored: Number(use?.stored ?? 0), converted: Number(use?.converted ?? 0), uploading: Number(use?.uploading ?? 0) };
}

async function usedBytes(db: Db, siteId: string): Promise<number> {
  const { stored, converted, uploading } = await useOf(db, siteId);
  return stored + converted + uploading;
}

/** Bytes that a new file of a site may have at most. */
export async function roomFor(ctx: Context, siteId: string): Promise<number> {
  const { db } = ctx.postgres;
  const { maxBytes, maxFileBytes } = limitsOf(ctx, await findSettings(db, siteId));
  return Math.max(0, Math.min(maxFileBytes, maxBytes - (await usedBytes(db, siteId))));
}

/** Bytes that a site stores and may store. */
export async function storageUse(ctx: Context, siteId: string): Promise<{ readonly usedBytes: number; readonly maxBytes: number }> {
  const { db } = ctx.postgres;
  const [row, bytes] = await Promise.all([findSettings(db, siteId), usedBytes(db, siteId)]);
  return { usedBytes: bytes, maxBytes: limitsOf(ctx, row).maxBytes };
}

/**
 * Throws `too_large`, which names limit and use, if a file of this size exceeds the limits of a site. `isCounted`: its upload exists already, so that the use
 * includes it.
 */
export async function checkLimits(ctx: Context, siteId: string, bytes: number, isCounted = false): Promise<void> {
  const { db } = ctx.postgres;
  const { maxBytes, maxFileBytes } = limitsOf(ctx, await findSettings(db, siteId));
  if (bytes > maxFileBytes) fail('too_large', { message: fileTooLarge(bytes, maxFileBytes) });
  const used = (await usedBytes(db, siteId)) - (isCounted ? bytes : 0);
  if (used + bytes > maxBytes) fail('too_large', { message: storageFull({ bytes, used, max: maxBytes }) });
}

/** Checks the limits for a file and then runs `add`, which records it or its upload; one at a time for each site. */
export const withRoom = <T>(ctx: Context, siteId: string, bytes: number, add: () => Promise<T>): Promise<T> =>
  ctx.postgres.withLock(`resource storage ${siteId}`, async () => {
    await checkLimits(ctx, siteId, bytes);
    return add();
  });

async function storageOf(ctx: Context, siteId: string): Promise<ResourceStorage> {
  const { db } = ctx.postgres;
  const row = await findSettings(db, siteId);
  // Posters of videos count as used by them.
  const isUsedAs = (content: typeof resources.sha256 | typeof resources.posterSha256) =>
    sql`EXISTS (SELECT 1 FROM ${resources} WHERE ${resources.siteId} = ${blobs.siteId} AND ${resources.deletedAt} IS NULL AND ${content} = ${blobs.sha256})`;
  // Each has an index; a single condition would compare every content with every resource.
  const isCurrent = sql`(${isUsedAs(resources.sha256)} OR ${isUsedAs(resources.posterSha256)})`;
  const kinds = await db
    .select({
      kind: blobs.kind,
      bytes: sql<number>`sum(${blobs.bytes})`.mapWith(Number),
      current: sql<number>`coalesce(sum(${blobs.bytes}) FILTER (WHERE ${isCurrent}), 0)`.mapWith(Number),
    })
    .from(blobs)
    .where(eq(blobs.siteId, siteId))
    .groupBy(blobs.kind)
    .orderBy(sql`2 DESC`);
  const { converted, uploading } = await useOf(db, siteId);
  const stored = kinds.reduce((all, { bytes }) => all + bytes, 0);
  return {
    usedBytes: stored + converted + uploading,
    freeableBytes: stored + uploading - kinds.reduce((all, { current }) => all + current, 0),
    uploadingBytes: uploading,
    kinds: kinds.map(({ kind, bytes }) => ({ kind, bytes: kind === 'video' ? bytes + converted : bytes })),
    ...limitsOf(ctx, row),
    own: { maxBytes: row?.maxBytes ?? null, maxFileBytes: row?.maxFileBytes ?? null },
    installation: installationLimits(ctx),
    revision: row?.revision ?? 0,
  };
}

/** Writes limits if the stored ones have `revision` (0: none are stored); whether it did. */
async function writeLimits(db: Db, siteId: string, revision: number, limits: ResourceStorageInput): Promise<boolean> {
  const written =
    revision === 0
      ? await db
          .insert(resourceSettings)
          .values({ siteId, ...limits })
          .onConflictDoNothing()
          .returning()
      : await db
          .update(resourceSettings)
          .set({ ...limits, revision: revision + 1 })
          .where(and(eq(resourceSettings.siteId, siteId), eq(resourceSettings.revision, revision)))
          .returning();
  return written.length > 0;
}

/** Limits below the current use are allowed: what is stored stays, and nothing is added until there is room again. */
async function changeStorage(ctx: Context, call: CallOf<typeof endpoints.changeResourceStorage>): Promise<ResourceStorage> {
  const { site, body, ifMatch } = call;
  const most = installationLimits(ctx);
  const exceeding = (['maxBytes', 'maxFileBytes'] as const).filter((name) => (body[name] ?? 0) > most[name]);
  if (exceeding.length > 0)
    fail('invalid_fields', { fields: Object.fromEntries(exceeding.map((name) => [name, { code: 'out_of_range' as const, max: most[name] }])) });
  const changed = await ctx.postgres.db.transaction(async (tx) => {
    const before = await findSettings(tx, site.id);
    if (!(await writeLimits(tx, site.id, ifMatch(), body))) return false;
    await record(ctx, tx, actorOf(call), {
      action: 'resource.limits_changed',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      before: { maxBytes: before?.maxBytes ?? null, maxFileBytes: before?.maxFileBytes ?? null },
      after: body,
    });
    return true;
  });
  const current = await storageOf(ctx, site.id);
  if (!changed) fail('stale_revision', { current });
  ctx.live.publish({ type: 'resources', siteId: site.id });
  return current;
}

export function registerStorage(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceStorage, ({ site }) => storageOf(ctx, site.id));
  route(app, ctx, endpoints.changeResourceStorage, (call) => changeStorage(ctx, call));
}
