import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { SiteRole } from '../../../../contract/permissions';
import { allowedByDefault } from '../../../../contract/tables/terms';
import type { RecordAction } from '../../../../contract/tables/terms';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import type { FieldModel, TableModel } from './model';

/** Who asks: what somebody is on the site, or anybody (`public`, who sees what is published). */
export type Reader = {
  readonly role: SiteRole | 'public';
  /** null: nobody that is known. */
  readonly userId: string | null;
  /** What they are called, as this request has found it. */
  readonly name?: string;
  /** By id of the table: all that a link to a view opens (`sharing/reach.ts`), whatever the rules say. */
  readonly only?: ReadonlyMap<string, Reach>;
  /** What a link to a form lets fill in of new records, beside `only`. */
  readonly fills?: { readonly table: string; readonly fields: ReadonlySet<string> };
};
/** Fields of one table, by id, of the records for which `filter` holds (null: all). */
export type Reach = { readonly fields: ReadonlySet<string>; readonly filter: RecordFilter | null };

/** A call of somebody who is signed in, on a site that they may see. */
export type Caller = { readonly site: SiteAccess; readonly session: SessionInfo };
export const readerOf = ({ site, session }: Caller): Reader => ({ role: site.role, userId: session.userId });

/** One action of one reader on one table. */
export type Grant = {
  readonly allowed: boolean;
  /** Fields that it covers. */
  readonly covers: (field: Pick<FieldModel, 'id' | 'sensitive'>) => boolean;
  /** Only records for which this holds; null: all. */
  readonly filter: RecordFilter | null;
};

const nothing: Grant = { allowed: false, covers: () => false, filter: null };
const everything: Grant = { allowed: true, covers: () => true, filter: null };

/** What a reader may do with the records of a table. The one place that decides it; every read, filter, sort, group, export and write asks here. */
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
  // What is sensitive is seen by those who edit, unless a rule names it for others.
  return { allowed: true, filter: rule?.filter ?? null, covers: (field) => (named ? named.has(field.id) : !field.sensitive || role === 'editor') };
}

/** The same, or `not_found` for who may not even read the table, `forbidden` for who may not do this with it. */
export function requireGrant(table: TableModel, reader: Reader, action: RecordAction): Grant {
  if (!grantOf(table, reader, 'read').allowed) return fail('not_found');
  const grant = grantOf(table, reader, action);
  return grant.allowed ? grant : fail('forbidden');
}
