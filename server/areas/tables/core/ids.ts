import { randomBytes } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const suffix = (): string => Array.from(randomBytes(12), (byte) => letters[byte & 31]).join('');

/** Physical names: of a table `t_…`, a column `f_…`. Ids of site, table and field are the only parts that ever get into SQL text. */
export const newTableId = (): string => `t_${suffix()}`;
export const newFieldId = (): string => `f_${suffix()}`;

/** Random bytes that no id has been made of yet: taken many at a time. */
let spare = Buffer.alloc(0);

/** UUID version 7 (RFC 9562, 5.7): records made later sort later. `at` in epoch milliseconds. */
export function newRecordId(at: number): string {
  if (spare.length < 16) spare = randomBytes(4096);
  const bytes = spare.subarray(0, 16);
  spare = spare.subarray(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const shape = /^(?:[tf]_)?[a-z2-7]{12}$/;
function checked(id: string): string {
  if (!shape.test(id)) throw new Error('not an id');
  return id;
}
/** Schema of a site's records. */
export const schemaOf = (siteId: string): string => `s_${checked(siteId)}`;
const inSchema = (siteId: string, name: string): string => `${schemaOf(siteId)}.${name}`;
/** Records as people edit them. */
export const recordsTable = (siteId: string, tableId: string): string => inSchema(siteId, checked(tableId));
/** Their published state, of tables with drafts. */
export const publishedTable = (siteId: string, tableId: string): string => inSchema(siteId, `p_${checked(tableId).slice(2)}`);
/** Where the numbers `n` of a table come from. */
export const numbersOf = (siteId: string, tableId: string): string => inSchema(siteId, `n_${checked(tableId).slice(2)}`);
/** Pairs of a `relations` field: `a` (here), `b` (there), `ord`. */
export const linksTable = (siteId: string, fieldId: string): string => inSchema(siteId, `l_${checked(fieldId).slice(2)}`);
/** History of all records of a site. */
export const historyTable = (siteId: string): string => inSchema(siteId, 'h');
export const columnName = (fieldId: string): string => checked(fieldId);

/** Indexes of the records of a table, and of one field of it: unique, plain, and the twin of the plain one among published records. */
export const tableIndex = (tableId: string, of: 'ord' | 'updated' | 'search' | 'publish' | 'unpublish' | 'publishedOrd' | 'publishedSearch'): string =>
  `${{ ord: 'o', updated: 'm', search: 'q', publish: 's', unpublish: 'e', publishedOrd: 'po', publishedSearch: 'pq' }[of]}_${checked(tableId).slice(2)}`;
export const uniqueIndexOf = (fieldId: string): string => `u_${checked(fieldId).slice(2)}`;
export const plainIndexOf = (fieldId: string): string => `i_${checked(fieldId).slice(2)}`;
export const publishedIndexOf = (fieldId: string): string => `pi_${checked(fieldId).slice(2)}`;
export const linksIndexOf = (fieldId: string): string => `b_${checked(fieldId).slice(2)}`;

/** Beside a column that a conversion fills: as of which revision of each record its value is, and translations as they will be. */
export const convertedRevs = (freshId: string): string => `r_${checked(freshId).slice(2)}`;
export const convertedTranslations = (freshId: string): string => `v_${checked(freshId).slice(2)}`;
