import { readFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalLanguage } from '../../contract/languages';
import type { ContentRecord, Written } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { historyTable, publishedTable, recordsTable } from '../../server/areas/tables/core/ids';
import { migrationsFolder } from '../../server/stores/postgres/migrate';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

let program: TestApp;
let first: Tabled;
beforeAll(async () => {
  program = await makeTestApp();
  first = await makeTabled(program, fields, { drafts: true, locales: ['en', 'zh-CN', 'ja'] });
});
afterAll(() => program.close());

const fields = [{ key: 'title', type: 'text', localized: true }] as const;
const data = async <T>(method: 'GET' | 'POST' | 'PATCH', address: string, body?: object): Promise<T> => {
  const answer = method === 'GET' ? await first.owner.get(address) : await first.owner.send(method, address, body ?? {});
  if (answer.statusCode >= 300) throw new Error(answer.body);
  return answer.json<{ data: T }>().data;
};
const query = (text: string, values: unknown[] = []) => program.ctx.postgres.pool.query(text, values);

/** A published record with a translation edited since; returns its id. */
async function addTranslated({ path: at }: MadeTable, locale: string): Promise<string> {
  const writeResult = await data<Written>('POST', `${at}/records`, { records: [{ title: 'Green tea' }] });
  const id = writeResult.records[0]?.id ?? '';
  const translate = (title: string) => data('PATCH', `${at}/records`, { changes: [{ id, values: { title } }], locale });
  await translate('绿茶');
  await data('POST', `${at}/records/publish`, { target: { ids: [id] } });
  await translate('龙井绿茶');
  return id;
}
const titleIn = async ({ path: at }: MadeTable, id: string, locale: string): Promise<unknown> =>
  (await data<ContentRecord>('GET', `${at}/records/${id}?locale=${locale}`)).values['title'];

/** Renames every mention of a language in a table's rows to the form stored by versions before 0030. */
async function storeAs(table: MadeTable, was: string, becomes: string): Promise<void> {
  // At the end of a key or as a whole: the id of a field may contain the letters of a language.
  const renamed = (column: string) => `${column} = regexp_replace(${column}::text, '(["@])${was}"', '\\1${becomes}"', 'g')::jsonb`;
  const [site, { id }] = [first.site.id, table.table];
  await query(`UPDATE ${recordsTable(site, id)} SET ${renamed('tr')}`);
  await query(`UPDATE ${publishedTable(site, id)} SET ${renamed('tr')}`);
  await query(`UPDATE ${historyTable(site)} SET ${renamed('patch')}, ${renamed('inverse')} WHERE table_id = $1`, [id]);
  await query(`UPDATE content_changes SET ${renamed('before')}, ${renamed('after')} WHERE table_id = $1`, [id]);
  await query(`UPDATE content_tables SET locales = array_replace(locales, $2, $3) WHERE id = $1`, [id, was, becomes]);
  await query('UPDATE content_sites SET revision = revision + 1');
}
const migrate = () => query(readFileSync(path.join(migrationsFolder, '0030_language-names.sql'), 'utf8'));

async function stored(table: MadeTable): Promise<unknown> {
  const [site, { id }] = [first.site.id, table.table];
  const rows = async (text: string) => (await query(text, text.includes('$1') ? [id] : [])).rows as unknown[];
  return {
    definition: await rows('SELECT locales FROM content_tables WHERE id = $1'),
    records: await rows(`SELECT tr FROM ${recordsTable(site, id)} ORDER BY id`),
    published: await rows(`SELECT tr FROM ${publishedTable(site, id)} ORDER BY id`),
    history: await rows(`SELECT rev, patch, inverse FROM ${historyTable(site)} WHERE table_id = $1 ORDER BY record_id, rev`),
    changes: await rows('SELECT before, after FROM content_changes WHERE table_id = $1 ORDER BY id'),
  };
}

test('a table has one name per language, whichever alias is used', async () => {
  expect(first.table.locales).toEqual(['en', 'zh-Hans', 'ja']);
  const id = await addTranslated(first, 'zh-CN');
  for (const locale of ['zh-CN', 'zh-cn', 'zh-Hans']) expect(await titleIn(first, id, locale)).toBe('龙井绿茶');
  expect((await data<ContentRecord>('GET', `${first.path}/records/${id}`)).locales).toEqual(['zh-Hans']);
});

test('a filter for missing translations accepts both names', async () => {
  const table = await addTestTable(first.owner, first.site.id, fields, { locales: ['en', 'zh-Hans'] });
  await data('POST', `${table.path}/records`, { records: [{ title: 'Untranslated' }] });
  const missing = async (locale: string) => {
    const filter = encodeURIComponent(JSON.stringify({ field: 'title', op: 'empty', value: locale }));
    return (await first.owner.get(`${table.path}/records?filter=${filter}`)).json<{ data: { rows: ContentRecord[] } }>().data.rows.length;
  };
  expect([await missing('zh-CN'), await missing('zh-Hans')]).toEqual([1, 1]);
});

test('two aliases of one language are refused as a duplicate', async () => {
  const answer = await first.owner.send('POST', `/api/site/${first.site.id}/table/tables`, { title: 'x', locales: ['zh-CN', 'zh-Hans'], fields: [] });
  expect(answer.json()).toMatchObject({ code: 'invalid_fields', fields: { locales: { code: 'duplicate' } } });
});

