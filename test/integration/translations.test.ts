import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import type { TranslationOverview, TranslationRun, TranslationText, MatrixRow, ImportCheck } from '../../contract/languages/translations';
import type { SiteParts } from '../../contract/publishing/schemas';
import type { Theme } from '../../contract/publishing/themeFiles';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: TestApp;
let worker: Worker;
let teas: Tabled;
let notes: MadeTable;
let owner: Person;
let editor: Person;
let base = '';
let ids: string[] = [];

beforeAll(async () => {
  program = await makeTestApp({ config: { privateWebhooks: true } });
  teas = await makeTabled(
    program,
    [
      { key: 'name', type: 'text', localized: true, options: { maxLength: 40 } },
      { key: 'body', type: 'richText', localized: true },
      { key: 'code', type: 'text' },
    ],
    { title: '茶', locales: ['zh-Hans', 'zh-Hant', 'en'] },
  );
  ({ owner } = teas);
  const setPart = (part: string, content: object) => owner.send('PUT', `/api/site/${teas.site.id}/setting/parts/${part}`, content, { 'if-match': '"0"' });
  await setPart('languages', { languages: ['zh-Hans', 'zh-Hant', 'en'] });
  // Created later, it does not follow the new language.
  notes = await addTestTable(owner, teas.site.id, [{ key: 'text', type: 'longText', localized: true }], { title: '说明', locales: ['zh-Hans', 'en'] });
  editor = await program.makePerson('member');
  await program.grant(teas.site.id, editor.userId, 'editor');
  base = `/api/site/${teas.site.id}/intl`;
  const added = await owner.send('POST', `${teas.path}/records`, {
    records: [
      { name: '龙井', body: '<p>发展 <strong>头发</strong></p>', code: 'a' },
      { name: '乌龙 {name}', code: 'b' },
    ],
  });
  ids = dataOf<{ records: { id: string }[] }>(added).records.map(({ id }) => id);
  await owner.send('POST', `${notes.path}/records`, { records: [{ text: '说明' }] });
  await setPart('settings', { title: { 'zh-Hans': '茶馆', en: 'Tea house' }, theme: { hero_title: '好茶', accent: '#112233' } });
  await setPart('menus', { main: [{ id: 'home', label: { 'zh-Hans': '首页' }, target: { path: '/' }, items: [] }] });
  worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 30 });
});
afterAll(async () => {
  await worker.close();
  await program.close();
});

const overview = async (by = owner): Promise<TranslationOverview> => dataOf(await by.get(`${base}/overview`));
const language = async (tag: string) => (await overview()).languages.find((one) => one.tag === tag);
const texts = async (tag: string, more = '', by = owner): Promise<TranslationText[]> =>
  dataOf<{ rows: TranslationText[] }>(await by.get(`${base}/texts?tag=${tag}&size=100${more}`)).rows;
const teaTexts = (tag: string) => texts(tag, `&entity=record&group=${teas.table.id}`);
const nameOf = async (tag: string, at = 0) => (await teaTexts(tag)).find(({ key }) => key.id === ids[at] && key.field === teas.f['name']);
const keyOf = (at: number, field = 'name') => ({ entity: 'record', group: teas.table.id, id: ids[at], field: teas.f[field] });
const change = (tag: string, key: object, before: string | null, text: string, state = 'reviewed', by = owner) =>
  by.send('PUT', `${base}/texts`, { tag, texts: [{ key, before, text, state }] });
const ended = async (run: TranslationRun): Promise<TranslationRun> => {
  await until(async () => {
    const jobs = dataOf<{ id: string; state: string; error: string | null }[]>(await owner.get('/api/core/jobs'));
    const job = jobs.find(({ id }) => id === run.jobId);
    if (job?.state === 'failed') throw new Error(`the job failed: ${String(job.error)}`);
    return job?.state === 'done';
  });
  const { rows } = dataOf<{ rows: TranslationRun[] }>(await owner.get(`${base}/runs`));
  return rows.find(({ id }) => id === run.id) ?? run;
};
const undo = async (run: TranslationRun) => ended(dataOf(await owner.send('POST', `${base}/runs/${run.id}/undo`)));
const code = (response: { json: () => unknown }): string => (response.json() as { code: string }).code;

