import { isComputed } from '../../../../contract/tables/terms';
import { fail } from '../../../http/failure';
import { grantOf, requireGrant } from '../core/access';
import { newRecordId } from '../core/ids';
import type { FieldModel } from '../core/model';
import { valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';
import { linkable } from '../core/write/lookups';
import { lockRows } from '../core/write/rows';
import type { Row } from '../core/write/rows';
import type { TableContext } from '../core/tableContext';
import type { Change, WriteTx } from '../core/write/types';

/** Copies of records with their translations, as successive writes in one batch: each language is written separately. */
export type Copies = {
  readonly ids: readonly string[];
  readonly creations: readonly Change[];
  readonly translated: ReadonlyMap<string, readonly Change[]>;
};

/**
 * New records with copied values, limited to fields that the caller may read and write. Unique values are omitted, so that slugs are generated anew and
 * required fields must be filled in; passwords are not copied. Comments, history, schedules and published states stay with the original. Throws
 * `not_found` if one of the records is hidden.
 */
export async function copiesOf(w: WriteTx, context: TableContext, readableIds: ReadonlySet<string>, originals: readonly string[]): Promise<Copies> {
  const { model, table, reader } = context;
  const create = requireGrant(table, reader, 'create');
  const read = grantOf(table, reader, 'read');
  const isCopied = (field: FieldModel): boolean =>
    !isComputed(field.type) &&
    field.type !== 'inverse' &&
    field.type !== 'password' &&
    !field.isUnique &&
    !field.readonly &&
    read.covers(field) &&
    create.covers(field);
  const fields = table.fields.filter(isCopied);
  const rows = await lockRows(w.tx, model.siteId, table, originals, { fields, tr: true, published: false });
  const live = await livingLinks(w, context, fields, [...rows.values()]);
  const creations: Change[] = [];
  const translated = new Map<string, Change[]>();
  for (const original of originals) {
    const row: Row = rows.get(original) ?? fail('not_found');
    if (row.deletedAt !== null || !readableIds.has(original)) fail('not_found');
    const id = newRecordId(w.now.getTime());
    creations.push({ kind: 'create', id, values: Object.fromEntries(fields.flatMap((field) => copied(field, row.values.get(field.id) ?? null, live))) });
    for (const [locale, values] of Object.entries(row.tr)) {
      const own = fields.filter((field) => field.localized && Object.hasOwn(values, field.id)).map((field) => [field.id, values[field.id]] as const);
      if (own.length > 0 && table.locales.includes(locale))
        translated.set(locale, [...(translated.get(locale) ?? []), { kind: 'update', id, values: Object.fromEntries(own), system: true }]);
    }
  }
  return { ids: creations.flatMap((change) => (change.kind === 'create' && change.id !== undefined ? [change.id] : [])), creations, translated };
}

/** Linked records that can still be linked. */
async function livingLinks(w: WriteTx, context: TableContext, fields: readonly FieldModel[], rows: readonly Row[]): Promise<Set<string>> {
  const living = new Set<string>();
  for (const field of fields) {
    const table = context.model.byName.get(field.options.to ?? '');
    if (!table || (field.type !== 'relation' && field.type !== 'relations')) continue;
    const ids = rows.flatMap((row) => row.values.get(field.id) ?? []).filter((id): id is string => typeof id === 'string');
    for (const id of await linkable(w, context, table, ids, false)) living.add(id);
  }
  return living;
}

/** The value if its field would still accept it, else nothing: a removed choice must not prevent the copy. */
function copied(field: FieldModel, value: unknown, live: ReadonlySet<string>): [string, unknown][] {
  const isLive = (id: unknown): boolean => typeof id === 'string' && live.has(id);
  const liveValue = field.type === 'relations' && Array.isArray(value) ? value.filter(isLive) : field.type === 'relation' && !isLive(value) ? null : value;
  try {
    valueOf(field, liveValue);
  } catch (error) {
    if (error instanceof ValueError) return [];
    throw error;
  }
  return [[field.id, liveValue]];
}
