import { fail } from '../../../../http/failure';
import { grantOf, requireGrant } from '../access';
import type { FieldModel, TableModel } from '../model';
import { isLinks, sameValue } from '../values/check';
import { applyOps, readKey } from './apply';
import type { Op, Writing } from './apply';
import { checkLinks, checkPeople, checkUnique, fillSlugs, mirrorsOf, settleHandovers } from './dataChecks';
import type { Mirrored } from './dataChecks';
import { checkFiles } from './fileChecks';
import { addError, judgedFields, makeItems, otherLocale, isTooLarge, throwErrors } from './item';
import type { Item, ValuesChange, Outcome, PartResult } from './item';
import { judge, liveLinks } from './judge';
import { permitted } from './lookups';
import { Clashed, mergeItems } from './merge';
import { lockRows } from './rows';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { WriteOptions, WriteTx } from './types';

type ValuesChanges = readonly { readonly at: number; readonly change: ValuesChange }[];

/** Creates and updates records of one table. */
export async function writeValues(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  changes: ValuesChanges,
  options: WriteOptions,
  writing: Writing,
): Promise<PartResult> {
  requireRights(context, table, changes);
  const items = await makeItems(w, context, table, changes, options);
  const locale = otherLocale(table, options.locale);
  const rows = await lockItems(w, context, table, items);
  const clashes = await mergeItems(w, context, table, items);
  if (clashes.length > 0) throw new Clashed(clashes);
  await checkLinks(w, context, table, items);
  await checkPeople(w, context, table, items);
  await checkFiles(w, context, table, items, options);
  await fillSlugs(w, context, table, items, locale);
  const handovers = await checkUnique(w, context.model.siteId, table, items);
  await judgeItems(w, context, table, items, !table.drafts || options.complete === true || (options.completeIn ?? false));
  const mirrors = await mirrorsOf(w, context, table, items);
  settleHandovers(handovers);
  if (options.errors !== 'collect')
    throwErrors(
      options,
      items.filter((item) => item.errors.size > 0),
    );

  const good = items.filter((item) => item.errors.size === 0);
  if (good.some((item) => isTooLarge(item.set))) return fail('too_large');
  const linked = new Set(mirrors.flatMap((mirror) => [...mirror.add.values(), ...mirror.remove.values()].flat()));
  if (options.check === true && (['create', 'update'] as const).every((kind) => grantOf(table, context.reader, kind).filter === null))
    return { outcomes: items.map((item) => wouldBe(table, item, rows, linked)), others: [] };
  const mirroring = table.fields.some((field) => field.type === 'inverse');
  const ops = good.map((item): Op => ({
    id: item.id,
    kind: item.change.kind,
    set: mirroring ? new Map([...item.set].filter(([key]) => !isInverse(table, key))) : item.set,
  }));
  const applied = new Map((await applyOps(w, writing, table, rows, ops)).map((one) => [one.id, one]));
  const others = [];
  const dropped = new Set(items.filter((item) => item.errors.size > 0).map((item) => item.id));
  for (const mirror of mirrors) others.push({ table: mirror.table, applied: await writeMirror(w, writing, mirror, dropped) });
  await holdTo(
    w,
    context,
    table,
    good,
    [...applied.values()].filter((one) => one.changed).map((one) => one.id),
  );
  const outcomes = items.map((item): Outcome => {
    const { at, id } = item;
    const done = applied.get(id) ?? null;
    const row = rows.get(id);
    const errors = item.errors.size > 0 ? Object.fromEntries(item.errors) : null;
    // A record whose links were written from the other side has changed, without a history entry of its own.
    const changed = done && !done.changed && linked.has(id) ? { ...done, changed: true } : done;
    return { at, id, n: row?.n ?? 0, revision: row?.rev ?? 0, applied: changed, errors };
  });
  return { outcomes, others };
}

/** The record as it would be after the write. */
function wouldBe(table: TableModel, item: Item, rows: ReadonlyMap<string, Row>, linked: ReadonlySet<string>): Outcome {
  const { at, id, change } = item;
  const row = rows.get(id);
  const [n, revision] = [row?.n ?? 0, row?.rev ?? 0];
  if (item.errors.size > 0) return { at, id, n, revision, applied: null, errors: Object.fromEntries(item.errors) };
  const differs = row ? [...item.set].some(([key, value]) => !isInverse(table, key) && !sameValue(readKey(row, key), value)) : true;
  return { at, id, n, revision, applied: { id, n, revision, kind: change.kind, changed: differs || linked.has(id) }, errors: null };
}

const isInverse = (table: TableModel, key: string): boolean => table.byName.get(key)?.type === 'inverse';

function requireRights(context: TableContext, table: TableModel, changes: ValuesChanges): void {
  for (const kind of new Set(changes.filter(({ change }) => change.system !== true).map(({ change }) => change.kind)))
    requireGrant(table, context.reader, kind);
  // A singleton's record is created with its table and stays the only one.
  if (table.kind === 'singleton' && changes.some(({ change }) => change.kind === 'create')) fail('conflict');
}

