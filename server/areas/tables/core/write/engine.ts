import { eq } from 'drizzle-orm';
import { violatedConstraint } from '../../../../stores/postgres/conflict';
import { Failure, fail } from '../../../../http/failure';
import { newRecordId } from '../ids';
import type { TableModel } from '../model';
import { contentFields, contentTables } from '../schema';
import type { Applied, Writing } from './apply';
import { fetchLinkedFiles } from './linkedFiles';
import { queueWebhookDeliveries } from './outbox';
import { run } from './rows';
import { writeStates } from './writeStates';
import type { StateChange } from './writeStates';
import type { TableContext } from '../tableContext';
import type { BatchResult, Change, ChangeResult, WriteOptions, WriteTx } from './types';
import type { ValuesChange, PartResult } from './item';
import { writeValues } from './writeValues';
import { pathTo } from './item';

type Part = {
  readonly table: TableModel;
  readonly kind: 'values' | 'states';
  readonly locale: string | undefined;
  readonly changes: { readonly at: number; readonly change: Change }[];
  readonly ids: Set<string>;
};

/** Groups changes that can be written together: one table, one kind, one language, no record twice. */
function partsOf(context: TableContext, changes: readonly Change[]): Part[] {
  const parts: Part[] = [];
  changes.forEach((change, at) => {
    const table = change.table ?? context.table;
    const kind = change.kind === 'create' || change.kind === 'update' ? 'values' : 'states';
    const last = parts.at(-1);
    const fits =
      last && last.table.id === table.id && last.kind === kind && last.locale === change.locale && !(change.id !== undefined && last.ids.has(change.id));
    const part: Part = fits ? last : { table, kind, locale: change.locale, changes: [], ids: new Set() };
    if (!fits) parts.push(part);
    part.changes.push({ at, change });
    if (change.id !== undefined) part.ids.add(change.id);
  });
  return parts;
}

/**
 * Writes record changes as one batch: permissions, values, rules, links and published states, history, the batch for undo, webhooks, and one live event
 * per table after the commit. Throws `not_found` and `forbidden` for missing permissions, `invalid_fields` with row and field (`records.3.price`) for
 * invalid values, and `Clashed` if others have changed the same fields since (`revision`). At most 10,000 changes at once.
 */
export async function writeBatch(w: WriteTx, context: TableContext, changes: readonly Change[], options: WriteOptions): Promise<BatchResult> {
  const { siteId } = context.model;
  const writing: Writing = { siteId, batchId: options.batchId ?? newRecordId(w.now.getTime()), origin: options.origin, actor: context.reader.userId };
  const results = new Map<number, ChangeResult>();
  const touched = new Map<string, Set<string>>();
  const counts = { created: 0, updated: 0, removed: 0, unchanged: 0, restored: 0 };
  const counted = new Set<string>();
  const same = new Set<string>();
  const events = new Map<string, Applied[]>();
  const note = (table: TableModel, applied: Applied): void => {
    if (!applied.changed) return;
    touched.set(table.id, (touched.get(table.id) ?? new Set()).add(applied.id));
    const known = events.get(table.id);
    if (known) known.push(applied);
    else events.set(table.id, [applied]);
  };
  for (const part of partsOf(context, changes)) {
    const done = await guarded(part, options, () =>
      part.kind === 'values'
        ? writeValues(
            w,
            context,
            part.table,
            part.changes as { at: number; change: ValuesChange }[],
            { ...options, locale: part.locale ?? options.locale },
            writing,
          )
        : writeStates(w, context, part.table, part.changes as { at: number; change: StateChange }[], options, writing),
    );
    for (const { at, id, n, revision, applied, errors } of done.outcomes) {
      const kind = applied?.changed === true ? applied.kind : null;
      const outcome = errors ? 'failed' : kind === null ? 'unchanged' : kind === 'create' ? 'created' : 'updated';
      results.set(at, { id, n, revision, outcome, errors, system: changes[at]?.system === true });
      // A record that is created and published at once counts as created.
      if ((outcome === 'created' || outcome === 'updated') && !counted.has(id)) {
        counts[outcome === 'created' ? 'created' : kind === 'trash' ? 'removed' : 'updated']++;
        if (kind === 'restore') counts.restored++;
        counted.add(id);
      } else if (outcome === 'unchanged') same.add(id);
      if (applied) note(part.table, applied);
    }
    for (const other of done.others) for (const applied of other.applied) note(other.table, applied);
  }
  for (const id of same) if (!counted.has(id)) counts.unchanged++;
  const ordered = changes.map((_, at) => results.get(at) ?? fail('internal'));
  if (touched.size === 0 || options.check === true) return { batchId: null, ...counts, results: ordered };
  const hasWebhooks = await storeBatch(w, context, writing, counts, options);
  if (hasWebhooks) for (const [tableId, applied] of events) await queueWebhookDeliveries(w, { siteId, tableId, batchId: writing.batchId, applied });
  for (const [tableId, ids] of touched) publishRecords(w, siteId, tableId, [...ids], context.reader.userId);
  fetchLinkedFiles(w, context, touched, changes, options.origin);
  return { batchId: writing.batchId, ...counts, results: ordered };
}

