import { jest } from '@jest/globals';
import { fromBufferPromise } from 'yauzl';
import { buffer } from 'node:stream/consumers';
import type { SiteParts } from '../../contract/publishing/schemas';
import { pictureOf, staticFiles, zipOf } from '../support/siteArchives';
import { openImports } from './siteImportSupport';
import type { Imports } from './siteImportSupport';
import { until } from '../support/until';
import { dataOf } from '../support/app';

jest.setTimeout(120_000);
let i: Imports;
beforeAll(async () => {
  i = await openImports();
});
afterAll(() => i.close());

async function filesIn(archive: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(archive);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1');
  return files;
}

test('an exported site, imported into an empty one, exports the same archive', async () => {
  const site = await i.t.makeSite(i.owner, { name: 'Blog', purpose: 'built', starter: 'blog', defaultLang: 'en' });
  await until(async () => {
    const { rows } = await i.t.ctx.postgres.pool.query<{ state: string }>('SELECT state FROM jobs WHERE site_id = $1', [site.id]);
    return rows.length > 0 && rows.every(({ state }) => state === 'done');
  }, 60_000);
  const parts = dataOf<Record<string, { revision: number }>>(await i.owner.get(`/api/site/${site.id}/setting/parts`));
  const setPart = (part: string, content: object) =>
    i.owner.send('PUT', `/api/site/${site.id}/setting/parts/${part}`, content, { 'if-match': `"${parts[part]?.revision ?? 0}"` });
  await setPart('redirects', [{ from: '/a', to: '/b' }]);
  await setPart('languages', {
    languages: [
      { tag: 'en', path: 'en', currency: 'NZD', timeZone: 'Pacific/Auckland', dateStyle: 'iso' },
      { tag: 'zh-Hans', path: 'zh' },
    ],
  });
  await setPart('settings', { theme: { about: { en: 'A blog', 'zh-Hans': 'about-zh' } } });
  const robots = 'User-agent: *\nDisallow: /drafts/';
  await i.owner.send('PUT', `/api/site/${site.id}/seo/robots`, { text: robots, accepted: [] }, { 'if-match': '"0"' });
  const terms = { rows: [{ from: 'en', to: 'zh-Hans', source: 'Blog', target: 'wangzhi' }] };
  await i.owner.send('PUT', `/api/site/${site.id}/intl/glossary`, terms, { 'if-match': '"0"' });
  const archive = await i.exported(site.id);
  const done = await i.bring('blog.site.zip', archive, { name: 'Blog', timeZone: site.timeZone });
  expect(done).toMatchObject({ source: 'archive', state: 'done', error: null });
  expect(done.archive).toMatchObject({ redirects: 1, languages: 2, terms: 1, robots: true, archivedFiles: done.archive?.files });
  expect(done.archive?.records).toBe(done.plan?.collections.reduce((sum, { count }) => sum + count, 0));
  const again = await i.exported(done.siteId ?? '');
  const [before, after] = [await filesIn(archive), await filesIn(again)];
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
  for (const name of Object.keys(before)) expect([name, after[name] === before[name] ? '' : after[name]]).toEqual([name, '']);
  expect(before['records/posts.jsonl']).not.toBe('');
  expect(after['parts/languages.json']).toMatch(/"NZD".*"iso".*"Pacific\/Auckland"/);
  expect([after['robots.txt'], JSON.parse(after['glossary.json'] ?? '')]).toEqual([robots, terms.rows]);
  expect(done.plan?.site).toMatchObject({ language: 'en', timeZone: site.timeZone });
  expect(after['parts/settings.json']).toContain('"about":{"en":"A blog","zh-Hans":"about-zh"}');
  expect(again.equals(archive)).toBe(true);
});

test('undoing the import of an archive leaves an empty site, but for a table that somebody has changed', async () => {
  const origin = await i.bring('a.zip', await zipOf(await staticFiles()));
  await i.owner.send('PUT', `/api/site/${origin.siteId}/seo/robots`, { text: 'User-agent: *\nDisallow: /x/', accepted: [] }, { 'if-match': '"0"' });
  const terms = { rows: [{ from: 'en', to: 'zh-Hans', source: 'Blog', target: 'wangzhi' }] };
  await i.owner.send('PUT', `/api/site/${origin.siteId}/intl/glossary`, terms, { 'if-match': '"0"' });
  const archive = await i.exported(origin.siteId ?? '');
  const done = await i.bring('a.site.zip', archive, { name: 'Taken back' });
  const siteId = done.siteId ?? '';
  const [one] = await i.records(siteId, 'posts');
  const address = `/api/site/${siteId}/table/tables/posts/records/${one?.id}`;
  await i.owner.send('PATCH', address, { values: { title: 'Mine' } }, { 'if-match': `"${one?.revision}"` });
  expect(await i.post(done.id, 'undo')).toMatchObject({ state: 'undone', left: 1 });
  expect((await i.tables(siteId)).map(({ key }) => key)).toEqual(['posts']);
  expect(done.archive).toMatchObject({ terms: 1, robots: true });
  expect(dataOf(await i.owner.get(`/api/site/${siteId}/seo/robots`))).toMatchObject({ revision: 0, text: '' });
  expect(dataOf(await i.owner.get(`/api/site/${siteId}/intl/glossary`))).toMatchObject({ revision: 0, rows: [] });
  const parts = dataOf<SiteParts>(await i.owner.get(`/api/site/${siteId}/setting/parts`));
  expect([parts.redirects.content, parts.menus.content, parts.settings.content.title]).toEqual([[], {}, {}]);
  expect(parts.routes.content.flatMap((route) => (route.kind === 'collection' ? [route.collection] : []))).toEqual(['posts']);
});

