import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { mayOnSite } from '../../../../contract/permissions';
import type { SiteRole } from '../../../../contract/permissions';
import { allowedByDefault } from '../../../../contract/tables/terms';
import type { RecordAction } from '../../../../contract/tables/terms';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import type { FieldModel, TableModel } from './model';

/** Who reads or writes: a person with a role on the site, or the public (`public`, which sees published records only). */
export type Reader = {
  readonly role: SiteRole | 'public';
  /** null: not signed in. */
  readonly userId: string | null;
  /** Display name, if this request has already loaded it. */
  readonly name?: string;
  /** Whether files behind addresses that they write become resources of the site (`storesFiles`). */
  readonly storesFiles?: boolean;
  /** By table id: everything that a public link to a view opens (`publicLinks/reach.ts`), regardless of the rules. */
  readonly only?: ReadonlyMap<string, Reach>;
  /** Fields that a form link lets its visitor fill in on new records, in addition to `only`. */
  readonly fills?: { readonly table: string; readonly fields: ReadonlySet<string> };
};
/** Fields of one table, by id, on the records that match `filter` (null: all). */
export type Reach = { readonly fields: ReadonlySet<string>; readonly filter: RecordFilter | null };

/** A call of a signed-in person on a site that they may see. */
export type Caller = { readonly site: SiteAccess; readonly session: SessionInfo };
/** Whether a caller may add resources: their role, and the scopes of their token. */
export const storesFiles = ({ site, session }: Caller): boolean =>
  mayOnSite(site.role, 'resources.write') && (session.token === null || session.token.scopes.includes('resources:write'));
export const readerOf = (caller: Caller): Reader => ({ role: caller.site.role, userId: caller.session.userId, storesFiles: storesFiles(caller) });

/** What one reader may do with one action on one table. */
export type Grant = {
  readonly allowed: boolean;
  /** Whether the grant includes a field. */
  readonly covers: (field: Pick<FieldModel, 'id' | 'sensitive'>) => boolean;
  /** Only records that match; null: all. */
  readonly filter: RecordFilter | null;
};

const nothing: Grant = { allowed: false, covers: () => false, filter: null };
const everything: Grant = { allowed: true, covers: () => true, filter: null };

/** What a reader may do with the records of a table. The only place that decides this; every read, filter, sort, group, export and write uses it. */
export function grantOf(table: TableModel, reader: Reader, action: RecordAction): Grant {
  const { role, only, fills } = reader;
  if (only) {
    if (action === 'create' && fills?.table === table.id)
      return { allowed: true, filter: null, covers: (field) => !field.sensitive && fills.fields.has(field.id) };
    const reach = action === 'read' ? only.get(table.id) : undefined;
    return reach ? { allowed: true, filter: reach.filter, covers: (field) => !field.sensitive && reach.fields.has(field.id) } : nothing;
  }
  if (role === 'admin') return everything;
  const rule = table.rules.find((one) => one.role === role && one.action === action);
  if (!(rule ? rule.allowed : allowedByDefault(role, action))) return nothing;
  const named = rule?.fields ? new Set(rule.fields) : null;
  // Editors see sensitive fields; others only where a rule names them.
  return { allowed: true, filter: rule?.filter ?? null, covers: (field) => (named ? named.has(field.id) : !field.sensitive || role === 'editor') };
}

/** Like `grantOf`, but throws `not_found` for readers who may not read the table, and `forbidden` for those who may not perform this action. */
export function requireGrant(table: TableModel, reader: Reader, action: RecordAction): Grant {
  if (!grantOf(table, reader, 'read').allowed) return fail('not_found');
  const grant = grantOf(table, reader, action);
  return grant.allowed ? grant : fail('forbidden');
}
