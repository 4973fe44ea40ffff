import { and, count, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { ResourceLabel } from '../../../contract/resources/labels';
import { resourceAddress } from '../../../contract/resources/addresses';
import { srcsetOf } from '../../../contract/resources/snippets';
import { isBlocked } from '../../../contract/resources/terms';
import type { ResourceKind, ScanResult } from '../../../contract/resources/terms';
import type { Db } from './queries';
import { displayedSize } from './responses';
import { resourceReferences, resources } from './schema';

/** What uses resources: `source` is its kind, such as `record`; `owner`: what it belongs to, such as its table. */
type ReferenceOwner = { readonly siteId: string; readonly source: string; readonly owner: string };

/**
 * One statement that replaces the references of some sources of an owner. `used` is a query with the columns `source_id` (text), `place` (text) and `resource_id`
 * (uuid). Parameters: `$1` site, `$2` source, `$3` owner, `$4` ids of the sources (text[]); `used` may use them too.
 */
export const replaceReferences = (used: string): string =>
  `WITH used AS MATERIALIZED (${used}),
     gone AS (DELETE FROM resource_references r WHERE r.site_id = $1::text AND r.source = $2::text AND r.owner = $3::text AND r.source_id = ANY($4::text[])
       AND NOT EXISTS (SELECT 1 FROM used u WHERE u.source_id = r.source_id AND u.place = r.place AND u.resource_id = r.resource_id))
   INSERT INTO resource_references (site_id, resource_id, source, owner, source_id, place)
   SELECT DISTINCT $1::text, u.resource_id, $2::text, $3::text, u.source_id, u.place FROM used u ON CONFLICT DO NOTHING`;

/** Adds uses of resources by an owner; the caller has checked that they exist (`usableResources`). */
export const addReferences = async (
  db: Pick<Db, 'insert'>,
  by: ReferenceOwner,
  uses: readonly { readonly sourceId: string; readonly place: string; readonly resourceId: string }[],
): Promise<void> => {
  if (uses.length === 0) return;
  await db
    .insert(resourceReferences)
    .values(uses.map((use) => ({ ...by, ...use })))
    .onConflictDoNothing();
};

/** Deletes the references of an owner: of some sources, in some places, or all. */
export const deleteReferences = async (
  db: Pick<Db, 'delete'>,
  { siteId, source, owner }: ReferenceOwner,
  { sourceIds, places }: { readonly sourceIds?: readonly string[]; readonly places?: readonly string[] } = {},
): Promise<void> =>
  void (await db
    .delete(resourceReferences)
    .where(
      and(
        eq(resourceReferences.siteId, siteId),
        eq(resourceReferences.source, source),
        eq(resourceReferences.owner, owner),
        sourceIds ? inArray(resourceReferences.sourceId, [...sourceIds]) : undefined,
        places ? inArray(resourceReferences.place, [...places]) : undefined,
      ),
    ));

/**
 * A part of a statement: the uses of resources by records of a table, with the columns `resource_id`, `source_id` (text) and `place`. The arguments are SQL:
 * site (text), owner (text) and resources (uuid[]).
 */
export const recordUses = (site: string, owner: string, ids: string): string =>
  `(SELECT resource_id, source_id, place FROM resource_references WHERE site_id = ${site} AND source = 'record' AND owner = ${owner} AND resource_id = ANY(${ids}))`;

/** How many places use any of some resources, whatever uses them. */
export const countUses = async (db: Pick<Db, 'select'>, siteId: string, ids: readonly string[]): Promise<number> =>
  (
    await db
      .select({ uses: count() })
      .from(resourceReferences)
      .where(and(eq(resourceReferences.siteId, siteId), inArray(resourceReferences.resourceId, [...ids])))
  )[0]?.uses ?? 0;

const byRecords = (siteId: string, ids: readonly string[]) =>
  and(eq(resourceReferences.siteId, siteId), eq(resourceReferences.source, 'record'), inArray(resourceReferences.resourceId, [...ids]));

/** Tables with records that use any of some resources. */
export const tablesUsing = async (db: Pick<Db, 'selectDistinct'>, siteId: string, ids: readonly string[]): Promise<string[]> =>
  (await db.selectDistinct({ owner: resourceReferences.owner }).from(resourceReferences).where(byRecords(siteId, ids))).map(({ owner }) => owner);

/** Those of `ids` that something other than a record uses. */
export const usedOutsideRecords = async (db: Pick<Db, 'selectDistinct'>, siteId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectDistinct({ id: resourceReferences.resourceId })
      .from(resourceReferences)
      .where(and(eq(resourceReferences.siteId, siteId), inArray(resourceReferences.resourceId, [...ids]), ne(resourceReferences.source, 'record')))
  ).map(({ id }) => id);

export const countRecordsUsing = async (db: Pick<Db, 'select'>, siteId: string, ids: readonly string[]): Promise<number> =>
  (
    await db
      .select({ records: sql<number>`count(DISTINCT (${resourceReferences.owner}, ${resourceReferences.sourceId}))`.mapWith(Number) })
      .from(resourceReferences)
      .where(byRecords(siteId, ids))
  )[0]?.records ?? 0;

/** Records that use any of some resources, in the order of owner and id, after `after`. */
export const recordsUsing = (
  db: Pick<Db, 'selectDistinct'>,
  siteId: string,
  ids: readonly string[],
  after: { readonly owner: string; readonly sourceId: string } | null,
  most: number,
): Promise<{ owner: string; sourceId: string }[]> =>
  db
    .selectDistinct({ owner: resourceReferences.owner, sourceId: resourceReferences.sourceId })
    .from(resourceReferences)
    .where(
      and(byRecords(siteId, ids), after ? sql`(${resourceReferences.owner}, ${resourceReferences.sourceId}) > (${after.owner}, ${after.sourceId})` : undefined),
    )
    .orderBy(resourceReferences.owner, resourceReferences.sourceId)
    .limit(most);

/** Kinds of the resources of a site among `ids`, by id; `removed`: in the bin; `confidential`: only filings use them. Locks them, so that they are not moved to the bin before the use is stored. */
export async function usableResources(
  tx: Pick<Db, 'select'>,
  siteId: string,
  ids: readonly string[],
): Promise<Map<string, { readonly kind: ResourceKind; readonly removed: boolean; readonly confidential: boolean }>> {
  if (ids.length === 0) return new Map();
  const found = await tx
    .select({ id: resources.id, kind: resources.kind, deletedAt: resources.deletedAt, visibility: resources.visibility })
    .from(resources)
    .where(and(eq(resources.siteId, siteId), inArray(resources.id, [...ids]), isNull(resources.pendingUntil)))
    .orderBy(resources.id)
    .for('share');
  return new Map(found.map(({ id, kind, deletedAt, visibility }) => [id, { kind, removed: deletedAt !== null, confidential: visibility === 'confidential' }]));
}

type Labelled = Omit<ResourceLabel, 'url' | 'srcset' | 'blocked'> & { readonly scan: ScanResult | null };
const labelsText = `SELECT r.id::text, json_build_object('id', r.id, 'name', r.name, 'kind', r.kind, 'contentType', b.content_type, 'bytes', b.bytes, 'sha256', r.sha256,
    'width', b.width, 'height', b.height, 'alt', r.alt, 'thumbhash', b.thumbhash, 'color', b.color, 'deleted', r.deleted_at IS NOT NULL, 'scan', b.scan,
    'visibility', r.visibility, 'focalX', r.focal_x, 'focalY', r.focal_y, 'rotation', r.rotation, 'crop', r.crop)::text
  FROM resources r JOIN blobs b ON b.site_id = r.site_id AND b.sha256 = r.sha256 WHERE r.site_id = $1::text AND r.id = ANY($2::uuid[])`;

const srcsetFor = ({ kind, width, height, ...label }: Omit<Labelled, 'scan'>): string =>
  kind === 'image' && width !== null && height !== null ? srcsetOf({ ...label, width, height }) : '';

/** What records show of resources of a site, by id, including those in the bin. `ask` runs a statement and returns its rows as texts. */
export async function resourceLabels(
  ask: (text: string, values: readonly unknown[]) => Promise<readonly (readonly (string | null)[])[]>,
  siteId: string,
  ids: readonly string[],
): Promise<Record<string, ResourceLabel>> {
  const labels: Record<string, ResourceLabel> = {};
  for (const [id, json] of await ask(labelsText, [siteId, [...ids]])) {
    if (id === null || id === undefined || json === null || json === undefined) continue;
    const { scan, ...stored } = JSON.parse(json) as Labelled;
    const label = { ...stored, ...displayedSize(stored, stored) };
    labels[id] = { ...label, blocked: isBlocked({ scan }), url: resourceAddress(label), srcset: srcsetFor(label) };
  }
  return labels;
}
