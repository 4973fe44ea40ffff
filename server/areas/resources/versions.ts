import type { FastifyInstance } from 'fastify';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { ImageEdit } from '../../../contract/resources/edits';
import { resourceLibraryEndpoints as endpoints } from '../../../contract/resources/library';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { users } from '../account/schema';
import { refuseUnseen } from './confidential';
import * as queries from './queries';
import type { BlobRow, Db, ResourceRow } from './queries';
import { displayedSize, readResource, resourceResponse } from './responses';
import { blobs, resourceVersions } from './schema';

const versionBlob = and(eq(blobs.siteId, resourceVersions.siteId), eq(blobs.sha256, resourceVersions.sha256));

export type NewContent = Pick<BlobRow, 'sha256' | 'kind'> & ImageEdit & { readonly createdBy: string | null };

/** Gives a resource another content; the one that it had becomes an earlier version, with the way in which it was turned and cropped. Throws `stale_revision`. */
export async function replaceContent(db: Db, row: ResourceRow, content: NewContent, now: Date): Promise<void> {
  // The change goes first: of two at once, the second waits for it and then has another revision.
  const changed = await queries.changeResource(db, row.siteId, row.id, row.revision, { ...content, version: row.version + 1, updatedAt: now });
  if (!changed) fail('stale_revision');
  await queries.addVersion(db, {
    resourceId: row.id,
    version: row.version,
    siteId: row.siteId,
    sha256: row.sha256,
    name: row.name,
    rotation: row.rotation,
    crop: row.crop,
    createdBy: row.createdBy,
    createdAt: row.updatedAt,
  });
}

/** The latest earlier version of a resource whose hash begins with `prefix`, and its content. */
export async function findVersion(db: Db, resourceId: string, prefix: string): Promise<(ImageEdit & { readonly blob: BlobRow }) | null> {
  const [found] = await db
    .select({ blob: blobs, rotation: resourceVersions.rotation, crop: resourceVersions.crop })
    .from(resourceVersions)
    .innerJoin(blobs, versionBlob)
    .where(and(eq(resourceVersions.resourceId, resourceId), sql`starts_with(${resourceVersions.sha256}, ${prefix})`))
    .orderBy(desc(resourceVersions.version))
    .limit(1);
  return found ?? null;
}

/** A resource with the content whose hash begins with `prefix`; the current one if there is none, or without `prefix`. Null if there is no such resource. */
export async function findContent(db: Db, siteId: string, id: string, prefix: string | undefined): Promise<queries.ResourceWithBlob | null> {
  const found = await queries.findResource(db, siteId, id);
  if (!found || prefix === undefined || found.row.sha256.startsWith(prefix)) return found;
  const earlier = await findVersion(db, id, prefix);
  return earlier ? { ...found, row: { ...found.row, rotation: earlier.rotation, crop: earlier.crop }, blob: earlier.blob } : found;
}

/** Earlier versions, the latest first. */
async function listVersions(
  ctx: Context,
  { site, session, params }: CallOf<typeof endpoints.resourceVersions>,
): Promise<ResponseOf<typeof endpoints.resourceVersions>> {
  const { db } = ctx.postgres;
  const { row: current } = (await queries.findResource(db, site.id, params.id)) ?? fail('not_found');
  refuseUnseen(current, { site, session });
  const found = await db
    .select({ row: resourceVersions, blob: blobs, by: users.displayName })
    .from(resourceVersions)
    .innerJoin(blobs, versionBlob)
    .leftJoin(users, eq(users.id, resourceVersions.createdBy))
    .where(eq(resourceVersions.resourceId, params.id))
    .orderBy(desc(resourceVersions.version))
    .limit(100);
  return found.map(({ row, blob, by }) => ({
    version: row.version,
    kind: blob.kind,
    contentType: blob.contentType,
    bytes: blob.bytes,
    sha256: row.sha256,
    ...displayedSize(blob, row),
    rotation: row.rotation,
    crop: row.crop,
    by: by ?? '',
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Makes an earlier version the current one; the one that was current becomes an earlier one. */
async function activateVersion(
  ctx: Context,
  { site, params, session, ifMatch }: CallOf<typeof endpoints.activateResourceVersion>,
): Promise<ResponseOf<typeof endpoints.activateResourceVersion>> {
  await ctx.postgres.db.transaction(async (tx) => {
    const current = (await queries.findResource(tx, site.id, params.id)) ?? fail('not_found');
    if (current.row.deletedAt !== null) fail('not_found');
    refuseUnseen(current.row, { site, session });
    if (current.row.revision !== ifMatch()) fail('stale_revision', { current: resourceResponse(current) });
    const at = and(eq(resourceVersions.resourceId, params.id), eq(resourceVersions.version, params.version));
    const [version] = await tx
      .delete(resourceVersions)
      .where(at)
      .returning({ sha256: resourceVersions.sha256, rotation: resourceVersions.rotation, crop: resourceVersions.crop });
    const blob = version && (await queries.findBlob(tx, site.id, version.sha256));
    if (!version || !blob) return fail('not_found');
    return replaceContent(tx, current.row, { ...version, kind: blob.kind, createdBy: session.userId }, new Date(ctx.now()));
  });
  ctx.live.publish({ type: 'resources', siteId: site.id });
  return readResource(ctx, site.id, params.id);
}

export function registerVersions(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceVersions, (call) => listVersions(ctx, call));
  route(app, ctx, endpoints.activateResourceVersion, (call) => activateVersion(ctx, call));
}
