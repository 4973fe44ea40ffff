import { and, eq, inArray, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { mayOnSite } from '../../../contract/permissions';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { fail } from '../../http/failure';
import { actorOf, record } from '../audit';
import { purge } from './purge';
import * as queries from './queries';
import type { Db, ResourceRow } from './queries';
import { resourceReferences, resources, resourceVersions } from './schema';

/**
 * Confidential resources, such as documents of filings: only people who may change the site see them, nobody gets them by an expiring link, and whoever opens one is in
 * the audit log. They never become public again.
 */

export const isConfidential = ({ visibility }: Pick<ResourceRow, 'visibility'>): boolean => visibility === 'confidential';

type Reader = { readonly site: { readonly role: SiteRole }; readonly session: Pick<SessionInfo, 'token'> };
/** Programs do not see them, whatever the person may: the documents of filings have no scope. */
export const seesConfidential = ({ site, session }: Reader): boolean => session.token === null && mayOnSite(site.role, 'site.compose');
/** Throws `not_found` if a resource is confidential and the caller may not see it. */
export function refuseUnseen(row: Pick<ResourceRow, 'visibility'>, reader: Reader): void {
  if (isConfidential(row) && !seesConfidential(reader)) fail('not_found');
}

type Call = { readonly site: SiteAccess; readonly session: SessionInfo; readonly request: FastifyRequest };

/** Notes that the caller opens a resource if it is confidential, and whether it is. Throws `not_found` if they may not. It is sent as a whole: parts are not opened unnoted. */
export async function noteOpening(ctx: Context, call: Call, row: ResourceRow): Promise<boolean> {
  const { site, request } = call;
  refuseUnseen(row, call);
  if (!isConfidential(row)) return false;
  delete request.headers.range;
  await record(ctx, ctx.postgres.db, actorOf(call), { action: 'resource.opened', siteId: site.id, target: { kind: 'resource', id: row.id, name: row.name } });
  return true;
}

/** Whether a content is, or was, that of a confidential resource. */
export async function isConfidentialContent(db: Db, siteId: string, sha256: string): Promise<boolean> {
  const { rows } = await db.execute(sql`SELECT 1 FROM ${resources} r WHERE r.visibility = 'confidential' AND r.id IN (
    SELECT o.id FROM ${resources} o WHERE o.site_id = ${siteId} AND o.sha256 = ${sha256}
    UNION ALL SELECT v.resource_id FROM ${resourceVersions} v WHERE v.site_id = ${siteId} AND v.sha256 = ${sha256}) LIMIT 1`);
  return rows.length > 0;
}

/** Makes resources confidential, in the caller's transaction. */
export const makeConfidential = (tx: Db, siteId: string, ids: readonly string[], now: Date): Promise<string[]> =>
  queries.changeResources(tx, siteId, ids, { visibility: 'confidential', updatedAt: now });

/** Confidential resources that nothing has used since `before`. */
export const abandonedResources = (db: Db, before: Date, most: number): Promise<{ id: string; siteId: string; name: string }[]> =>
  db
    .select({ id: resources.id, siteId: resources.siteId, name: resources.name })
    .from(resources)
    .where(
      and(
        eq(resources.visibility, 'confidential'),
        lt(resources.updatedAt, before),
        notExists(db.select({ id: resourceReferences.resourceId }).from(resourceReferences).where(eq(resourceReferences.resourceId, resources.id))),
      ),
    )
    .limit(most);

/** Deletes resources for good, with their contents. */
export async function eraseResources(ctx: Context, siteId: string, ids: readonly string[]): Promise<void> {
  const { db } = ctx.postgres;
  await db
    .update(resources)
    .set({ deletedAt: new Date(ctx.now()) })
    .where(and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]), isNull(resources.deletedAt)));
  await purge(ctx, siteId, ids);
  ctx.live.publish({ type: 'resources', siteId });
}
