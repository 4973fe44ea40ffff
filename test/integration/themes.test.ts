import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { ThemePart } from '../../contract/publishing/parts';
import type { Theme, ThemeFileContent, ThemeProblem } from '../../contract/publishing/themeFiles';
import type { Site } from '../../contract/sites/schemas';
import { liveSite, readThemeFiles, themeFileStream } from '../../server/areas/publishing';
import { forgetChanges } from '../../server/areas/publishing/themes/queries';
import { sweepThemes } from '../../server/areas/publishing/themes/store';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
});
afterAll(() => program.close());
beforeEach(async () => {
  site = await program.makeSite(owner, { name: '茶馆' });
});

type Answer = { readonly json: () => unknown };
const code = (response: Answer): string => (response.json() as { code: string }).code;
const problemsOf = (response: Answer): ThemeProblem[] => (response.json() as { current: { problems: ThemeProblem[] } }).current.problems;
const base = () => `/api/site/${site.id}/setting`;
const match = (revision: number) => ({ 'if-match': `"${revision}"` });
const theme = async (): Promise<Theme> => dataOf(await owner.get(`${base()}/theme`));
const read = async (path: string): Promise<ThemeFileContent> => dataOf(await owner.get(`${base()}/theme/file?path=${path}`));
const write = (path: string, text: string, revision: number, by = owner) => by.send('PUT', `${base()}/theme/file?path=${path}`, { text }, match(revision));
const post = (path: string, body: object, revision: number) => owner.send('POST', `${base()}/theme/${path}`, body, match(revision));
const install = async (name: string): Promise<Theme> => dataOf(await post('install', { name }, (await theme()).revision));
const release = async (): Promise<void> => {
  const { working } = dataOf<{ working: string }>(await owner.get(`${base()}/releases/preview`));
  expect((await owner.send('POST', `${base()}/releases`, { working })).statusCode).toBe(200);
};
const stored = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of program.ctx.files.list(`themes/${site.id}`)) found.push(key);
  return found;
};
const home = 'templates/home.liquid';

async function zipOf(files: Readonly<Record<string, string>>): Promise<{ zip: string }> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return { zip: (await buffer(zip.outputStream)).toString('base64') };
}
const manifest = JSON.stringify({ format: 1, name: { en: 'Studio' }, version: '1.0.0', templates: { home: {}, not_found: {} } });
const smallTheme = { 'theme.json': manifest, [home]: '<h1>{{ site.title }}</h1>', 'templates/not_found.liquid': 'gone' };

test('a site without a theme shows the default one and stores nothing', async () => {
  const viewed = await theme();
  expect(viewed).toMatchObject({ revision: 0, base: 'company', missing: [], manifest: { format: 1 } });
  expect([viewed.files.every(({ shipped }) => shipped === 'same'), (await read(home)).content, await stored()]).toEqual([
    true,
    expect.stringContaining('{% layout'),
    [],
  ]);
  const { sha256 } = await read('assets/theme.css');
  expect(String(await buffer(themeFileStream(program.ctx, site.id, sha256)))).toContain('var(--');
  await expect(readThemeFiles(program.ctx, site.id, ['0'.repeat(64)])).rejects.toMatchObject({ code: 'ENOENT' });
});

test('every shipped theme has no problems', async () => {
  const names = dataOf<{ name: string }[]>(await owner.get(`${base()}/theme/shipped`)).map(({ name }) => name);
  expect(names).toEqual(['company', 'blog', 'docs']);
  for (const name of names) {
    await install(name);
    expect([name, dataOf(await owner.get(`${base()}/theme/check`))]).toMatchObject([name, { problems: [] }]);
  }
});

test('a release keeps its files when the theme changes', async () => {
  await release();
  const first = await liveSite(program.ctx, site.id);
  expect((await write(home, 'new home', (await read(home)).revision)).statusCode).toBe(200);
  expect((await liveSite(program.ctx, site.id))?.parts.theme).toEqual(first?.parts.theme);
  await release();
  const live = await liveSite(program.ctx, site.id);
  const { files } = ThemePart.parse(live?.parts.theme);
  const contents = await readThemeFiles(program.ctx, site.id, Object.values(files));
  expect([String(contents.get(files[home] ?? '')), Object.keys(files).length]).toEqual(['new home', (await theme()).files.length]);
});