/**
 * Locks the records to change, and reads what checks and the search index depend on. Records hidden from the writer count as missing; visible ones that
 * may not be changed are reported as such.
 */
async function lockItems(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<Map<string, Row>> {
  const changing = items.filter((item) => item.change.kind === 'update');
  if (changing.length === 0) return new Map();
  const keys = new Set(items.flatMap((item) => [...item.set.keys()]));
  const ids = new Set([...keys].map((key) => key.split('@')[0] ?? ''));
  const touched = table.fields.filter((field) => ids.has(field.id) || (field.type === 'slug' && ids.has(field.options.from ?? '')));
  const sought = touched.some((field) => field.searchable);
  const followed = touched.flatMap((field) => (field.type === 'slug' && field.options.from ? (table.byName.get(field.options.from) ?? []) : []));
  const needed = new Set([...touched, ...followed, ...judgedFields(table), ...(sought ? table.fields.filter((field) => field.searchable) : [])]);
  const fields = [...needed].filter((field: FieldModel) => field.type !== 'inverse');
  const tr = sought || [...keys].some((key) => key.includes('@'));
  const rows = await lockRows(
    w.tx,
    context.model.siteId,
    table,
    changing.map((item) => item.id),
    { fields, tr, published: false },
  );
  const userIds = changing.filter((item) => !item.system).map((item) => item.id);
  const [read, update] = [grantOf(table, context.reader, 'read'), grantOf(table, context.reader, 'update')];
  const visibleIds = read.filter === null ? null : await permitted(w, context, table, userIds, { grants: [read] });
  const open = update.filter === null ? null : await permitted(w, context, table, userIds, { grants: [update] });
  for (const item of changing) {
    const row = rows.get(item.id);
    if (!row || row.deletedAt !== null || (!item.system && visibleIds && !visibleIds.has(item.id))) {
      addError(item, null, 'unknown');
      rows.delete(item.id);
    } else if (!item.system && open && !open.has(item.id)) fail('forbidden');
    else item.row = row;
  }
  return rows;
}

async function judgeItems(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  items: readonly Item[],
  complete: boolean | ReadonlySet<string>,
): Promise<void> {
  if (judgedFields(table).length === 0) return;
  // Side effects (a relation that loses its target) are not subject to validation; missing records have been reported already.
  const judged = items
    .filter((item) => !item.system && !item.errors.has(''))
    .map((item) => ({ item, values: new Map([...(item.row?.values ?? []), ...[...item.set].filter(([key]) => !key.includes('@'))]) }));
  const live = await liveLinks(
    w,
    context,
    table,
    judged.map(({ values }) => values),
  );
  for (const { item, values } of judged) {
    const written = new Set([...item.set.keys()].filter((key) => !key.includes('@')));
    judge(w, context, table, { values: live(values), written, isNew: item.change.kind === 'create', complete: complete !== false }, (field, found) => {
      if (typeof complete === 'object' && !complete.has(field.id)) return;
      // An invalid value is not empty, and has been reported already.
      if (![...item.errors.keys()].some((name) => table.byName.get(name.split('.')[0] ?? '')?.id === field.id)) addError(item, field, found);
    });
  }
}

/** Writes the other side of links: complete lists of the other table's records, locked. */
async function writeMirror(w: WriteTx, writing: Writing, mirror: Mirrored, dropped: ReadonlySet<string>): ReturnType<typeof applyOps> {
  const { table, field, add, remove } = mirror;
  const ids = [...new Set([...add.keys(), ...remove.keys()])];
  const rows = await lockRows(w.tx, writing.siteId, table, ids, { fields: [field], tr: false, published: false });
  const ops = [...rows.values()].map((row): Op => {
    const had = (row.values.get(field.id) ?? []) as readonly string[];
    const gone = new Set(remove.get(row.id)?.filter((id) => !dropped.has(id)));
    const remaining = had.filter((id) => !gone.has(id));
    const more = (add.get(row.id) ?? []).filter((id) => !dropped.has(id) && !remaining.includes(id));
    return { id: row.id, kind: 'update', set: new Map([[field.id, isLinks(field) ? [...remaining, ...more] : had]]) };
  });
  return applyOps(w, writing, table, rows, ops);
}

/** A permission limited to some records must still apply afterwards: nobody may move a record out of their own reach. */
async function holdTo(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[], changed: readonly string[]): Promise<void> {
  for (const kind of ['create', 'update'] as const) {
    const grant = grantOf(table, context.reader, kind);
    if (grant.filter === null) continue;
    const written = new Set(changed);
    const ids = items.filter((item) => !item.system && item.change.kind === kind && written.has(item.id)).map((item) => item.id);
    const good = await permitted(w, context, table, ids, { grants: [grant] });
    if (ids.some((id) => !good.has(id))) fail('forbidden');
  }
}
