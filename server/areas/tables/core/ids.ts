import { createHash, randomBytes } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const suffix = (): string => Array.from(randomBytes(12), (byte) => letters[byte & 31]).join('');

/** Physical names: `t_…` of a table, `f_…` of a column. Ids of site, table and field are the only ids that appear in SQL text. */
export const newTableId = (): string => `t_${suffix()}`;
export const newFieldId = (): string => `f_${suffix()}`;

/** Unused random bytes, generated in bulk. */
let spare = Buffer.alloc(0);

/** UUID version 7 (RFC 9562, 5.7): sorts by creation time. `at` in epoch milliseconds. */
export function newRecordId(at: number): string {
  if (spare.length < 16) spare = randomBytes(4096);
  const bytes = spare.subarray(0, 16);
  spare = spare.subarray(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A UUID made of other ids: always the same of the same ones. */
export function idOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const shape = /^(?:[tf]_)?[a-z2-7]{12}$/;
function checked(id: string): string {
  if (!shape.test(id)) throw new Error('not an id');
  return id;
}
export const schemaOf = (siteId: string): string => `s_${checked(siteId)}`;
const inSchema = (siteId: string, name: string): string => `${schemaOf(siteId)}.${name}`;
/** Current state of records. */
export const recordsTable = (siteId: string, tableId: string): string => inSchema(siteId, checked(tableId));
/** Their published state, in tables that use drafts. */
export const publishedTable = (siteId: string, tableId: string): string => inSchema(siteId, `p_${checked(tableId).slice(2)}`);
/** Sequence of the record numbers `n` of a table. */
export const numbersOf = (siteId: string, tableId: string): string => inSchema(siteId, `n_${checked(tableId).slice(2)}`);
/** Pairs of a `relations` field: `a` (here), `b` (there), `ord`. */
export const linksTable = (siteId: string, fieldId: string): string => inSchema(siteId, `l_${checked(fieldId).slice(2)}`);
export const historyTable = (siteId: string): string => inSchema(siteId, 'h');
export const columnName = (fieldId: string): string => checked(fieldId);

/** Indexes of a table's records, and of one field: unique, plain, and the plain one on published records. */
export const tableIndex = (tableId: string, of: 'ord' | 'updated' | 'search' | 'publish' | 'unpublish' | 'publishedOrd' | 'publishedSearch'): string =>
  `${{ ord: 'o', updated: 'm', search: 'q', publish: 's', unpublish: 'e', publishedOrd: 'po', publishedSearch: 'pq' }[of]}_${checked(tableId).slice(2)}`;
export const uniqueIndexOf = (fieldId: string): string => `u_${checked(fieldId).slice(2)}`;
export const plainIndexOf = (fieldId: string): string => `i_${checked(fieldId).slice(2)}`;
export const publishedIndexOf = (fieldId: string): string => `pi_${checked(fieldId).slice(2)}`;
export const linksIndexOf = (fieldId: string): string => `b_${checked(fieldId).slice(2)}`;

/** Columns beside one that a conversion fills: the revision of each record that was converted, and the converted translations. */
export const convertedRevs = (freshId: string): string => `r_${checked(freshId).slice(2)}`;
export const convertedTranslations = (freshId: string): string => `v_${checked(freshId).slice(2)}`;
