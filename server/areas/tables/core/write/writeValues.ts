import { fail } from '../../../../http/failure';
import { grantOf, requireGrant } from '../access';
import type { FieldModel, TableModel } from '../model';
import { isLinks, sameValue } from '../values/check';
import { applyOps, readKey } from './apply';
import type { Op, Writing } from './apply';
import { checkLinks, checkPeople, checkUnique, fillSlugs, mirrorsOf, settleHandovers } from './dataChecks';
import type { Mirrored } from './dataChecks';
import { fault, judgedFields, makeItems, otherLocale } from './item';
import type { Item, ValuesChange } from './item';
import { judge } from './judge';
import { liveLinks } from './liveLinks';
import { permitted } from './lookups';
import { Clashed, mergeItems } from './merge';
import { lockRows } from './rows';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { WriteOptions, WriteTx } from './types';
import { isTooLarge, refuseFaults } from './part';
import type { Outcome, PartResult } from './part';

type Given = readonly { readonly at: number; readonly change: ValuesChange }[];

/** Records that are made and changed, of one table. */
export async function writeValues(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  given: Given,
  options: WriteOptions,
  writing: Writing,
): Promise<PartResult> {
  askRights(context, table, given);
  const items = await makeItems(w, context, table, given, options);
  const locale = otherLocale(table, options.locale);
  const rows = await lockItems(w, context, table, items);
  const clashes = await mergeItems(w, context, table, items);
  if (clashes.length > 0) throw new Clashed(clashes);
  await checkLinks(w, context, table, items);
  await checkPeople(w, context, table, items);
  await fillSlugs(w, context, table, items, locale);
  const handovers = await checkUnique(w, context.model.siteId, table, items);
  await judgeItems(w, context, table, items, !table.drafts || options.complete === true || (options.completeIn ?? false));
  const mirrors = await mirrorsOf(w, context, table, items);
  settleHandovers(handovers);
  if (options.faults !== 'collect')
    refuseFaults(
      options,
      items.filter((item) => item.faults.size > 0),
    );

  const good = items.filter((item) => item.faults.size === 0);
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
  const dropped = new Set(items.filter((item) => item.faults.size > 0).map((item) => item.id));
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
    const faults = item.faults.size > 0 ? Object.fromEntries(item.faults) : null;
    // Whose links were written from the other side has changed, though not by a line of its own.
    const changed = done && !done.changed && linked.has(id) ? { ...done, changed: true } : done;
    return { at, id, n: row?.n ?? 0, revision: row?.rev ?? 0, applied: changed, faults };
  });
  return { outcomes, others };
}

/** What writing an item would make of its record. */
function wouldBe(table: TableModel, item: Item, rows: ReadonlyMap<string, Row>, linked: ReadonlySet<string>): Outcome {
  const { at, id, change } = item;
  const row = rows.get(id);
  const [n, revision] = [row?.n ?? 0, row?.rev ?? 0];
  if (item.faults.size > 0) return { at, id, n, revision, applied: null, faults: Object.fromEntries(item.faults) };
  const differs = row ? [...item.set].some(([key, value]) => !isInverse(table, key) && !sameValue(readKey(row, key), value)) : true;
  return { at, id, n, revision, applied: { id, n, revision, kind: change.kind, changed: differs || linked.has(id) }, faults: null };
}

const isInverse = (table: TableModel, key: string): boolean => table.byName.get(key)?.type === 'inverse';

function askRights(context: TableContext, table: TableModel, given: Given): void {
  for (const kind of new Set(given.filter(({ change }) => change.system !== true).map(({ change }) => change.kind))) requireGrant(table, context.reader, kind);
  // A singleton is made with its table, and stays the only one.
  if (table.kind === 'singleton' && given.some(({ change }) => change.kind === 'create')) fail('conflict');
}

/** Locks what is changed, and reads what checks and search depend on. Records that the writer may not see are not there; others that they may not change are said so. */
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
  const asked = changing.filter((item) => !item.system).map((item) => item.id);
  const [read, update] = [grantOf(table, context.reader, 'read'), grantOf(table, context.reader, 'update')];
  const seen = read.filter === null ? null : await permitted(w, context, table, asked, { grants: [read] });
  const open = update.filter === null ? null : await permitted(w, context, table, asked, { grants: [update] });
  for (const item of changing) {
    const row = rows.get(item.id);
    if (!row || row.deletedAt !== null || (!item.system && seen && !seen.has(item.id))) {
      fault(item, null, 'unknown');
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
  // Consequences (a relation that loses its record) are not held to what people are; what is missing altogether has been said.
  const judged = items
    .filter((item) => !item.system && !item.faults.has(''))
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
      // A value that is wrong is there, and has been told of.
      if (![...item.faults.keys()].some((name) => table.byName.get(name.split('.')[0] ?? '')?.id === field.id)) fault(item, field, found);
    });
  }
}

/** The other side of links: whole lists of the records of the other table, under their lock. */
async function writeMirror(w: WriteTx, writing: Writing, mirror: Mirrored, dropped: ReadonlySet<string>): ReturnType<typeof applyOps> {
  const { table, field, add, remove } = mirror;
  const ids = [...new Set([...add.keys(), ...remove.keys()])];
  const rows = await lockRows(w.tx, writing.siteId, table, ids, { fields: [field], tr: false, published: false });
  const ops = [...rows.values()].map((row): Op => {
    const had = (row.values.get(field.id) ?? []) as readonly string[];
    const gone = new Set(remove.get(row.id)?.filter((id) => !dropped.has(id)));
    const kept = had.filter((id) => !gone.has(id));
    const more = (add.get(row.id) ?? []).filter((id) => !dropped.has(id) && !kept.includes(id));
    return { id: row.id, kind: 'update', set: new Map([[field.id, isLinks(field) ? [...kept, ...more] : had]]) };
  });
  return applyOps(w, writing, table, rows, ops);
}

/** A right that holds for some records must hold for them afterwards too: nobody writes a record out of their own sight or reach. */
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