test('the overview counts records, menus, titles and the theme by language', async () => {
  const { groups, languages } = await overview();
  expect(groups.map(({ entity, name, lacks }) => [entity, name, lacks.join()])).toEqual([
    ['settings', '', ''],
    ['menu', 'main', ''],
    ['theme_settings', '', ''],
    ['theme', '', ''],
    ['record', '茶', ''],
    ['record', '说明', 'zh-Hant'],
  ]);
  expect(languages.map(({ tag, total }) => [tag, total > 0])).toEqual([
    ['zh-Hans', false],
    ['zh-Hant', true],
    ['en', true],
  ]);
  const { rows } = dataOf<{ rows: MatrixRow[] }>(await owner.get(`${base}/matrix?entity=record&tag=en&state=missing`));
  expect(Object.fromEntries(rows.map(({ title, states }) => [title, states['en']?.missing]))).toEqual({ '乌龙 {name}': 1, 说明: 1, 龙井: 2 });
});

test('a translation is written with its mark, and outdated once its source changes', async () => {
  expect(await nameOf('en')).toMatchObject({ state: 'missing', text: null, source: { tag: 'zh-Hans', text: '龙井' }, locked: null });
  expect((await change('en', keyOf(0), null, 'Longjing', 'draft', editor)).statusCode).toBe(200);
  expect(await nameOf('en')).toMatchObject({ state: 'draft', text: 'Longjing' });
  await owner.send('POST', `${base}/marks`, { tag: 'en', state: 'reviewed', keys: [keyOf(0)] });
  expect(await nameOf('en')).toMatchObject({ state: 'reviewed' });
  await owner.send('PATCH', `${teas.path}/records`, { changes: [{ id: ids[0], values: { name: '西湖龙井' } }] });
  expect(await nameOf('en')).toMatchObject({ state: 'outdated', previousSource: '龙井', source: { text: '西湖龙井' } });
  const record = await owner.get(`${teas.path}/records/${String(ids[0])}?locale=en`);
  expect(record.body).toContain('Longjing');
});

test('a text that others have changed since is not overwritten', async () => {
  const answer = await change('en', keyOf(0), 'Dragon well', 'Lung ching');
  expect([answer.statusCode, code(answer)]).toEqual([409, 'stale_revision']);
  expect(answer.body).toContain('Longjing');
});

test('a text is refused as in its table, and in languages that it lacks', async () => {
  expect(code(await change('en', keyOf(1), null, 'x'.repeat(41)))).toBe('invalid_fields');
  const [note] = await texts('zh-Hant', `&entity=record&group=${notes.table.id}`);
  expect(note?.locked).toBe('table_language');
  expect(code(await change('zh-Hant', note?.key ?? {}, null, '說明'))).toBe('forbidden');
  expect(code(await change('fr', keyOf(1), null, 'x'))).toBe('invalid_fields');
});

test('menus, titles and texts of the theme are translated in the working copy', async () => {
  const rows = await texts('en');
  const item = rows.find(({ key }) => key.entity === 'menu');
  const themed = rows.find(({ key }) => key.entity === 'theme' && key.field === 'menu');
  expect(item).toMatchObject({ state: 'missing', source: { text: '首页' } });
  expect(themed).toMatchObject({ state: 'reviewed', text: 'Menu' });
  const body = {
    tag: 'en',
    texts: [
      { key: item?.key, before: null, text: 'Home', state: 'reviewed' },
      { key: themed?.key, before: 'Menu', text: 'Sections', state: 'draft' },
    ],
  };
  expect((await editor.send('PUT', `${base}/texts`, body)).statusCode).toBe(200);
  expect((await owner.get(`/api/site/${teas.site.id}/setting/parts`)).body).toContain('"en":"Home"');
  const theme = dataOf<Theme>(await owner.get(`/api/site/${teas.site.id}/setting/theme`));
  expect(theme.files.some(({ path }) => path === 'texts/en.json')).toBe(true);
  expect((await texts('en')).find(({ key }) => key.entity === 'theme' && key.field === 'menu')).toMatchObject({ text: 'Sections', state: 'draft' });
});

