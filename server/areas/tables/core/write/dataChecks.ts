import { grantOf } from '../access';
import type { FieldModel, SiteModel, TableModel } from '../model';
import { isEmpty, mirrored, sameValue } from '../values/check';
import { readKey } from './apply';
import { addError } from './item';
import type { Item } from './item';
import { linkable, peopleOf, permitted, recordsWith, slugsFor } from './lookups';
import { run } from './rows';
import { linksTable } from '../ids';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';

const idsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : []);
const targetOf = (model: SiteModel, field: FieldModel): TableModel | undefined => model.tables.find((table) => table.id === field.options.to);

/**
 * Linked records must exist and be readable by the writer; a record in the bin that was linked before stays valid. Links that the writer cannot see
 * (hidden records, or records in the bin) are preserved: in place if the list is written as it was read, else at its end; clearing a relation that looks
 * empty changes nothing.
 */
export async function checkLinks(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<void> {
  for (const field of table.fields) {
    if (field.type !== 'relation' && field.type !== 'relations') continue;
    const linkingItems = items.filter((item) => item.set.has(field.id));
    if (linkingItems.length === 0) continue;
    const target = targetOf(context.model, field);
    const before = (item: Item): readonly string[] => idsIn(item.row?.values.get(field.id));
    const linkedIds = new Set(linkingItems.flatMap((item) => [...idsIn(item.set.get(field.id)), ...before(item)]));
    const system = linkingItems.every((item) => item.system);
    const good = target ? await linkable(w, context, target, [...linkedIds], system) : new Set<string>();
    const doubtful = linkingItems.flatMap((item) => idsIn(item.set.get(field.id)).filter((id) => !good.has(id) && before(item).includes(id)));
    const binned = target
      ? await permitted(w, context, target, doubtful, { grants: system ? [] : [grantOf(target, context.reader, 'read')], inBin: true })
      : good;
    for (const item of linkingItems) {
      const had = before(item);
      const newIds = idsIn(item.set.get(field.id));
      newIds.forEach((id, at) => {
        if (!good.has(id) && !(had.includes(id) && (item.system || binned.has(id))))
          addError(item, field, 'unknown', field.type === 'relations' ? String(at) : '');
      });
      const unseen = item.system ? [] : had.filter((id) => !good.has(id) && !newIds.includes(id));
      if (unseen.length === 0) continue;
      if (field.type === 'relations')
        item.set.set(
          field.id,
          sameValue(
            newIds,
            had.filter((id) => good.has(id)),
          )
            ? had
            : [...newIds, ...unseen],
        );
      else if (newIds.length === 0) item.set.delete(field.id);
    }
  }
}

/** People must have access to the site; those already named may stay. */
export async function checkPeople(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<void> {
  for (const field of table.fields) {
    if (field.type !== 'user') continue;
    const newPeople = items.flatMap((item) => {
      const id = item.set.get(field.id);
      return typeof id === 'string' && item.row?.values.get(field.id) !== id ? [{ item, id }] : [];
    });
    const known = await peopleOf(w.tx, context.model.siteId, [...new Set(newPeople.map(({ id }) => id))]);
    for (const { item, id } of newPeople) if (!known.has(id)) addError(item, field, 'unknown');
  }
}

/** The text that a slug is generated from; '' if there is none. */
function slugText(field: FieldModel, value: unknown): string {
  if (field.type === 'select') return field.options.choices?.find((choice) => choice.id === value)?.title ?? '';
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Generates empty slugs from their source field whenever either field is written; existing slugs stay. */
export async function fillSlugs(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[], locale: string | null): Promise<void> {
  for (const field of table.fields) {
    if (field.type !== 'slug' || field.options.from === undefined) continue;
    const { from } = field.options;
    const follows = table.byName.get(from);
    if (!follows) continue;
    const key = locale !== null && field.localized ? `${field.id}@${locale}` : field.id;
    const source = locale !== null && table.byName.get(from)?.localized === true ? `${from}@${locale}` : from;
    const wantedSlugs = items.flatMap((item) => {
      const now = (name: string): unknown => (item.set.has(name) ? item.set.get(name) : item.row ? readKey(item.row, name) : null);
      const written = item.change.kind === 'create' || item.set.has(key) || item.set.has(source);
      if (!written || !isEmpty(now(key))) return [];
      const current = item.row ? readKey(item.row, key) : null;
      const title = slugText(follows, isEmpty(now(source)) ? now(from) : now(source));
      return title === '' ? [] : [{ item, title, id: item.id, current: typeof current === 'string' ? current : null }];
    });
    if (wantedSlugs.length === 0) continue;
    const chosen = new Set(items.flatMap((item) => (typeof item.set.get(field.id) === 'string' ? [String(item.set.get(field.id))] : [])));
    const newSlugs = await slugsFor(w, context.model.siteId, table, key === field.id ? field : { ...field, isUnique: false }, wantedSlugs, chosen);
    wantedSlugs.forEach(({ item }, at) => {
      const slug = newSlugs[at];
      if (slug) item.set.set(key, slug);
    });
  }
}

/** A record takes over a unique value that another record gives up in the same write. */
export type Handover = { readonly item: Item; readonly from: Item; readonly field: FieldModel };

/**
 * Checks unique fields: not twice in one write (`duplicate`, on each of them), and not in use by another record (`taken`) unless that one gives the
 * value up in this write: two records may swap. Such takeovers depend on the other record being written: see `settleHandovers`, which runs when all
 * errors are known.
 */
export async function checkUnique(w: WriteTx, siteId: string, table: TableModel, items: readonly Item[]): Promise<Handover[]> {
  const handovers: Handover[] = [];
  const byId = new Map(items.map((item) => [item.id, item]));
  const leaves = (item: Item | undefined, field: FieldModel, value: string): item is Item =>
    item !== undefined && item.row !== null && item.set.has(field.id) && (isEmpty(item.set.get(field.id)) || String(item.set.get(field.id)) !== value);
  for (const field of table.fields) {
    if (!field.isUnique) continue;
    const newValues = items.flatMap((item) => {
      const value = item.set.get(field.id);
      return isEmpty(value) || (item.row && sameValue(item.row.values.get(field.id), value)) ? [] : [{ item, value: String(value) }];
    });
    if (newValues.length === 0) continue;
    const same = new Map<string, Item[]>();
    for (const { item, value } of newValues) same.set(value, [...(same.get(value) ?? []), item]);
    for (const list of same.values()) if (list.length > 1) for (const item of list) addError(item, field, 'duplicate');
    const held = await recordsWith(w.tx, siteId, table.id, field, [...same.keys()]);
    for (const { item, value } of newValues) {
      for (const id of held.get(value) ?? []) {
        if (id === item.id) continue;
        const from = byId.get(id);
        if (leaves(from, field, value)) handovers.push({ item, from, field });
        else addError(item, field, 'taken');
      }
    }
  }
  return handovers;
}

/** If a record is not written after all, the record that waits for its value gets `taken`, and so on along the chain. */
export function settleHandovers(handovers: readonly Handover[]): void {
  for (let found = true; found;) {
    found = false;
    for (const { item, from, field } of handovers) {
      if (from.errors.size === 0 || item.errors.size > 0) continue;
      addError(item, field, 'taken');
      found = true;
    }
  }
}

/** The effect of writing an inverse on the other table: by its `relations` field, the complete new lists of its records. */
export type Mirrored = {
  readonly table: TableModel;
  readonly field: FieldModel;
  readonly add: ReadonlyMap<string, readonly string[]>;
  readonly remove: ReadonlyMap<string, readonly string[]>;
};

/** For inverses that are written: which records of the other table gain or lose which links. The writer must be allowed to change these records. */
export async function mirrorsOf(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<Mirrored[]> {
  const all: Mirrored[] = [];
  for (const field of table.fields) {
    const other = mirrored(context.model, field);
    const written = other ? items.filter((item) => item.set.has(field.id) && item.errors.size === 0) : [];
    if (!other || written.length === 0) continue;
    const found = await run<{ b: string; list: string[] }>(
      w.tx,
      `SELECT b, array_agg(a::text) AS list FROM ${linksTable(context.model.siteId, other.field.id)} WHERE b = ANY($1::uuid[]) GROUP BY b`,
      [written.map((item) => item.id)],
    );
    const before = new Map(found.map(({ b, list }) => [b, list]));
    const grant = grantOf(other.table, context.reader, 'update');
    const concerned = new Set(written.flatMap((item) => [...idsIn(item.set.get(field.id)), ...(before.get(item.id) ?? [])]));
    const covered = written.every((item) => item.system) || (grant.allowed && grant.covers(other.field));
    const read = grantOf(other.table, context.reader, 'read');
    const permittedIds = covered ? await permitted(w, context, other.table, [...concerned], { grants: [read, grant] }) : new Set<string>();
    const readableIds = read.allowed ? await permitted(w, context, other.table, [...concerned], { grants: [read] }) : new Set<string>();
    const [add, remove] = [new Map<string, string[]>(), new Map<string, string[]>()];
    const note = (to: Map<string, string[]>, a: string, b: string): void => void to.set(a, [...(to.get(a) ?? []), b]);
    for (const item of written) {
      const newIds = idsIn(item.set.get(field.id));
      const had = before.get(item.id) ?? [];
      newIds.forEach((id, at) => {
        if (had.includes(id) && (item.system || readableIds.has(id))) return;
        if (permittedIds.has(id)) note(add, id, item.id);
        else addError(item, field, 'unknown', String(at));
      });
      for (const id of had) if (!newIds.includes(id) && permittedIds.has(id)) note(remove, id, item.id);
    }
    if (add.size + remove.size > 0) all.push({ table: other.table, field: other.field, add, remove });
  }
  return all;
}
