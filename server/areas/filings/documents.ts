import { checklistOf } from '../../../contract/filings/checklist';
import type { FilingChecklist, filingEndpoints as endpoints } from '../../../contract/filings/schemas';
import { filingLimits } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { actorOf, record } from '../audit';
import { addReferences, countUses, deleteReferences, hideResources, resourceLabels, usableResources } from '../resources';
import { about, announce, authorOf } from './changes';
import * as queries from './queries';
import type { Db, FilingRow } from './queries';

/** What has to be prepared for a filing, and the private resources that were prepared. */

const source = 'filing';

/** Uses of resources by the documents of a filing, which end and begin with it. */
export const releaseDocuments = (tx: Db, { siteId, id }: FilingRow): Promise<void> => deleteReferences(tx, { siteId, source, owner: id });
export async function claimDocuments(tx: Db, { siteId, id }: FilingRow): Promise<void> {
  const documents = await queries.documentsOf(tx, id);
  await addReferences(
    tx,
    { siteId, source, owner: id },
    documents.map(({ document }) => ({ sourceId: id, place: document.item, resourceId: document.resourceId })),
  );
}

async function checklist(ctx: Context, siteId: string, id: string): Promise<FilingChecklist> {
  const { db, pool } = ctx.postgres;
  const { row, subjectNature: nature } = (await queries.findFiling(db, siteId, id)) ?? fail('not_found');
  const documents = await queries.documentsOf(db, row.id);
  const labels = await resourceLabels(
    async (text, values) => (await pool.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' })).rows,
    siteId,
    documents.map(({ document }) => document.resourceId),
  );
  const done = new Set<string>(row.checklist);
  return {
    items: checklistOf({ ...row, nature }).map((item) => ({ item, done: done.has(item) })),
    documents: documents.flatMap(({ document: { resourceId, item, at }, by }) => {
      const label = labels[resourceId];
      if (label === undefined || label.deleted) return [];
      const { name, kind, contentType, sha256, bytes } = label;
      return [{ resource: resourceId, item: item === '' ? null : item, name, kind, contentType, sha256, bytes, at: at.toISOString(), by }];
    }),
  };
}

export const readChecklist = (ctx: Context, { site, params }: CallOf<typeof endpoints.filingChecklist>): Promise<FilingChecklist> =>
  checklist(ctx, site.id, params.id);

export async function tickItem(ctx: Context, { site, params, body }: CallOf<typeof endpoints.changeFilingChecklist>): Promise<FilingChecklist> {
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    const others = row.checklist.filter((item) => item !== body.item);
    await queries.updateFiling(tx, row.id, { checklist: body.done ? [...others, body.item] : others });
  });
  announce(ctx, site.id);
  return checklist(ctx, site.id, params.id);
}

/** Attaches a resource and makes it private. Throws `referenced` if something else uses it, which would lose it, and `conflict` at the maximum number. */
export async function attachDocument(ctx: Context, call: CallOf<typeof endpoints.attachFilingDocument>): Promise<FilingChecklist> {
  const { site, params, body } = call;
  const actor = actorOf(call);
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    const known = await queries.documentsOf(tx, row.id);
    const isKnown = known.some(({ document }) => document.resourceId === body.resource);
    if (!isKnown && known.length >= filingLimits.documents) fail('conflict');
    const at = new Date(ctx.now());
    // Before its uses are counted: the lock waits for transactions that are about to use it, and holds off later ones.
    await hideResources(tx, site.id, [body.resource], at);
    const resource = (await usableResources(tx, site.id, [body.resource])).get(body.resource);
    if (!resource || resource.removed) return failField('resource', 'unknown');
    if (!isKnown && (await countUses(tx, site.id, [body.resource])) > 0) fail('referenced');
    await queries.putDocument(tx, { filingId: row.id, resourceId: body.resource, item: body.item ?? '', at, createdBy: authorOf(actor) });
    await releaseDocuments(tx, row);
    await claimDocuments(tx, row);
    await record(ctx, tx, actor, { action: 'filing.document_added', ...about(row) });
  });
  announce(ctx, site.id);
  ctx.live.publish({ type: 'resources', siteId: site.id });
  return checklist(ctx, site.id, params.id);
}

/** The resource stays, private. */
export async function detachDocument(ctx: Context, call: CallOf<typeof endpoints.detachFilingDocument>): Promise<FilingChecklist> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    if (!(await queries.deleteDocument(tx, row.id, params.resource))) fail('not_found');
    await releaseDocuments(tx, row);
    await claimDocuments(tx, row);
    await record(ctx, tx, actorOf(call), { action: 'filing.document_removed', ...about(row) });
  });
  announce(ctx, site.id);
  return checklist(ctx, site.id, params.id);
}