test('texts in theme settings are translated beside their source and by files', async () => {
  const key = { entity: 'theme_settings', group: '', id: '', field: 'hero_title' };
  const title = async () => (await texts('en', '&entity=theme_settings'))[0];
  const stored = async () => {
    const { settings } = dataOf<SiteParts>(await owner.get(`/api/site/${teas.site.id}/setting/parts`));
    return [settings.content.theme['hero_title'], settings.revision] as const;
  };
  expect(await texts('en', '&entity=theme_settings')).toHaveLength(1);
  expect(await title()).toMatchObject({ key, label: '大标题', state: 'missing', source: { tag: 'zh-Hans', text: '好茶' } });
  expect((await change('en', key, null, 'Good tea', 'reviewed', editor)).statusCode).toBe(200);
  expect((await stored())[0]).toEqual({ 'zh-Hans': '好茶', en: 'Good tea' });
  expect(code(await change('en', key, 'Good tea', 'x'.repeat(501)))).toBe('invalid_fields');
  expect(code(await change('en', key, 'Fine tea', 'Best tea'))).toBe('stale_revision');
  const { body: file } = await owner.get(`${base}/export?format=po&tag=en&entity=theme_settings`);
  const content = Buffer.from(file.replace('msgstr "Good tea"', 'msgstr "Old tea"')).toString('base64');
  const run = await ended(dataOf(await owner.send('POST', `${base}/import`, { format: 'po', tag: 'en', content })));
  expect([run.changed, (await title())?.text, (await title())?.state]).toEqual([1, 'Old tea', 'reviewed']);
  expect((await undo(run)).undoneAt).not.toBe(null);
  expect((await title())?.text).toBe('Good tea');
  const theme = { hero_title: { 'zh-Hans': '老茶', en: 'Good tea' } };
  await owner.send('PUT', `/api/site/${teas.site.id}/setting/parts/settings`, { theme }, { 'if-match': `"${(await stored())[1]}"` });
  expect(await title()).toMatchObject({ state: 'outdated', previousSource: '好茶', text: 'Good tea' });
  expect((await change('en', key, 'Good tea', '')).statusCode).toBe(200);
  expect((await stored())[0]).toEqual({ 'zh-Hans': '老茶' });
});

test('OpenCC translates what is missing, and one undo takes it back', async () => {
  const before = await language('zh-Hant');
  const cost = dataOf<{ texts: number }>(await owner.send('POST', `${base}/translate/preview`, { engine: 'opencc', tag: 'zh-Hant' }));
  const run = await ended(dataOf(await editor.send('POST', `${base}/translate`, { engine: 'opencc', tag: 'zh-Hant' })));
  expect(run).toMatchObject({ kind: 'machine', changed: cost.texts, refused: 0 });
  expect(await nameOf('zh-Hant', 1)).toMatchObject({ text: '烏龍 {name}', state: 'machine' });
  expect((await teaTexts('zh-Hant')).map(({ text }) => text)).toContain('<p>發展 <strong>頭髮</strong></p>');
  expect((await language('zh-Hant'))?.machine).toBe(cost.texts);
  // Somebody improves one of the texts: undoing leaves it.
  await change('zh-Hant', keyOf(1), '烏龍 {name}', '烏龍茶 {name}');
  expect((await undo(run)).undoneAt).not.toBe(null);
  expect(await nameOf('zh-Hant', 1)).toMatchObject({ text: '烏龍茶 {name}', state: 'reviewed' });
  expect((await language('zh-Hant'))?.missing).toBe((before?.missing ?? 0) - 1);
});

test('OpenCC converts the Chinese translation of a text in another language', async () => {
  const name = { key: 'name', type: 'text', localized: true } as const;
  const guests = await addTestTable(owner, teas.site.id, [name], { title: 'B', locales: ['en', 'zh-Hans', 'zh-Hant'] });
  await owner.send('POST', `${guests.path}/records`, { records: [{ name: 'Hair' }, { name: 'Tea' }] });
  const scope = { entity: 'record', group: guests.table.id };
  const named = async (tag: string) => (await texts(tag, `&entity=record&group=${scope.group}`)).toSorted((a, b) => (a.source.text < b.source.text ? -1 : 1));
  await change('zh-Hans', (await named('zh-Hans'))[0]?.key ?? {}, null, '头发');
  await ended(dataOf(await owner.send('POST', `${base}/translate`, { engine: 'opencc', tag: 'zh-Hant', ...scope })));
  expect((await named('zh-Hant')).map(({ text, state }) => `${text} ${state}`)).toEqual(['頭髮 machine', 'null missing']);
});

test('a run that is at work is not taken back', async () => {
  const run = await ended(dataOf(await editor.send('POST', `${base}/translate`, { engine: 'opencc', tag: 'zh-Hant' })));
  const setState = (state: string) =>
    program.ctx.postgres.pool.query(`update jobs set state = $2, lease_until = now() + interval '1 hour' where id = $1`, [run.jobId, state]);
  await setState('running');
  expect(code(await owner.send('POST', `${base}/runs/${run.id}/undo`))).toBe('bad_transition');
  await setState('done');
  expect((await undo(run)).undoneAt).not.toBe(null);
});

