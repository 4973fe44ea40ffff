import { mayOnSite } from '../../../../../contract/permissions';
import type { ResourceLabel } from '../../../../../contract/resources/labels';
import { resourcesOf } from '../../../../../contract/tables/fieldTypes';
import type { RecordLabels } from '../../../../../contract/tables/records';
import { resourceLabels } from '../../../resources';
import type { FieldModel, TableModel } from '../model';
import { labelAt } from './label';
import { linkEnds, linkedRows, mayRead } from './links';
import type { Ask } from './run';
import { fromTable, isLive, readGrant, readContextAt, newParams } from './readContext';
import type { ReadContext } from './readContext';
import type { ReadRecord } from './values';
import { columnName, linksTable } from '../ids';

export type Labels = { readonly records: Record<string, string>; readonly people: Record<string, string>; resources?: RecordLabels['resources'] };
export const noLabels = (): Labels => ({ records: {}, people: {} });

/** A new statement with the same reader, language and moment. */
export const afresh = (scope: ReadContext, table: TableModel = scope.table): ReadContext => readContextAt({ ...scope, params: newParams() }, table);

/**
 * Adds linked records and their names to a page of records: one query per field, whatever the number of records, all in parallel. Includes only links to
 * records that the reader may see and that are not in the bin; the others are preserved when a list is written back (`checkLinks`).
 */
export async function addLinks(ask: Ask, scope: ReadContext, records: readonly ReadRecord[], fields: readonly FieldModel[]): Promise<RecordLabels> {
  const labels = noLabels();
  if (records.length === 0) return labels;
  const people = new Set<string>();
  for (const record of records) for (const id of [record.createdBy, record.updatedBy]) if (id !== null) people.add(id);
  for (const field of fields) if (field.type === 'user') for (const record of records) addText(people, record.values[field.id]);
  const { userId, name } = scope.reader;
  // The reader often wrote the records too, and their name is already loaded.
  if (userId !== null && name !== undefined && people.delete(userId)) labels.people[userId] = name;
  const targets = new Map<string, { readonly table: TableModel; readonly ids: Set<string> }>();
  for (const field of fields) {
    const ends = field.type === 'relation' ? linkEnds(scope, field) : null;
    if (!ends) continue;
    const known = targets.get(ends.table.id) ?? { table: ends.table, ids: new Set() };
    for (const record of records) addText(known.ids, record.values[field.id]);
    targets.set(ends.table.id, known);
  }
  await Promise.all([
    addPeople(ask, labels, people),
    ...[...targets.values()].map(({ table, ids }) => addNames(ask, scope, table, [...ids], labels)),
    addResources(ask, scope, records, fields, labels),
    ...fields.filter((field) => field.type === 'relations' || field.type === 'inverse').map((field) => addLists(ask, scope, records, field, labels)),
  ]);
  return labels;
}

/** What the records show of the resources that they use, if the reader may see resources. The public sees those that are delivered to it. */
async function addResources(ask: Ask, scope: ReadContext, records: readonly ReadRecord[], fields: readonly FieldModel[], labels: Labels): Promise<void> {
  const { role } = scope.reader;
  if (role !== 'public' && !mayOnSite(role, 'resources.read')) return;
  const ids = new Set(records.flatMap((record) => fields.flatMap(({ id, type }) => resourcesOf(type, record.values[id]))));
  if (ids.size === 0) return;
  const all = Object.entries(await resourceLabels(ask, scope.model.siteId, [...ids]));
  const isVisible = ({ visibility, deleted, blocked }: ResourceLabel): boolean => role !== 'public' || (visibility === 'public' && !deleted && !blocked);
  labels.resources = Object.fromEntries(all.filter(([, label]) => isVisible(label)));
}

function addText(all: Set<string>, value: unknown): void {
  if (typeof value === 'string') all.add(value);
}

export async function addPeople(ask: Ask, labels: Labels, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  for (const [id, name] of await ask('SELECT id, display_name FROM users WHERE id = ANY($1::uuid[])', [[...ids]])) if (id) labels.people[id] = name ?? '';
}

/** Names of records of one table, limited to those that the reader may see. */
export async function addNames(ask: Ask, scope: ReadContext, table: TableModel, ids: readonly string[], labels: Labels): Promise<void> {
  const there = afresh(scope, table);
  if (ids.length === 0 || !readGrant(there).allowed) return;
  const label = labelAt(there);
  const text = `SELECT ${there.row}.id, ${label.sql} FROM ${fromTable(there)} WHERE ${there.row}.id = ANY(${there.params.bind(ids, 'uuid[]')}) AND ${isLive(there)} AND ${mayRead(there)}`;
  for (const [id, name] of await ask(text, there.params.values)) if (id) labels.records[id] = label.show(name ?? null);
}

/** Values of a link field, with names. */
async function addLists(ask: Ask, scope: ReadContext, records: readonly ReadRecord[], field: FieldModel, labels: Labels): Promise<void> {
  const lists = new Map(records.map((record) => [record.id, [] as string[]]));
  for (const record of records) record.values[field.id] = lists.get(record.id) ?? [];
  const here = afresh(scope);
  const ids = here.params.bind([...lists.keys()], 'uuid[]');
  const linked = linkedRows(here, field);
  if (!linked) return;
  const label = labelAt(linked.scope);
  const text = `SELECT ${here.row}.id, ${linked.scope.row}.id, ${label.sql} FROM ${fromTable(here)} JOIN ${linked.from} ON ${linked.where} WHERE ${here.row}.id = ANY(${ids}) ORDER BY ${here.row}.id, ${linked.order}`;
  for (const [a, b, labelText] of await ask(text, here.params.values)) {
    if (!a || !b) continue;
    lists.get(a)?.push(b);
    labels.records[b] = label.show(labelText ?? null);
  }
}

/** A link column of this table as SQL, for queries about the records that point here. */
export const pointing = (scope: ReadContext, field: FieldModel): { readonly from: string; readonly points: (id: string) => string } => {
  if (field.type === 'relation') return { from: fromTable(scope), points: (id) => `${scope.row}.${columnName(field.id)} = ${id}` };
  const pair = scope.nextRow();
  return {
    from: `${linksTable(scope.model.siteId, field.id)} ${pair} JOIN ${fromTable(scope)} ON ${scope.row}.id = ${pair}.a`,
    points: (id) => `${pair}.b = ${id}`,
  };
};
