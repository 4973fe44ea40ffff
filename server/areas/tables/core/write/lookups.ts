import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { instanceRoles, may } from '../../../../../contract/permissions';
import type { SiteRole } from '../../../../../contract/permissions';
import { columnOf } from '../../../../../contract/tables/terms';
import { users } from '../../../account/schema';
import { siteGrants } from '../../../sites/schema';
import { grantOf } from '../access';
import type { Grant } from '../access';
import { columnName, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { newReadContext } from '../read/statement';
import { numbered, slugOf } from '../values/slug';
import { run } from './rows';
import { publishedWith } from './publishedValues';
import type { TableContext } from '../tableContext';
import type { Tx, WriteTx } from './types';

/**
 * Filters ids of a table to existing records (outside the bin, or inside with `inBin`) that match the filter of a permission. Returns none if the
 * writer may not read the table.
 */
export async function permitted(
  w: Pick<WriteTx, 'ctx' | 'tx'>,
  context: TableContext,
  table: TableModel,
  ids: readonly string[],
  { grants, inBin = false }: { readonly grants: readonly Grant[]; readonly inBin?: boolean },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const scope = await newReadContext(w.ctx, { ...context, table });
  const boundIds = scope.params.bind([...new Set(ids)], 'uuid[]');
  const rules = grants.flatMap((grant) => (grant.filter === null ? [] : [` AND (${scope.compilers.rule(scope, grant.filter)})`]));
  const found = await run<{ id: string }>(
    w.tx,
    `SELECT ${scope.row}.id FROM ${recordsTable(context.model.siteId, table.id)} ${scope.row}
     WHERE ${scope.row}.id = ANY(${boundIds}) AND ${scope.row}.deleted_at IS ${inBin ? 'NOT NULL' : 'NULL'}${rules.join('')}`,
    scope.params.values,
  );
  return new Set(found.map(({ id }) => id));
}

/** Records that may be linked: live and readable by the writer. */
export async function linkable(w: WriteTx, context: TableContext, table: TableModel, ids: readonly string[], system: boolean): Promise<Set<string>> {
  const grant = grantOf(table, context.reader, 'read');
  if (!system && !grant.allowed) return new Set();
  return permitted(w, context, table, ids, { grants: system ? [] : [grant] });
}

/** Condition for people with access to the site. */
function seesSite(siteId: string): SQL | undefined {
  const granted = sql`exists (select 1 from ${siteGrants} where ${siteGrants.siteId} = ${siteId} and ${siteGrants.userId} = ${users.id})`;
  const all = instanceRoles.filter((role) => may(role, 'site.seeAll'));
  return and(isNull(users.deletedAt), or(inArray(users.role, all), granted));
}

/** Filters ids of people to those with access to the site. */
export async function peopleOf(tx: Tx, siteId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), seesSite(siteId)));
  return new Set(found.map(({ id }) => id));
}

/** A person's current role on a site, for background work; null: no access any more, or not allowed to sign in. */
export async function roleNow(db: Pick<Tx, 'select'>, siteId: string, userId: string): Promise<SiteRole | null> {
  const [person] = await db
    .select({ role: users.role, granted: siteGrants.role })
    .from(users)
    .leftJoin(siteGrants, and(eq(siteGrants.userId, users.id), eq(siteGrants.siteId, siteId)))
    .where(and(eq(users.id, userId), isNull(users.deletedAt), eq(users.disabled, false)));
  if (!person) return null;
  return may(person.role, 'site.seeAll') ? 'admin' : person.granted;
}

/** Normal form of login names. */
const asLogin = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Somebody with access to a site. `isMember`: through a role there, not because they see every site. `avatarVersion`: null: no picture. */
export type OfferedPerson = {
  readonly id: string;
  readonly name: string;
  readonly role: SiteRole;
  readonly isMember: boolean;
  readonly avatarVersion: string | null;
};