test('nothing remains of the texts of a purged record', async () => {
  const added = await owner.send('POST', `${teas.path}/records`, { records: [{ name: '普洱', code: 'p' }] });
  const [id = ''] = dataOf<{ records: { id: string }[] }>(added).records.map((one) => one.id);
  const place = { entity: 'record', group: teas.table.id, id };
  await ended(dataOf(await editor.send('POST', `${base}/translate`, { engine: 'opencc', tag: 'zh-Hant', places: [place] })));
  const remains = async () => {
    const { rows } = await program.ctx.postgres.pool.query<{ marks: string; items: string }>(
      `select (select count(*) from translation_marks where place_id = $1) as marks, (select count(*) from translation_run_items where place_id = $1) as items`,
      [id],
    );
    return rows[0];
  };
  expect(await remains()).toEqual({ marks: '1', items: '1' });
  await owner.send('POST', `${teas.path}/records/trash`, { target: { ids: [id] } });
  expect(dataOf(await owner.send('POST', `${teas.path}/records/purge`, { ids: [id] }))).toEqual({ purged: 1 });
  expect(await remains()).toEqual({ marks: '0', items: '0' });
});

test.each(['json', 'csv', 'xliff', 'po'])('a file of %s is checked, imported and taken back', async (format) => {
  const file = await owner.get(`${base}/export?format=${format}&tag=en&entity=record&group=${notes.table.id}`);
  const [note] = await texts('en', `&entity=record&group=${notes.table.id}`);
  const id = `record:${notes.table.id}:${String(note?.key.id)}:${String(note?.key.field)}`;
  expect(file.body).toContain(id);
  // A translator fills in the only target.
  const filled = {
    json: file.body.replace('"target":""', '"target":"Note"'),
    csv: file.body.replace('说明,,', '说明,Note,'),
    xliff: file.body.replace('</source>', '</source><target>Note</target>'),
    po: file.body.replace(/msgstr ""\n$/, 'msgstr "Note"\n'),
  }[format];
  const body = { format, tag: 'en', content: Buffer.from(filled ?? '').toString('base64') };
  const check = dataOf<ImportCheck>(await owner.send('POST', `${base}/import/check`, body));
  expect(check.counts).toMatchObject({ changed: 1, unknown: 0, refused: 0 });
  expect((await texts('en', `&entity=record&group=${notes.table.id}`))[0]?.state).toBe('missing');
  const run = await ended(dataOf(await owner.send('POST', `${base}/import`, { ...body, state: 'draft' })));
  expect(run).toMatchObject({ kind: 'import', label: format, changed: 1 });
  expect((await texts('en', `&entity=record&group=${notes.table.id}`))[0]).toMatchObject({ text: 'Note', state: 'draft' });
  await undo(run);
  expect((await texts('en', `&entity=record&group=${notes.table.id}`))[0]?.state).toBe('missing');
});

test('an import reports what is unknown, outdated or damaged, and writes none of it', async () => {
  const id = (at: number) => `record:${teas.table.id}:${String(ids[at])}:${String(teas.f['name'])}`;
  const list = [
    { id: 'record:t_nothing:x:y', target: 'a' },
    { id: id(0), source: '旧名', target: 'Old name' },
    { id: id(1), source: '乌龙 {name}', target: 'Oolong' },
  ];
  const body = { format: 'json', tag: 'en', content: Buffer.from(JSON.stringify({ texts: list })).toString('base64') };
  const check = dataOf<ImportCheck>(await owner.send('POST', `${base}/import/check`, body));
  expect(check.rows.map(({ result, reason }) => `${result} ${String(reason)}`)).toEqual(['refused placeholders', 'outdated null', 'unknown no_text']);
  expect((await ended(dataOf(await owner.send('POST', `${base}/import`, body)))).changed).toBe(0);
  expect((await owner.get(`${base}/export?format=json&tag=zh-Hant&entity=record&group=${notes.table.id}`)).json()).toMatchObject({ texts: [] });
  const broken = { ...body, format: 'xliff', content: Buffer.from('<!DOCTYPE x><xliff/>').toString('base64') };
  expect(code(await owner.send('POST', `${base}/import/check`, broken))).toBe('invalid_fields');
});

