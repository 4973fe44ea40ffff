import type { ContentTable, FieldInput, TableInput } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { Browser, Person, TestApp } from './app';

/** A table created through the API, with the ids of its fields by key. */
export type MadeTable = { readonly table: ContentTable; readonly f: Readonly<Record<string, string>>; readonly path: string };
type Options = Omit<TableInput, 'title' | 'fields'> & { readonly title?: string };

const withIds = (siteId: string, table: ContentTable): MadeTable => ({
  table,
  f: Object.fromEntries(table.fields.map((field) => [field.key, field.id])),
  path: `/api/site/${siteId}/table/tables/${table.id}`,
});

/** Adds a table with the given fields to an existing site. `title` of a field is optional if `key` is set. */
export async function addTestTable(by: Browser, siteId: string, fields: readonly TestField[], options: Options = {}): Promise<MadeTable> {
  const { title = '表', ...rest } = options;
  const answer = await by.send('POST', `/api/site/${siteId}/table/tables`, { title, ...rest, fields: fields.map((field) => ({ title: field.key, ...field })) });
  if (answer.statusCode !== 200) throw new Error(`could not make a table: ${answer.body}`);
  return withIds(siteId, answer.json<{ data: ContentTable }>().data);
}
export type TestField = Omit<FieldInput, 'title'> & { readonly title?: string };

export type Tabled = MadeTable & { readonly owner: Person; readonly site: Site };
/**
 * A site with one table of given fields, made through the API by its owner, in one call:
 *
 *   const program = await makeTestApp();
 *   const { owner, site, table, f, path } = await makeTabled(program, [
 *     { key: 'name', type: 'text' },
 *     { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
 *   ], { drafts: true, locales: ['zh-Hans', 'en'] });
 *   await owner.get(`${path}/records`);            // path: /api/site/<id>/table/tables/<id>
 *   await owner.send('POST', `${path}/records`, …) // f.price: the id of a field, by its key
 *
 * Call it once a program, because it signs up the first person; further tables come from `addTestTable(owner, site.id, fields, options)`,
 * where relations may name a table by key or id (`{ key: 'author', type: 'relation', options: { to: people.table.id } }`).
 */
export async function makeTabled(program: TestApp, fields: readonly TestField[], options: Options = {}): Promise<Tabled> {
  const owner = await program.signUpOwner();
  const site = await program.makeSite(owner);
  return { owner, site, ...(await addTestTable(owner, site.id, fields, options)) };
}
