import { randomBytes } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const suffix = (): string => Array.from(randomBytes(12), (byte) => letters[byte & 31]).join('');

/** Physical names: of a table `t_…`, a column `f_…`. Ids of site, table and field are the only parts that ever get into SQL text. */
export const newTableId = (): string => `t_${suffix()}`;
export const newFieldId = (): string => `f_${suffix()}`;

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