test.each(['po', 'xliff'])('tags of rich text are placeholders in %s, and a file that breaks them is refused', async (format) => {
  const body = async () => (await teaTexts('en')).find(({ key }) => key.id === ids[0] && key.field === teas.f['body']);
  const { body: file } = await owner.get(`${base}/export?format=${format}&tag=en&entity=record&group=${teas.table.id}&state=open`);
  const tags = format === 'po' ? ['<1>', '<2>', '</2>', '</1>'] : ['<g id="1" ctype="x-html-p">', '<g id="2" ctype="bold">', '</g>', '</g>'];
  const [begin, bold, boldEnd, end] = tags;
  const source = `${begin}发展 ${bold}头发${boldEnd}${end}`;
  expect(file).toContain(format === 'po' ? `msgid "${source}"\nmsgstr ""` : `${source}</source>`);
  const check = async (target: string) => {
    const filled = file.replace(format === 'po' ? `"${source}"\nmsgstr ""` : `${source}</source>`, (all) =>
      format === 'po' ? all.replace('msgstr ""', `msgstr "${target}"`) : `${all}<target>${target}</target>`,
    );
    const sent = { format, tag: 'en', content: Buffer.from(filled).toString('base64') };
    const { rows } = dataOf<ImportCheck>(await owner.send('POST', `${base}/import/check`, sent));
    const row = rows.find(({ id }) => id.includes(String(teas.f['body'])));
    return { sent, result: row?.result, after: row?.after };
  };
  expect((await check(`${begin}Hair grows${end}`)).result).toBe('refused');
  const { sent, ...good } = await check(`${begin}${bold}Hair${boldEnd} &amp; more${end}`);
  expect(good).toEqual({ result: 'changed', after: '<p><strong>Hair</strong> &amp; more</p>' });
  const run = await ended(dataOf(await owner.send('POST', `${base}/import`, sent)));
  expect(await body()).toMatchObject({ text: '<p><strong>Hair</strong> &amp; more</p>', state: 'reviewed' });
  await undo(run);
  expect((await body())?.text).toBe(null);
});

test('alternative texts of pictures are texts of their own beside placeholders', async () => {
  const views = await addTestTable(owner, teas.site.id, [{ key: 'body', type: 'richText', localized: true }], { title: '图', locales: ['zh-Hans', 'en'] });
  const picture = (alt: string) => `<img src="https://example.com/a.jpg" alt="${alt}" />`;
  await owner.send('POST', `${views.path}/records`, { records: [{ body: `<p>山 ${picture('茶 &amp; 山')}</p>` }] });
  const stored = async () => (await texts('en', `&entity=record&group=${views.table.id}`))[0];
  const exported = async (format: string) => (await owner.get(`${base}/export?format=${format}&tag=en&entity=record&group=${views.table.id}`)).body;
  const sent = (format: string, content: string) => ({ format, tag: 'en', content: Buffer.from(content).toString('base64') });
  const rowsOf = async (body: object) =>
    dataOf<ImportCheck>(await owner.send('POST', `${base}/import/check`, body)).rows.map(({ result, after }) => [result, after]);
  const after = `<p>Hill ${picture('Tea &lt;1&gt; hill')}</p>`;
  for (const [format, from, to, alt] of [
    ['csv', '<1>山 <2/></1>,', '<1>山 <2/></1>,<1>Hill <2/></1>', [',茶 & 山,', ',茶 & 山,Tea <1> hill']],
    [
      'po',
      'msgid "<1>山 <2/></1>"\nmsgstr ""',
      'msgid "<1>山 <2/></1>"\nmsgstr "<1>Hill <2/></1>"',
      ['"茶 & 山"\nmsgstr ""', '"茶 & 山"\nmsgstr "Tea <1> hill"'],
    ],
    [
      'xliff',
      '</g></source>',
      '</g></source><target><g id="1">Hill <x id="2"/></g></target>',
      ['茶 &amp; 山</source>', '茶 &amp; 山</source><target>Tea &lt;1&gt; hill</target>'],
    ],
  ] as const) {
    const file = await exported(format);
    const body = sent(format, file.replace(from, to).replace(alt[0], alt[1]));
    expect([format, await rowsOf(body)]).toEqual([format, [['changed', after]]]);
    // Without a translation of the text, its attribute has no place.
    expect(await rowsOf(sent(format, file.replace(alt[0], alt[1])))).toEqual([['refused', 'Tea <1> hill']]);
    if (format === 'xliff') expect(file).toMatch(/<x id="2" ctype="image" xid="(record:[^"]+:2\.alt)"\/>.*<trans-unit id="\1">/s);
    const run = await ended(dataOf(await owner.send('POST', `${base}/import`, body)));
    expect((await stored())?.text).toBe(after);
    expect(await rowsOf(sent(format, await exported(format)))).toEqual([['unchanged', after]]);
    await undo(run);
  }
  const id = `record:${views.table.id}:${String((await stored())?.key.id)}:${String((await stored())?.key.field)}`;
  const list = `id,source,target\n${id},,<1>Hill <2/></1>\n${id}:2.alt,旧,Old\n${id}:7.alt,,x`;
  expect(await rowsOf(sent('csv', list))).toEqual([
    ['outdated', `<p>Hill ${picture('Old')}</p>`],
    ['unknown', 'x'],
  ]);
});

