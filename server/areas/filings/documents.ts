import { checklistOf } from '../../../contract/filings/checklist';
import type { FilingChecklist, filingEndpoints as endpoints } from '../../../contract/filings/schemas';
import { filingLimits } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { DAY } from '../../zone';
import { actorOf, record, systemActor } from '../audit';
import {
  abandonedResources,
  addReferences,
  countUses,
  deleteReferences,
  eraseResources,
  makeConfidential,
  resourceLabels,
  usableResources,
} from '../resources';
import { about, announce, authorOf } from './changes';
import * as queries from './queries';
import type { Db, FilingRow } from './queries';

/** What has to be prepared for a filing, and the confidential resources that were prepared. */

const source = 'filing';

/** Uses of resources by the documents of a filing, which end and begin with it. */
const releaseDocuments = (tx: Db, { siteId, id }: FilingRow): Promise<void> => deleteReferences(tx, { siteId, source, owner: id });
export async function claimDocuments(tx: Db, { siteId, id }: FilingRow): Promise<void> {
  const documents = await queries.documentsOf(tx, id);
  await addReferences(
    tx,
    { siteId, source, owner: id },
    documents.map(({ document }) => ({ sourceId: id, place: document.item, resourceId: document.resourceId })),
  );
}

/** Before a filing is removed: the time until its documents are deleted begins. */
export async function abandonDocuments(ctx: Context, tx: Db, row: FilingRow): Promise<void> {
  const documents = await queries.documentsOf(tx, row.id);
  await releaseDocuments(tx, row);
  await makeConfidential(
    tx,
    row.siteId,
    documents.map(({ document }) => document.resourceId),
    new Date(ctx.now()),
  );
}

async function checklist(ctx: Context, siteId: string, id: string): Promise<FilingChecklist> {
  const { db, pool } = ctx.postgres;
  const { row, subjectNature: nature } = (await queries.findFiling(db, siteId, id)) ?? fail('not_found');
  const [documents, ended] = [await queries.documentsOf(db, row.id), await queries.endedSince(db, row)];
  const labels = await resourceLabels(
    async (text, values) => (await pool.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' })).rows,
    siteId,
    documents.map(({ document }) => document.resourceId),
  );
  const done = new Set<string>(row.checklist);
  return {
    items: checklistOf({ ...row, nature }).map((item) => ({ item, done: done.has(item) })),
    documents: documents.flatMap(({ document: { resourceId, item, at }, by }): FilingChecklist['documents'] => {
      const label = labels[resourceId];
      if (label === undefined || label.deleted) return [];
      const { name, kind, contentType, sha256, bytes } = label;
      const purgeAt = ended && new Date(Math.max(ended.getTime(), at.getTime()) + filingLimits.documentDays * DAY).toISOString();
      return [{ resource: resourceId, item: item === '' ? null : item, name, kind, contentType, sha256, bytes, at: at.toISOString(), by, purgeAt }];
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

/** Attaches a resource and makes it confidential. Throws `referenced` if something else uses it, which would lose it, and `conflict` at the maximum number. */
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
    await makeConfidential(tx, site.id, [body.resource], at);
    const resource = (await usableResources(tx, site.id, [body.resource])).get(body.resource);
    if (!resource || resource.removed) return failField('resource', 'unknown');
    if (resource.kind !== 'attachment' && resource.kind !== 'image') return failField('resource', 'wrong_type');
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

/** The resource stays, confidential, and is deleted once nothing has used it for as long as documents stay. */
export async function detachDocument(ctx: Context, call: CallOf<typeof endpoints.detachFilingDocument>): Promise<FilingChecklist> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    if (!(await queries.deleteDocument(tx, row.id, params.resource))) fail('not_found');
    await makeConfidential(tx, site.id, [params.resource], new Date(ctx.now()));
    await releaseDocuments(tx, row);
    await claimDocuments(tx, row);
    await record(ctx, tx, actorOf(call), { action: 'filing.document_removed', ...about(row) });
  });
  announce(ctx, site.id);
  return checklist(ctx, site.id, params.id);
}

/** Deletions of one run. */
const mostPurged = 500;

/** A failure, such as of one file, does not keep other documents from being deleted. */
async function orLater(ctx: Context, siteId: string, purge: () => Promise<void>): Promise<void> {
  try {
    await purge();
  } catch (error) {
    ctx.log.warn('A document of a filing could not be deleted; it is tried again', { siteId, error });
  }
}

/**
 * Deletes documents of filings that were approved or cancelled 30 days ago, and files that have been documents of no filing for as long: they contain identities of
 * people. Runs hourly.
 */
export async function purgeDocuments(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const before = new Date(ctx.now() - filingLimits.documentDays * DAY);
  for (const { filing, resourceId } of await queries.endedDocuments(db, before, mostPurged))
    await orLater(ctx, filing.siteId, async () => {
      await db.transaction(async (tx) => {
        if (!(await queries.deleteDocument(tx, filing.id, resourceId))) return;
        await releaseDocuments(tx, filing);
        await claimDocuments(tx, filing);
        await record(ctx, tx, systemActor, { action: 'filing.document_purged', ...about(filing) });
      });
      await eraseResources(ctx, filing.siteId, [resourceId]);
      announce(ctx, filing.siteId);
    });
  for (const { id, siteId } of await abandonedResources(db, before, mostPurged)) await orLater(ctx, siteId, () => eraseResources(ctx, siteId, [id]));
}
