import { fail } from '../../../http/failure';
import type { FieldModel, SiteModel, TableModel } from '../model';
import type { Change, Scene, WriteTx } from '../write/types';
import * as queries from './lifeQueries';

/** Records that one act may take along: what is more is better done knowingly. */
export const mostConsequences = 10_000;

type Pointer = { readonly table: TableModel; readonly field: FieldModel };
export const pointersTo = (model: SiteModel, tableId: string): Pointer[] =>
  model.tables.flatMap((table) => table.fields.filter((field) => field.type === 'relation' && field.options.to === tableId).map((field) => ({ table, field })));

/**
 * What else happens when records are thrown away: records whose relation leads to them lose it (`clear`), go with them (`cascade`), or keep them
 * (`block`, and `clear` of a relation that must not be empty: `conflict`). Lists of relations are left as they are: they show no record that lies in the
 * bin, and have it again when it comes back. Rights on the other tables are not asked, as whoever set the relation up decided it.
 */
export async function consequencesOf({ tx }: WriteTx, { model, table }: Pick<Scene, 'model' | 'table'>, ids: readonly string[]): Promise<Change[]> {
  const going = new Map<string, Set<string>>([[table.id, new Set(ids)]]);
  const cascaded: Change[] = [];
  const kept: { readonly pointer: Pointer; readonly ids: readonly string[] }[] = [];
  const rounds: { readonly table: TableModel; readonly ids: readonly string[] }[] = [{ table, ids }];
  for (let round = rounds.shift(); round; round = rounds.shift()) {
    for (const pointer of pointersTo(model, round.table.id)) {
      const at = { siteId: model.siteId, tableId: pointer.table.id, fieldId: pointer.field.id };
      const found = await queries.pointingAt(tx, at, round.ids, mostConsequences);
      if (found.length === 0) continue;
      if (found.length + cascaded.length > mostConsequences) fail('too_large');
      if (pointer.field.options.onDelete !== 'cascade') {
        kept.push({ pointer, ids: found });
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
  // Looked at last: what goes itself neither keeps anything nor needs to be emptied.
  const cleared = new Map<string, { readonly table: TableModel; readonly values: Record<string, null> }>();
  for (const { pointer, ids: found } of kept) {
    const staying = found.filter((id) => !going.get(pointer.table.id)?.has(id));
    if (staying.length > 0 && (pointer.field.options.onDelete === 'block' || pointer.field.required)) fail('conflict');
    for (const id of staying) {
      const change = cleared.get(id) ?? { table: pointer.table, values: {} };
      change.values[pointer.field.id] = null;
      cleared.set(id, change);
    }
  }
  return [...cascaded, ...Array.from(cleared, ([id, change]): Change => ({ kind: 'update', id, ...change, system: true }))];
}