/** Maximum number of ids in an event. */
const mostPublishedIds = 150;
export function publishRecords(w: WriteTx, siteId: string, tableId: string, ids: readonly string[], by: string | null): void {
  w.after(() => w.ctx.live.publish({ type: 'records', siteId, tableId, ids: ids.length > mostPublishedIds ? [] : [...ids], by }));
}

/** `restored`: subset of `updated` that came back from the bin. */
type Counts = { readonly created: number; readonly updated: number; readonly removed: number; readonly restored: number };
/** Inserts a batch row, or adds to it. Returns whether the site has webhooks that may match. */
export async function storeBatch(
  w: WriteTx,
  context: TableContext,
  writing: Writing,
  counts: Counts,
  options: Pick<WriteOptions, 'of' | 'batchId' | 'source'>,
): Promise<boolean> {
  const { created, updated, removed, restored } = counts;
  const { siteId, batchId, origin, actor } = writing;
  const [stored] = await run<{ revision: number; hooked: boolean }>(
    w.tx,
    `INSERT INTO content_batches AS b (id, site_id, table_id, door, actor, at, created, updated, removed, of, source, restored)
     VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::uuid, $6::timestamptz, $7::int, $8::int, $9::int, $10::uuid, $11::text, $12::int)
     ON CONFLICT (id) DO UPDATE SET created = b.created + excluded.created, updated = b.updated + excluded.updated, removed = b.removed + excluded.removed,
       restored = b.restored + excluded.restored
     WHERE b.site_id = excluded.site_id
     RETURNING (SELECT revision FROM content_sites WHERE site_id = $2::text) AS revision,
       EXISTS (SELECT FROM content_hooks WHERE site_id = $2::text AND enabled) AS hooked`,
    [batchId, siteId, context.table.id, origin, actor, w.now.toISOString(), created, updated, removed, options.of ?? null, options.source ?? null, restored],
    'content_batch',
  );
  if (stored && stored.revision !== context.model.revision) await refuseConverted(w, context);
  return stored?.hooked ?? true;
}

/**
 * Throws `conflict` if definitions changed since the writer read them in a way that invalidates its checks: a field changed type or a choice was
 * removed. The swap of a conversion and the removal of a choice are serialized with writers, so nothing can change after this check.
 */
async function refuseConverted(w: WriteTx, { model }: TableContext): Promise<void> {
  const rows = await w.tx
    .select({ id: contentFields.id, type: contentFields.type, options: contentFields.options })
    .from(contentFields)
    .innerJoin(contentTables, eq(contentTables.id, contentFields.tableId))
    .where(eq(contentTables.siteId, model.siteId));
  const isOther = ({ id, type, options }: (typeof rows)[number]): boolean => {
    const known = model.fieldById.get(id)?.field;
    if (!known) return false;
    const choices = new Set(options.choices?.map((choice) => choice.id));
    return known.type !== type || (known.options.choices ?? []).some((choice) => !choices.has(choice.id));
  };
  if (rows.some(isOther)) fail('conflict');
}

/** Somebody else took a unique value at the same moment; the name of the violated index tells which field. */
async function guarded(part: Part, options: WriteOptions, work: () => Promise<PartResult>): Promise<PartResult> {
  try {
    return await work();
  } catch (error) {
    const index = violatedConstraint(error);
    if (error instanceof Failure || index === null) throw error;
    const field = part.table.fields.find((one) => `u_${one.id.slice(2)}` === index);
    if (!field) throw error;
    const value = detailOf(error);
    const rows = part.changes.filter(
      ({ change }) =>
        'values' in change && Object.entries(change.values).some(([name, raw]) => part.table.byName.get(name)?.id === field.id && String(raw) === value),
    );
    const named = rows.length > 0 ? rows : part.changes.slice(0, 1);
    return fail('invalid_fields', { fields: Object.fromEntries(named.map(({ at }) => [pathTo(options, at, field.key), { code: 'taken' as const }])) });
  }
}
function detailOf(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ('detail' in cause && typeof cause.detail === 'string') return /=\((.*)\) /s.exec(cause.detail)?.[1] ?? null;
  return null;
}
