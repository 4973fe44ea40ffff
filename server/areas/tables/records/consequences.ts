import type { BlockedBy } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { grantOf } from '../core/access';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { addNames, noLabels } from '../core/read/labels';
import { asking } from '../core/read/run';
import { newReadContext } from '../core/read/statement';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteTx } from '../core/write/types';
import * as queries from './queries';

/** Maximum number of records that one action may delete or change as a side effect. */
export const mostConsequences = 10_000;

type Pointer = { readonly table: TableModel; readonly field: FieldModel };
export const pointersTo = (model: SiteModel, tableId: string): Pointer[] =>
  model.tables.flatMap((table) => table.fields.filter((field) => field.type === 'relation' && field.options.to === tableId).map((field) => ({ table, field })));

/** Records cannot be deleted because others link to them; the response names those that the caller may see (`blockersFor`). */
export class Referenced extends Failure {
  readonly blockers: readonly Blockers[];
  constructor(blockers: readonly Blockers[]) {
    super('referenced');
    this.blockers = blockers;
  }
}
type Blockers = { readonly pointer: Pointer; readonly ids: readonly string[] };

/** Maximum number of blocking records listed. */
const shownBlockers = 20;
const looked = 500;

/** Fields and records that prevent deletion, limited to those that the reader may see; `more` if there are over twenty. */
export async function blockersFor(ctx: Context, context: TableContext, { blockers }: Referenced): Promise<{ readonly blockedBy: BlockedBy[] }> {
  const blockedBy: BlockedBy[] = [];
  for (const { pointer, ids } of blockers) {
    const { table, field } = pointer;
    if (!grantOf(table, context.reader, 'read').covers(field)) continue;
    const labels = noLabels();
    const visible = (): readonly [string, string][] => Object.entries(labels.records);
    for (let from = 0; from < ids.length && visible().length <= shownBlockers; from += looked)
      await addNames(asking(ctx), await newReadContext(ctx, context), table, ids.slice(from, from + looked), labels);
    if (visible().length === 0) continue;
    const records = visible()
      .slice(0, shownBlockers)
      .map(([id, label]) => ({ id, label }));
    blockedBy.push({ tableId: table.id, tableTitle: table.title, fieldId: field.id, fieldTitle: field.title, records, more: visible().length > shownBlockers });
  }
  return { blockedBy };
}

/**
 * Side effects of deleting records: relations that lead to them are cleared (`clear`), their records are deleted too (`cascade`), or they prevent the
 * deletion (`block`, and `clear` of a required relation: `Referenced`). Lists of relations stay: records in the bin are hidden in them and reappear when
 * restored. Permissions on the other tables are not checked, because the relation's configuration decides.
 */
export async function consequencesOf({ tx }: WriteTx, { model, table }: Pick<TableContext, 'model' | 'table'>, ids: readonly string[]): Promise<Change[]> {
  const going = new Map<string, Set<string>>([[table.id, new Set(ids)]]);
  const cascaded: Change[] = [];
  const nonCascading: { readonly pointer: Pointer; readonly ids: readonly string[] }[] = [];
  const rounds: { readonly table: TableModel; readonly ids: readonly string[] }[] = [{ table, ids }];
  for (let round = rounds.shift(); round; round = rounds.shift()) {
    for (const pointer of pointersTo(model, round.table.id)) {
      const at = { siteId: model.siteId, tableId: pointer.table.id, fieldId: pointer.field.id };
      const found = await queries.pointingAt(tx, at, round.ids, mostConsequences);
      if (found.length === 0) continue;
      if (found.length + cascaded.length > mostConsequences) fail('too_large');
      if (pointer.field.options.onDelete !== 'cascade') {
        nonCascading.push({ pointer, ids: found });
        continue;
      }
      const gone = going.get(pointer.table.id) ?? new Set();
      going.set(pointer.table.id, gone);
      const fresh = found.filter((id) => !gone.has(id));
      for (const id of fresh) gone.add(id);
      cascaded.push(...fresh.map((id): Change => ({ kind: 'trash', id, table: pointer.table, system: true })));
      if (fresh.length > 0) rounds.push({ table: pointer.table, ids: fresh });
    }
  }
  // Last, because records that are deleted themselves neither block nor need to be cleared.
  const cleared = new Map<string, { readonly table: TableModel; readonly values: Record<string, null> }>();
  const blockers: Blockers[] = [];
  for (const { pointer, ids: found } of nonCascading) {
    const staying = found.filter((id) => !going.get(pointer.table.id)?.has(id));
    if (staying.length > 0 && (pointer.field.options.onDelete === 'block' || pointer.field.required)) blockers.push({ pointer, ids: staying });
    for (const id of staying) {
      const change = cleared.get(id) ?? { table: pointer.table, values: {} };
      change.values[pointer.field.id] = null;
      cleared.set(id, change);
    }
  }
  if (blockers.length > 0) throw new Referenced(blockers);
  return [...cascaded, ...Array.from(cleared, ([id, change]): Change => ({ kind: 'update', id, ...change, system: true }))];
}
