import { historyTable } from '../ids';
import type { TableModel } from '../model';
import { sameValue } from '../values/check';
import type { Item } from './item';
import { readKey } from './apply';
import { run } from './rows';
import { visibleLinks } from './visibleLinks';
import type { TableContext } from '../tableContext';
import type { Db, WriteTx } from './types';

/** Fields of one record that two people changed: the base value, the other person's and the writer's. By field id or `<id>@<locale>`. */
export type Clash = {
  readonly at: number;
  readonly id: string;
  readonly keys: ReadonlyMap<string, { readonly base: unknown; readonly theirs: unknown; readonly yours: unknown }>;
  readonly by: string | null;
};
/** Refuses a write based on an outdated revision; routes return both versions. */
export class Clashed extends Error {
  override readonly name = 'Clashed';
  readonly clashes: readonly Clash[];
  constructor(clashes: readonly Clash[]) {
    super('stale_revision');
    this.clashes = clashes;
  }
}

type Past = { readonly record_id: string; readonly rev: number; readonly actor: string | null; readonly inverse: Record<string, unknown> };

/** Changes to records after given revisions, oldest first. */
export const changesSince = (tx: Db, siteId: string, tableId: string, since: readonly { readonly id: string; readonly rev: number }[]): Promise<Past[]> =>
  run<Past>(
    tx,
    `SELECT h.record_id, h.rev, h.actor, h.inverse FROM json_to_recordset($2::json) AS x(id uuid, rev int)
     JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = x.id AND h.rev > x.rev ORDER BY h.record_id, h.rev`,
    [tableId, JSON.stringify(since)],
  );

/**
 * Three-way merge by field. Fields that the writer left as read are unchanged, and other people's changes to them are kept. Returns fields that both
 * changed differently. Links hidden from the writer are ignored in comparisons and results.
 */
export async function mergeItems(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<Clash[]> {
  const behind = items.flatMap((item) =>
    item.change.kind === 'update' && item.row && item.change.revision !== undefined && item.change.revision < item.row.rev
      ? [{ item, id: item.id, rev: item.change.revision }]
      : [],
  );
  if (behind.length === 0) return [];
  const past = new Map<string, Past[]>();
  const since = behind.map(({ id, rev }) => ({ id, rev }));
  for (const line of await changesSince(w.tx, context.model.siteId, table.id, since)) past.set(line.record_id, [...(past.get(line.record_id) ?? []), line]);
  const changed = behind.map(({ item }) => ({
    item,
    sides: [...item.set].flatMap(([key, yours]) => {
      const first = past.get(item.id)?.find((line) => Object.hasOwn(line.inverse, key));
      if (!first || !item.row) return [];
      return [{ key, field: table.byName.get(key.split('@')[0] ?? ''), base: first.inverse[key], theirs: readKey(item.row, key), yours }];
    }),
  }));
  const visiblePart = await visibleLinks(
    w,
    context,
    changed.flatMap(({ sides }) => sides.flatMap(({ field, base, theirs, yours }) => [base, theirs, yours].map((value) => ({ field, value })))),
  );
  const clashes: Clash[] = [];
  for (const { item, sides } of changed) {
    const lines = past.get(item.id) ?? [];
    const keys = new Map<string, { base: unknown; theirs: unknown; yours: unknown }>();
    for (const { key, field, yours: newValue, ...stored } of sides) {
      const [base, theirs, yours] = [visiblePart(field, stored.base), visiblePart(field, stored.theirs), item.system ? newValue : visiblePart(field, newValue)];
      if (sameValue(yours, base)) item.set.delete(key);
      else if (!sameValue(yours, theirs) && !sameValue(theirs, base)) keys.set(key, { base, theirs, yours });
    }
    if (keys.size > 0) clashes.push({ at: item.at, id: item.id, keys, by: lines.at(-1)?.actor ?? null });
  }
  return clashes;
}
