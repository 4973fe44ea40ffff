import { canonicalLanguage } from '../../../../../contract/languages';
import { fail } from '../../../../http/failure';
import { grantOf } from '../access';
import { historyTable } from '../ids';
import type { FieldModel } from '../model';
import type { TableContext } from '../tableContext';
import { pastOf, presentForm } from './conversions';
import { requireVisible, valuesAfter, wholeRow } from './past';
import { lockRows, run } from './rows';
import { visibleLinks } from './visibleLinks';
import type { WriteTx } from './types';

type RevertInput = { readonly revision: number; readonly fields: readonly string[] };
/** Values that fields of a record had after a revision, ready for writing, by language (`''`: the table's main values). */
export async function pastValues(
  w: WriteTx,
  context: TableContext,
  id: string,
  { revision, fields }: RevertInput,
): Promise<Map<string, Record<string, unknown>>> {
  const { table, model, reader } = context;
  await requireVisible(w, context, id);
  const read = grantOf(table, reader, 'read');
  await lockRows(w.tx, model.siteId, table, [id], { fields: [], tr: false, published: false });
  const known = await run(w.tx, `SELECT 1 AS known FROM ${historyTable(model.siteId)} WHERE table_id = $1::text AND record_id = $2::uuid AND rev = $3::int`, [
    table.id,
    id,
    revision,
  ]);
  if (known.length === 0) return fail('not_found');
  const at = new Map<string, Date>();
  const past = await valuesAfter(w.tx, model.siteId, table, await wholeRow(w.tx, model.siteId, table, id), revision, at);
  const conversions = await pastOf(w.tx, table.id);
  const found: { readonly locale: string; readonly name: string; readonly field: FieldModel; readonly value: unknown }[] = [];
  for (const name of fields) {
    const [fieldName = '', language = ''] = name.split('@');
    const locale = canonicalLanguage(language);
    const field = table.byName.get(fieldName);
    if (!field || !read.covers(field) || (locale !== '' && !field.localized)) return fail('invalid_fields', { fields: { [name]: { code: 'unknown_field' } } });
    // A hash cannot be written as a password. Inverses have their own history.
    if (field.type === 'password' || field.type === 'inverse') return fail('invalid_fields', { fields: { [name]: { code: 'readonly' } } });
    const key = locale === '' ? field.id : `${field.id}@${locale}`;
    const then = at.get(key);
    // History stores values in their form at the time; the field may have been converted since.
    const value = then === undefined ? past.get(key) : presentForm(conversions, field, past.get(key), then, context.timeZone);
    if (then !== undefined && value === undefined && past.get(key) !== undefined) return fail('invalid_fields', { fields: { [name]: { code: 'wrong_type' } } });
    found.push({ locale, name: fieldName, field, value: value ?? null });
  }
  const visiblePart = await visibleLinks(w, context, found);
  const valuesByLocale = new Map<string, Record<string, unknown>>();
  for (const { locale, name, field, value } of found) valuesByLocale.set(locale, { ...valuesByLocale.get(locale), [name]: visiblePart(field, value) });
  return valuesByLocale;
}