/** A server that speaks the protocols of all three services, and spells texts in capitals. */
async function startService(): Promise<{ server: Server; url: string; keys: string[] }> {
  const keys: string[] = [];
  const capitals = (all: string[]): string[] => all.map((text) => text.replaceAll('乌龙', 'OOLONG').replaceAll('西湖龙井', 'LONGJING'));
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await readText(request)) as { q?: string[]; text?: string[]; api_key?: string };
      const key = request.headers.authorization ?? request.headers['x-goog-api-key'] ?? body.api_key ?? '';
      keys.push(`${request.url ?? ''} ${String(key)}`);
      const answer =
        request.url === '/v2/translate'
          ? { translations: capitals(body.text ?? []).map((text) => ({ text })) }
          : request.url === '/translate'
            ? { translatedText: capitals(body.q ?? []) }
            : { data: { translations: capitals(body.q ?? []).map((translatedText) => ({ translatedText })) } };
      response.writeHead(String(key).endsWith('wrong') ? 403 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, keys };
}

test('each service is called by its protocol, with its sealed key', async () => {
  const { server, url, keys } = await startService();
  const place = { entity: 'record', group: teas.table.id, id: ids[1] };
  for (const kind of ['deepl', 'google', 'libre']) {
    expect((await owner.send('PUT', `${base}/engines/${kind}`, { url, key: `${kind}-key`, dailyLimit: 1000 })).statusCode).toBe(200);
    const run = await ended(dataOf(await owner.send('POST', `${base}/translate`, { engine: kind, tag: 'en', places: [place] })));
    expect([kind, run.changed]).toEqual([kind, 1]);
    expect(await nameOf('en', 1)).toMatchObject({ text: 'OOLONG {name}', state: 'machine' });
    await undo(run);
  }
  expect(keys).toEqual(['/v2/translate DeepL-Auth-Key deepl-key', '/language/translate/v2 google-key', '/translate libre-key']);
  const engines = await owner.get(`${base}/engines`);
  expect(engines.body).not.toContain('deepl-key');
  expect(engines.body).toContain('"usedToday":9');
  // A key is not sent to another address than the one that it was entered for.
  expect(code(await owner.send('PUT', `${base}/engines/deepl`, { url: 'https://example.com' }))).toBe('invalid_fields');
  expect(code(await editor.send('PUT', `${base}/engines/deepl`, { url, key: 'x' }))).toBe('forbidden');
  server.close();
});

test('the glossary decides terms, and refuses a change of an old one', async () => {
  const entry = { from: 'zh-Hans', to: 'zh-Hant', source: '西湖龙井', target: '西湖龍井茶' };
  const put = (revision: number) => owner.send('PUT', `${base}/glossary`, { rows: [entry] }, { 'if-match': `"${String(revision)}"` });
  expect((await put(0)).statusCode).toBe(200);
  expect(code(await put(0))).toBe('stale_revision');
  const place = { entity: 'record', group: teas.table.id, id: ids[0] };
  await ended(dataOf(await owner.send('POST', `${base}/translate`, { engine: 'opencc', tag: 'zh-Hant', places: [place] })));
  expect(await nameOf('zh-Hant')).toMatchObject({ text: '西湖龍井茶' });
});

test('a token without the scope of tables sees and changes no records', async () => {
  const { value } = dataOf<{ value: string }>(
    await owner.send('POST', '/api/acc/tokens', { name: 'CI', scopes: ['publishing:read', 'publishing:write'], siteIds: null, days: 30 }),
  );
  const answer = await program.app.inject({ method: 'GET', url: `${base}/texts?tag=en&size=100`, headers: { authorization: `Bearer ${value}` } });
  const { rows } = dataOf<{ rows: TranslationText[] }>(answer);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ key }) => key.entity === 'record')).toEqual([]);
});