test('stored zh-CN is renamed in records, history and definitions', async () => {
  const table = await addTestTable(first.owner, first.site.id, fields, { drafts: true, locales: ['en', 'zh-Hans'] });
  const id = await addTranslated(table, 'zh-Hans');
  const changed = await first.owner.send('PATCH', table.path, { locales: ['en', 'zh-Hans', 'fr'] }, { 'if-match': `"${table.table.revision}"` });
  expect(changed.json<{ data: ContentTable }>().data.locales).toEqual(['en', 'zh-Hans', 'fr']);
  const before = await stored(table);
  await storeAs(table, 'zh-Hans', 'zh-CN');
  expect(JSON.stringify(await stored(table))).not.toContain('zh-Hans');
  await migrate();
  expect(await stored(table)).toEqual(before);
  expect(await titleIn(table, id, 'zh-CN')).toBe('龙井绿茶');
});

test('a lowercase name is renamed as well', async () => {
  const table = await addTestTable(first.owner, first.site.id, fields, { drafts: true, locales: ['en', 'zh-Hans'] });
  const id = await addTranslated(table, 'zh-Hans');
  await storeAs(table, 'zh-Hans', 'zh-cn');
  await migrate();
  expect((await data<ContentTable>('GET', table.path)).locales).toEqual(['en', 'zh-Hans']);
  expect(await titleIn(table, id, 'zh-cn')).toBe('龙井绿茶');
});

test('leftover texts of a removed language are not revived by the rename', async () => {
  const table = await addTestTable(first.owner, first.site.id, fields, { locales: ['en', 'zh-Hans'] });
  const writeResult = await data<Written>('POST', `${table.path}/records`, { records: [{ title: 'Green tea' }] });
  await query(`UPDATE ${recordsTable(first.site.id, table.table.id)} SET tr = jsonb_build_object('zh-Hans', jsonb_build_object($1::text, '旧'))`, [
    table.f['title'],
  ]);
  await query(`UPDATE content_tables SET locales = '{en,zh-CN}' WHERE id = $1`, [table.table.id]);
  await migrate();
  expect(await titleIn(table, writeResult.records[0]?.id ?? '', 'zh-Hans')).toBe('Green tea');
});

test('a table with both aliases of a language keeps both', async () => {
  const table = await addTestTable(first.owner, first.site.id, fields, { drafts: true, locales: ['en', 'zh-Hans', 'fr'] });
  const id = await addTranslated(table, 'fr');
  await storeAs(table, 'fr', 'zh-CN');
  await migrate();
  expect((await data<ContentTable>('GET', table.path)).locales).toEqual(['en', 'zh-Hans', 'zh-Hans-CN']);
  expect(await titleIn(table, id, 'zh-Hans-CN')).toBe('龙井绿茶');
});

/** Columns of PostgreSQL that hold a language of a site. Those of people hold a language of the console, which has names of its own. */
const languageColumns = [
  'content_tables.locales',
  'removed_languages.language',
  'resource_captions.language',
  'sites.default_lang',
  'translation_marks.language',
  'translation_runs.language',
];
/** Languages of the console, and what pages that were crawled, or on which visitors wrote, say of themselves. */
const otherColumns = ['contacts.locale', 'crawl_pages.language', 'support_conversations.language', 'support_visitors.language', 'users.locale'];

test('every column that holds a language of a site holds its stored form', async () => {
  const site = await program.makeSite(first.owner, { name: '茶', defaultLang: 'zh-CN', slug: 'stored' });
  const parts = `/api/site/${site.id}/setting/parts`;
  const put = (part: string, content: object) => first.owner.send('PUT', `${parts}/${part}`, content, { 'if-match': '"0"' });
  expect(
    (
      await put('languages', {
        languages: [
          { tag: 'zh-TW', path: 'tw' },
          { tag: 'zh-CN', path: 'cn', fallback: ['zh-TW'] },
        ],
      })
    ).statusCode,
  ).toBe(200);
  expect((await put('settings', { title: { 'zh-CN': '茶' } })).statusCode).toBe(200);
  expect((await put('menus', { main: [{ id: 'a', label: { 'zh-TW': '茶' }, target: { path: '/' }, items: [] }] })).statusCode).toBe(200);
  const { rows } = await query(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name ~ '(^|_)(lang|language|locale)s?$' ORDER BY 1`,
  );
  expect((rows as { name: string }[]).map(({ name }) => name)).toEqual([...languageColumns, ...otherColumns].toSorted());
  const tags: string[] = [];
  for (const name of languageColumns) {
    const [table = '', column = ''] = name.split('.');
    const found = (await query(`SELECT to_jsonb(${column}) AS value FROM ${table}`)).rows as { value: string | string[] }[];
    tags.push(...found.flatMap(({ value }) => value));
  }
  const contents = (await query('SELECT content FROM site_parts')).rows as { content: unknown }[];
  expect(tags.filter((tag) => canonicalLanguage(tag) !== tag)).toEqual([]);
  expect(contents).toHaveLength(3);
  expect(JSON.stringify(contents)).not.toMatch(/zh-(?:CN|TW)/i);
});

test('names of JavaScript properties are not treated as languages', () => {
  for (const tag of ['constructor', '__proto__', 'toString']) expect(canonicalLanguage(tag)).toBe(tag);
});