/** People with access to the site who may sign in, whose name contains the given words or whose login name is the text; at most `limit`, by name. */
export async function offeredPeople(db: Pick<Tx, 'select'>, siteId: string, search: string, limit: number): Promise<OfferedPerson[]> {
  const named = search === '' ? undefined : or(sql`strpos(lower(${users.displayName}), lower(${search})) > 0`, eq(users.loginName, asLogin(search)));
  const people = await db
    .select({ id: users.id, name: users.displayName, role: users.role, granted: siteGrants.role, avatarVersion: users.avatarVersion })
    .from(users)
    .leftJoin(siteGrants, and(eq(siteGrants.userId, users.id), eq(siteGrants.siteId, siteId)))
    .where(and(seesSite(siteId), eq(users.disabled, false), named))
    .orderBy(asc(users.displayName), asc(users.id))
    .limit(limit);
  return people.flatMap(({ role, granted, ...person }) => {
    const siteRole = may(role, 'site.seeAll') ? 'admin' : granted;
    return siteRole === null ? [] : [{ ...person, role: siteRole, isMember: granted !== null }];
  });
}

/** People with access to the site, found by name or, failing that, by login name. */
export async function peopleCalled(tx: Tx, siteId: string, titles: readonly string[]): Promise<{ title: string; id: string }[]> {
  const found = await tx
    .select({ id: users.id, title: users.displayName, login: users.loginName })
    .from(users)
    .where(and(or(inArray(users.displayName, [...titles]), inArray(users.loginName, titles.map(asLogin))), seesSite(siteId)));
  return titles.flatMap((title) => {
    const called = found.filter((one) => one.title === title);
    const meant = called.length > 0 ? called : found.filter(({ login }) => login === asLogin(title));
    return meant.map(({ id }) => ({ id, title }));
  });
}

/** Live records with any of the given values in a field, by value. */
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

/** A record that needs a slug from a title; `current`: its present slug. */
export type WantedSlug = { readonly title: string; readonly id: string; readonly current: string | null };
const isNumbered = (slug: string, base: string): boolean => slug === base || (slug.startsWith(`${base}-`) && /^\d+$/.test(slug.slice(base.length + 1)));

/**
 * Slugs for titles; in a unique field, a number is appended to avoid slugs of other records and of this write. A slug already generated from the same
 * title stays. null if a title yields none.
 */
export async function slugsFor(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  field: FieldModel,
  requests: readonly WantedSlug[],
  chosen: ReadonlySet<string>,
): Promise<(string | null)[]> {
  const bases = requests.map(({ title }) => slugOf(title, Math.min(field.options.maxLength ?? 80, 80)));
  if (!field.isUnique) return bases.map((base) => base || null);
  const takenSlugs = new Set(chosen);
  // Reserves slugs of records that keep theirs.
  const currentSlugs = requests.map(({ current }, at) =>
    current !== null && bases[at] && isNumbered(current, bases[at]) && !chosen.has(current) ? current : null,
  );
  for (const slug of currentSlugs) if (slug !== null) takenSlugs.add(slug);
  const lookedUp = new Set<string>();
  const slugs: (string | null)[] = [];
  for (const [at, base] of bases.entries()) {
    const own = currentSlugs[at] ?? null;
    if (base === '' || own !== null) {
      slugs.push(own);
      continue;
    }
    // Candidates are looked up in batches: twelve equal titles are rare, but a thousand occur.
    for (let count = 1; ; count++) {
      const candidate = numbered(base, count);
      if (!lookedUp.has(candidate)) {
        const some = Array.from({ length: count === 1 ? 1 : 50 }, (_, more) => numbered(base, count + more)).filter((one) => !lookedUp.has(one));
        const all = count === 1 ? [...new Set([...some, ...bases.filter((one) => one !== '' && !lookedUp.has(one))])] : some;
        for (const one of all) lookedUp.add(one);
        for (const value of (await recordsWith(w.tx, siteId, table.id, field, all)).keys()) takenSlugs.add(value);
        // A slug under which another record is published would prevent this one from being published.
        const published = table.drafts ? await publishedWith(w.tx, siteId, table.id, field, all) : [];
        for (const [value, holders] of published) if (holders.some((id) => !requests.some((one) => one.id === id))) takenSlugs.add(value);
      }
      if (takenSlugs.has(candidate)) continue;
      takenSlugs.add(candidate);
      slugs.push(candidate);
      break;
    }
  }
  return slugs;
}
