import { and, inArray, isNull, or, sql } from 'drizzle-orm';
import { columnOf } from '../../../../contract/tableTerms';
import { users } from '../../account/schema';
import { siteGrants } from '../../sites/schema';
import { grantOf } from '../access';
import type { Grant } from '../access';
import { columnName, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { newScope } from '../read/statement';
import { numbered, slugOf } from '../values/slug';
import { run } from './rows';
import type { Scene, Tx, WriteTx } from './types';

/**
 * Of records of a table, those that are (not in the bin, or in it with `trash`) and for which the filter of a right holds. Of rights on a table that the writer
 * may not read, none.
 */
export async function permitted(
  w: WriteTx,
  scene: Scene,
  table: TableModel,
  ids: readonly string[],
  { grants, trash = false }: { readonly grants: readonly Grant[]; readonly trash?: boolean },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const scope = await newScope(w.ctx, { ...scene, table });
  const wanted = scope.params.bind([...new Set(ids)], 'uuid[]');
  const rules = grants.flatMap((grant) => (grant.filter === null ? [] : [` AND (${scope.compilers.rule(scope, grant.filter)})`]));
  const found = await run<{ id: string }>(
    w.tx,
    `SELECT ${scope.row}.id FROM ${recordsTable(scene.model.siteId, table.id)} ${scope.row}
     WHERE ${scope.row}.id = ANY(${wanted}) AND ${scope.row}.deleted_at IS ${trash ? 'NOT NULL' : 'NULL'}${rules.join('')}`,
    scope.params.values,
  );
  return new Set(found.map(({ id }) => id));
}

/** Records that may be linked to: live ones that the writer may read. */
export async function linkable(w: WriteTx, scene: Scene, table: TableModel, ids: readonly string[], system: boolean): Promise<Set<string>> {
  const grant = grantOf(table, scene.reader, 'read');
  if (!system && !grant.allowed) return new Set();
  return permitted(w, scene, table, ids, { grants: system ? [] : [grant] });
}

/** Of ids of people, those who may see the site. */
export async function peopleOf(tx: Tx, siteId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const granted = sql`exists (select 1 from ${siteGrants} where ${siteGrants.siteId} = ${siteId} and ${siteGrants.userId} = ${users.id})`;
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt), or(inArray(users.role, ['owner', 'manager']), granted)));
  return new Set(found.map(({ id }) => id));
}

/** Live records that have one of some values in a field, by value. */
export async function recordsWith(tx: Tx, siteId: string, tableId: string, field: FieldModel, values: readonly unknown[]): Promise<Map<string, string[]>> {
  const column = columnName(field.id);
  const found = await run<{ id: string; at: string }>(
    tx,
    `SELECT t.id, x.at::text AS at FROM unnest($1::text[]) WITH ORDINALITY AS x(value, at)
     JOIN ${recordsTable(siteId, tableId)} t ON t.${column} = x.value::${columnOf[field.type]} AND t.deleted_at IS NULL`,
    [values.map(String)],
  );
  const by = new Map<string, string[]>();
  for (const { id, at } of found) {
    const value = String(values[Number(at) - 1]);
    by.set(value, [...(by.get(value) ?? []), id]);
  }
  return by;
}

/** Slugs for titles; where the field is unique, none that is in use or chosen before, by a number at the end. null where a title makes none. */
export async function slugsFor(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  field: FieldModel,
  wanted: readonly { readonly title: string }[],
  chosen: ReadonlySet<string>,
): Promise<(string | null)[]> {
  const bases = wanted.map(({ title }) => slugOf(title, Math.min(field.options.maxLength ?? 80, 80)));
  if (!field.isUnique) return bases.map((base) => base || null);
  const taken = new Set(chosen);
  const asked = new Set<string>();
  const made: (string | null)[] = [];
  for (const base of bases) {
    if (base === '') {
      made.push(null);
      continue;
    }
    // Candidates are looked up some at a time: twelve of the same title are rare, a thousand happen.
    for (let count = 1; ; count++) {
      const candidate = numbered(base, count);
      if (!asked.has(candidate)) {
        const some = Array.from({ length: count === 1 ? 1 : 50 }, (_, more) => numbered(base, count + more)).filter((one) => !asked.has(one));
        const all = count === 1 ? [...new Set([...some, ...bases.filter((one) => one !== '' && !asked.has(one))])] : some;
        for (const one of all) asked.add(one);
        for (const value of (await recordsWith(w.tx, siteId, table.id, field, all)).keys()) taken.add(value);
      }
      if (taken.has(candidate)) continue;
      taken.add(candidate);
      made.push(candidate);
      break;
    }
  }
  return made;
}