test('a file is written once for each revision that was read', async () => {
  const { revision } = await read(home);
  const answers = await Promise.all([write(home, 'a', revision), write(home, 'b', revision)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(code(await write('parts/new.liquid', 'x', 1))).toBe('stale_revision');
  expect(dataOf(await write('parts/new.liquid', 'x', 0))).toMatchObject({ revision: 1, shipped: 'added', content: 'x' });
});

test.each([
  [home, 'line one\n  {% nothing %}', 'syntax', 2, 3],
  [home, '{{ title | sparkle }}', 'syntax', 1, 1],
  ['theme.json', '{\n "format": 1,\n}', 'syntax', 3, 1],
  ['theme.json', manifest.replace('"1.0.0"', '\n"one"'), 'manifest', 2, 1],
  ['texts/en.json', '{"a": 1}', 'texts', 1, 7],
])('%s with a mistake is refused with its place and stays', async (path, text, kind, line, column) => {
  const before = await read(path);
  const refused = await write(path, text, before.revision);
  expect([code(refused), problemsOf(refused)]).toEqual(['invalid_fields', [expect.objectContaining({ path, code: kind, line, column })]]);
  expect(await read(path)).toEqual(before);
  expect(dataOf(await owner.send('POST', `${base()}/theme/file/check`, { path, text }))).toMatchObject({ problems: problemsOf(refused) });
});

test.each(['../theme.json', 'assets/../../x.css', '/theme.json', 'assets/.htaccess', 'assets/page.html', 'other/x.css', 'parts\\x.liquid', 'parts/x.css'])(
  'the path %s is refused',
  async (path) => {
    expect(code(await write(encodeURIComponent(path), 'x', 0))).toBe('invalid_fields');
  },
);

test('missing layouts, parts, assets and templates are problems of the theme', async () => {
  await post('zip', await zipOf(smallTheme), 0);
  await write(home, "{% layout 'layouts/none' %}\n{% render 'parts/none' %}\n{{ 'none.css' | asset_url }}", 1);
  await write('theme.json', manifest.replace('"home":{}', '"home":{"for":"news"},"news":{}'), 1);
  const { problems } = dataOf<{ problems: ThemeProblem[] }>(await owner.get(`${base()}/theme/check`));
  expect(problems.map(({ path, code: kind, detail, line }) => [path, kind, detail, line])).toEqual([
    [home, 'missing_file', 'layouts/none.liquid', 1],
    [home, 'missing_file', 'parts/none.liquid', 2],
    [home, 'missing_file', 'assets/none.css', 3],
    ['theme.json', 'missing_file', 'templates/news.liquid', null],
    ['theme.json', 'unknown_collection', 'news', 1],
  ]);
});

test('a removed, renamed or changed file returns from its history', async () => {
  await write('parts/a.liquid', 'one', 0);
  await write('parts/a.liquid', 'two', 1);
  const renamed = await post('file/rename', { from: 'parts/a.liquid', to: 'parts/b.liquid' }, 2);
  expect([dataOf<ThemeFileContent>(renamed).content, (await owner.get(`${base()}/theme/file?path=parts/a.liquid`)).statusCode]).toEqual(['two', 404]);
  expect(dataOf(await owner.get(`${base()}/theme/file/versions?path=parts/a.liquid`))).toMatchObject([
    { revision: 3, removed: true },
    { revision: 2, removed: false },
    { revision: 1, updatedBy: { id: owner.userId } },
  ]);
  expect(dataOf(await post('file/restore', { path: 'parts/a.liquid', revision: 1 }, 0))).toMatchObject({ revision: 4, content: 'one' });
  const removed = await owner.send('DELETE', `${base()}/theme/file?path=parts/b.liquid`, undefined, match(1));
  expect([removed.statusCode, (await theme()).files.some(({ path }) => path === 'parts/b.liquid')]).toEqual([204, false]);
  expect(code(await post('file/rename', { from: 'parts/a.liquid', to: 'parts/Card.liquid' }, 4))).toBe('name_taken');
});

test('choosing a theme can be undone with everything that was edited before', async () => {
  await write(home, 'mine', 1);
  const before = await theme();
  await install('blog');
  expect(await theme()).toMatchObject({ base: 'blog', missing: [] });
  expect(code(await post('restore', { revision: before.revision }, before.revision))).toBe('stale_revision');
  const restored = dataOf<Theme>(await post('restore', { revision: before.revision }, before.revision + 1));
  expect([restored.base, restored.files.map(({ path, sha256 }) => [path, sha256])]).toEqual([
    'company',
    before.files.map(({ path, sha256 }) => [path, sha256]),
  ]);
  expect(dataOf<{ rows: { kind: string }[] }>(await owner.get(`${base()}/theme/changes`)).rows.map(({ kind }) => kind)).toEqual([
    'restore',
    'install',
    'edit',
    'install',
  ]);
});

test('a changed file is compared with the shipped one', async () => {
  await write(home, 'mine', 1);
  await owner.send('DELETE', `${base()}/theme/file?path=texts/ar.json`, undefined, match(1));
  const viewed = await theme();
  expect([viewed.missing, viewed.files.filter(({ shipped }) => shipped !== 'same').map(({ path }) => path)]).toEqual([['texts/ar.json'], [home]]);
  expect(dataOf(await owner.get(`${base()}/theme/file/difference?path=${home}`))).toEqual({ path: home, own: 'mine', shipped: expect.stringContaining('{%') });
});

test('an exported theme can be imported by another site', async () => {
  await write(home, 'mine', 1);
  const exported = await owner.get(`${base()}/theme/zip`);
  const zip = await fromBufferPromise(exported.rawPayload);
  const files = (await theme()).files.map(({ path, sha256 }) => [path, sha256]);
  expect([exported.headers['content-type'], zip.entryCount]).toEqual(['application/zip', files.length]);
  site = await program.makeSite(owner, { name: '别处' });
  const imported = dataOf<Theme>(await post('zip', { zip: exported.rawPayload.toString('base64') }, 0));
  expect([imported.base, imported.files.map(({ path, sha256 }) => [path, sha256])]).toEqual([null, files]);
});

test.each([
  ['with a broken template', { ...smallTheme, [home]: '{% if %' }, 'syntax'],
  ['without theme.json', { [home]: 'x' }, 'missing_file'],
  ['with a forbidden file', { ...smallTheme, 'assets/x.php': 'x' }, 'path'],
  ['with a bomb', { ...smallTheme, 'assets/x.css': ' '.repeat(1_000_000) }, 'too_large'],
])('an archive %s replaces nothing', async (_, files, kind) => {
  const before = await theme();
  const refused = await post('zip', await zipOf(files), before.revision);
  expect([code(refused), problemsOf(refused).map((one) => one.code)]).toEqual(['invalid_fields', expect.arrayContaining([kind])]);
  expect([await theme(), await stored()]).toEqual([before, []]);
});

test('a picture is stored and downloaded unchanged', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const answer = await owner.send('PUT', `${base()}/theme/file?path=assets/dot.png`, { base64: png.toString('base64') }, match(0));
  expect(dataOf(answer)).toMatchObject({ bytes: png.length, text: false, content: null });
  expect((await owner.get(`${base()}/theme/file/content?path=assets/dot.png`)).rawPayload).toEqual(png);
});

test('the sweep removes only contents that nothing names', async () => {
  await release();
  await write(home, 'mine', 1);
  await install('blog');
  const before = await stored();
  await program.ctx.files.put(`themes/${site.id}/${'0'.repeat(64)}`, Buffer.from('left by a crash'));
  await sweepThemes(program.ctx);
  expect(new Set(await stored())).toEqual(new Set(before));
  await program.ctx.postgres.pool.query('DELETE FROM live_releases WHERE site_id = $1', [site.id]);
  await program.ctx.postgres.pool.query('DELETE FROM sites WHERE id = $1', [site.id]);
  await sweepThemes(program.ctx);
  expect(await stored()).toEqual([]);
});

test('the oldest changes are forgotten without what they made', async () => {
  for (const [text, revision] of [
    ['one', 0],
    ['two', 1],
    ['three', 2],
  ] as const)
    await write('parts/a.liquid', text, revision);
  await forgetChanges(program.ctx.postgres.db, site.id, 2);
  const versions = dataOf<{ revision: number }[]>(await owner.get(`${base()}/theme/file/versions?path=parts/a.liquid`));
  expect(versions.map(({ revision }) => revision)).toEqual([3, 2]);
  expect(code(await post('restore', { revision: 2 }, 4))).toBe('not_found');
  expect(dataOf<Theme>(await post('restore', { revision: 3 }, 4)).files.length).toBe((await theme()).files.length);
  expect([(await read('parts/a.liquid')).content, (await read(home)).content]).toEqual(['two', expect.stringContaining('{%')]);
});

test('only administrators change a theme', async () => {
  const editor = await personOn(program, site, 'editor');
  expect([(await editor.get(`${base()}/theme`)).statusCode, (await write(home, 'x', 1, editor)).statusCode]).toEqual([200, 403]);
});