test('undoing the import of an archive leaves robots.txt and terms of people', async () => {
  const origin = await i.bring('b.zip', await zipOf(await staticFiles()));
  const done = await i.bring('b.site.zip', await i.exported(origin.siteId ?? ''), { name: 'Own texts' });
  const address = `/api/site/${done.siteId ?? ''}`;
  const rows = [{ from: 'en', to: 'zh-Hans', source: 'Blog', target: 'wangzhi' }];
  await i.owner.send('PUT', `${address}/seo/robots`, { text: 'User-agent: *\nDisallow: /mine/', accepted: [] }, { 'if-match': '"0"' });
  await i.owner.send('PUT', `${address}/intl/glossary`, { rows }, { 'if-match': '"0"' });
  expect(await i.post(done.id, 'undo')).toMatchObject({ state: 'undone' });
  expect(dataOf(await i.owner.get(`${address}/seo/robots`))).toMatchObject({ revision: 1, text: 'User-agent: *\nDisallow: /mine/' });
  expect(dataOf(await i.owner.get(`${address}/intl/glossary`))).toMatchObject({ revision: 1, rows });
});

const outcome = async (name: string, content: Buffer): Promise<string | null> => {
  const { id } = await i.detect(name, content);
  const { rows } = await i.t.ctx.postgres.pool.query<{ error: string | null }>('SELECT fault AS error FROM site_imports WHERE id = $1', [id]);
  return rows[0]?.error ?? null;
};
const renamed = (archive: Buffer, from: string, to: string): Buffer => Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

test('hostile archives and documents are refused', async () => {
  const slip = renamed(await zipOf({ 'aa/evil.html': '<p>x</p>' }), 'aa/evil', '../evil');
  const bomb = await zipOf({ 'index.html': 'a'.repeat(40 * 2 ** 20) });
  const types = '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><title>&b;</title></channel></rss>';
  const outside = '<?xml version="1.0"?><!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss/>';
  const deep = `<rss><channel>${'<a>'.repeat(400)}`;
  expect(await outcome('slip.zip', slip)).toBe('unsafe_path');
  expect(await outcome('bomb.zip', bomb)).toBe('bomb');
  expect(await outcome('entities.xml', Buffer.from(types))).toBe('document_type');
  expect(await outcome('outside.xml', Buffer.from(outside))).toBe('document_type');
  expect(await outcome('deep.xml', Buffer.from(deep))).toBe('too_deep');
  expect(await outcome('picture.zip', await zipOf({ 'a.png': await pictureOf('#123456') }))).toBe('not_recognised');
  expect(await outcome('cut.zip', (await zipOf({ 'index.html': '<p>Hello</p>' })).subarray(0, 60))).toBe('damaged');
  expect(await outcome('text.csv', Buffer.from('name\n'))).toBe('empty');
});

test('an archive is neither begun nor left half written where the disk is full', async () => {
  const { files } = i.t.ctx;
  const site = await i.t.makeSite(i.owner, { name: 'Large', purpose: 'built' });
  const base = `${i.api}/exports/${site.id}`;
  const space = jest.spyOn(files, 'hasSpace').mockResolvedValue(false);
  const refused = await i.owner.send('POST', base);
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([507, 'disk_full']);
  space.mockResolvedValueOnce(true);
  const { id } = dataOf<{ id: string }>(await i.owner.send('POST', base));
  const listed = async () => dataOf<{ id: string; state: string; error: string | null }[]>(await i.owner.get(base)).find((one) => one.id === id);
  await until(async () => (await listed())?.state === 'failed');
  expect((await listed())?.error).toBe('disk_full');
  expect(await files.folders('site-exports')).not.toContain(id);
  space.mockRestore();
  expect((await i.exported(site.id)).length).toBeGreaterThan(0);
});

test('imports and archives of others do not exist for a person', async () => {
  const id = await i.upload('a.csv', Buffer.from('name\nA\n'));
  const manager = await i.t.makePerson('manager');
  expect((await manager.get(`${i.api}/${id}`)).statusCode).toBe(404);
  const member = await i.t.makePerson('member');
  expect((await member.get(i.api)).statusCode).toBe(403);
  const site = await i.t.makeSite(i.owner, { name: 'Closed', purpose: 'built' });
  await i.t.grant(site.id, member.userId, 'editor');
  expect((await member.send('POST', `${i.api}/exports/${site.id}`)).statusCode).toBe(403);
});
