import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Filing, FilingChecklist, FilingList } from '../../contract/filings/schemas';
import { filingStates, nextStates } from '../../contract/filings/states';
import type { Site } from '../../contract/sites/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { hostnames } from '../../server/areas/hostnames/schema';
import { dataOf } from '../support/app';
import type { Person } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
const icp = { kind: 'icp', province: 'BJ', serviceName: '山间茶铺', domains: ['tea.cn'] };
const shownNumber = '京ICP备12345678号-1';

const base = (site: Pick<Site, 'id'> = blog.site) => `/api/site/${site.id}/beian`;
const add = async (body: object, site?: Site) => dataOf<Filing>(await program.owner.send('POST', base(site), { ...icp, ...body }));
const move = ({ id, revision }: Filing, body: object, site?: Site) =>
  program.owner.send('POST', `${base(site)}/${id}/state`, body, { 'if-match': `"${revision}"` });
const change = ({ id, revision }: Filing, body: object) => program.owner.send('PUT', `${base()}/${id}`, { ...icp, ...body }, { 'if-match': `"${revision}"` });
const list = async (site?: Site) => dataOf<FilingList>(await program.owner.get(base(site)));
const body = async (host: string, url = '/') => (await program.visit(host, url)).body;
const shows = (host: string, number: string, expected = true, url = '/') => until(async () => (await body(host, url)).includes(number) === expected);

async function connect(site: Site, ...hosts: readonly string[]): Promise<void> {
  const at = new Date(program.ctx.now());
  const apexOf = (host: string) => host.split('.').slice(-2).join('.');
  await program.ctx.postgres.db.insert(hostnames).values(
    hosts.map((host) => ({
      siteId: site.id,
      host,
      apex: apexOf(host),
      role: 'serve' as const,
      token: '0'.repeat(32),
      contested: false,
      ownership: 'verified' as const,
      activeAt: at,
      createdAt: at,
    })),
  );
  program.ctx.live.publish({ type: 'hostnames', siteId: site.id });
  await until(async () => (await program.visit(hosts[0] ?? '')).statusCode < 404);
}

beforeAll(async () => {
  program = await makeDeliveringProgram({ config: { privateSites: true } });
  blog = await makeBlog(program, 'tea');
  await blog.release(await blog.addPosts({ title: '春茶', slug: 'spring', body: '<p>清明</p>' }));
  await connect(blog.site, 'www.tea.cn', 'green-tea.cn');
});
afterAll(() => program.close());

test('an approved number appears on the pages of its domain and disappears again', async () => {
  const first = await add({ number: '京ICP備１２３４５６７８号－１' });
  expect([first.number, first.state]).toEqual([shownNumber, 'incomplete']);
  expect(await body('www.tea.cn')).not.toContain(shownNumber);
  const approved = dataOf<Filing>(await move(first, { to: 'approved', on: '2026-11-02' }));
  expect(approved).toMatchObject({ state: 'approved', approvedOn: '2026-11-02', displayed: shownNumber });
  await shows('www.tea.cn', `<a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">${shownNumber}</a>`);
  const page = await program.visit('www.tea.cn', '/blog/spring');
  expect(page.body).toContain(shownNumber);
  expect(String(page.headers['content-security-policy'])).toMatch(/style-src 'self' 'sha256-/);
  // Another domain of the same site has a filing of its own, or none.
  expect([await body('green-tea.cn'), await body('www.tea.cn')].map((html) => html.includes(shownNumber))).toEqual([false, true]);
  const hidden = dataOf<Filing>(await change(approved, { number: shownNumber, inFooter: false, approvedOn: '2026-11-02' }));
  await shows('www.tea.cn', shownNumber, false);
  await change(hidden, { number: shownNumber, approvedOn: '2026-11-02' });
  await shows('www.tea.cn', shownNumber);
  await program.owner.send('DELETE', `${base()}/${first.id}`);
  await shows('www.tea.cn', shownNumber, false);
  await program.owner.send('POST', `${base()}/${first.id}/restore`);
  await shows('www.tea.cn', shownNumber);
  const days = [-1, 1].map((ahead) => new Date(program.ctx.now() + ahead * 86_400_000).toISOString().slice(0, 10));
  const notes = dataOf<{ kind: string }[]>(await program.owner.get(`/api/site/${blog.site.id}/als/annotations?from=${days[0]}&to=${days[1]}`));
  expect(notes.filter(({ kind }) => kind.startsWith('filing_')).length).toBe(5);
});

test('start, lost and password pages show the number', async () => {
  const site = await program.makeSite(program.owner, { name: 'Herbs', slug: 'herbs' });
  await connect(site, 'herbs.cn');
  const police = await add({ kind: 'mps', number: '京公网安备11010502030143号', domains: ['herbs.cn'] }, site);
  await move(police, { to: 'approved' }, site);
  const link = 'https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143';
  await shows('herbs.cn', link);
  expect(await body('herbs.cn', '/nowhere')).toContain(link);
  const settings = `/api/site/${site.id}/setting/base`;
  const setBase = async (values: object) => {
    const { name, slug, defaultLang, timeZone, visibility, maintenance, revision } = dataOf<Record<string, unknown>>(await program.owner.get(settings));
    const response = await program.owner.send(
      'PUT',
      settings,
      { name, slug, defaultLang, timeZone, visibility, maintenance, ...values },
      { 'if-match': `"${String(revision)}"` },
    );
    if (response.statusCode !== 200) throw new Error(response.body);
  };
  await setBase({ visibility: 'password', password: 'leaves and water' });
  await until(async () => (await program.visit('herbs.cn')).statusCode === 401);
  expect(await body('herbs.cn')).toContain(link);
  await setBase({ visibility: 'public' });
  await until(async () => (await program.visit('herbs.cn')).statusCode === 200);
});

test('the maintenance page shows the number', async () => {
  const moveSite = (to: string) => program.owner.send('POST', `/api/core/sites/${blog.site.id}/state`, { to });
  await moveSite('maintenance');
  await until(async () => (await program.visit('www.tea.cn')).statusCode === 503);
  expect(await body('www.tea.cn')).toContain(shownNumber);
  await moveSite('published');
  await until(async () => (await program.visit('www.tea.cn')).statusCode === 200);
});

test('the database allows exactly the transitions of the contract', async () => {
  const { rows } = await program.ctx.postgres.pool.query<{ move: string }>(`select kind || ' ' || from_state || ' ' || to_state as move from filing_moves`);
  const expected = (['icp', 'mps'] as const).flatMap((kind) => filingStates.flatMap((from) => nextStates(kind, from).map((to) => `${kind} ${from} ${to}`)));
  expect(rows.map((row) => row.move).toSorted()).toEqual(expected.toSorted());
  const { id } = await add({});
  const run = async (statement: string) =>
    program.ctx.postgres.pool.query(statement).then(
      () => 'allowed',
      (error: unknown) => (error as { constraint?: string; message: string }).constraint ?? String(error),
    );
  expect(await run(`update filings set state = 'bureau_review' where id = '${id}'`)).toBe('filing_move_known');
  expect(await run(`update filings set state = 'approved' where id = '${id}'`)).toBe('filings_numbered');
  expect(await run(`update filing_events set note = 'x' where filing_id = '${id}'`)).toBe('filing_event_immutable');
});

test('transitions that do not exist, and edits under examination, are refused', async () => {
  let filing = await add({});
  const refused = await move(filing, { to: 'bureau_review' });
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([409, 'bad_transition']);
  for (const to of ['provider_review', 'sms_check', 'provider_accepted', 'bureau_review']) filing = dataOf<Filing>(await move(filing, { to }));
  const edited = await change(filing, { serviceName: '另一个名称' });
  expect([edited.statusCode, Object.keys(edited.json<{ fields: object }>().fields)]).toEqual([409, ['serviceName']]);
  expect((await change(filing, { comparedOn: '2026-11-01' })).statusCode).toBe(200);
  expect((await move(filing, { to: 'approved' })).json<{ code: string }>().code).toBe('stale_revision');
  const events = dataOf<{ rows: { to: string }[] }>(await program.owner.get(`${base()}/${filing.id}/events`)).rows;
  expect(events.map(({ to }) => to)).toEqual(['bureau_review', 'provider_accepted', 'sms_check', 'provider_review', 'incomplete']);
});

test.each([
  [{ number: '京ICP备123号' }, 'number', 'icp_format'],
  [{ number: '京ICP备12345678号' }, 'number', 'icp_needs_site_suffix'],
  [{ kind: 'mps', number: '京公网安备110号' }, 'number', 'mps_digits'],
  [{ domains: ['127.0.0.1'] }, 'domains', 'ip_address'],
  [{ subject: '3f2c5a0e-8a57-4a0b-9d6e-0c8f3f2c5a0e' }, 'subject', 'unknown'],
])('the input %j is refused at its field', async (values, field, code) => {
  const response = await program.owner.send('POST', base(), { ...icp, ...values });
  expect([response.statusCode, response.json<{ fields: Record<string, { code: string }> }>().fields[field]?.code]).toEqual([422, code]);
});

test('people who may not change the site read numbers but nobody’s data', async () => {
  const { id } = await add({});
  const viewer = await personOn(program, blog.site, 'viewer');
  expect((await viewer.get(base())).statusCode).toBe(200);
  expect((await viewer.get(`${base()}/${id}/people`)).statusCode).toBe(403);
  const stranger = await program.makePerson('member');
  const other = await program.makeSite(program.owner);
  expect([(await stranger.get(`${base()}/${id}`)).statusCode, (await program.owner.get(`${base(other)}/${id}`)).statusCode]).toEqual([404, 404]);
  const person = { name: '陈山', phone: '13800000000', emergencyPhone: '', email: '', certificateExpires: '2027-01-01' };
  const people = { subject: person, service: { ...person, name: '林水' } };
  expect((await program.owner.send('PUT', `${base()}/${id}/people`, people)).statusCode).toBe(200);
  expect(dataOf(await program.owner.get(`${base()}/${id}/people`))).toEqual(people);
  const { rows } = await program.ctx.postgres.pool.query<{ stored: string }>(`select filings::text as stored from filings where id = '${id}'`);
  expect(rows[0]?.stored).not.toMatch(/陈山|13800000000/);
  const audited = await program.ctx.postgres.db.select().from(auditLog);
  expect(audited.map(({ action }) => action)).toEqual(expect.arrayContaining(['filing.people_changed', 'filing.people_read']));
});

test('certificates of subjects are checked, masked and sealed', async () => {
  const at = '/api/core/beian/subjects';
  const subject = { nature: 'company', name: '山间茶铺有限公司', certificateKind: 'credit_code', certificateNumber: '91350100M000100Y43', province: 'BJ' };
  const wrong = await program.owner.send('POST', at, { ...subject, certificateNumber: '91350100M000100Y44' });
  expect(wrong.json<{ fields: object }>().fields).toEqual({ certificateNumber: { code: 'not_a_credit_code' } });
  const added = dataOf<{ id: string; certificateMasked: string }>(await program.owner.send('POST', at, subject));
  expect(added.certificateMasked).toBe('9135************43');
  const filing = await add({ subject: added.id });
  expect(filing.subjectName).toBe(subject.name);
  expect((await program.owner.send('DELETE', `${at}/${added.id}`)).json<{ code: string }>().code).toBe('referenced');
});

test('subjects have the number of their filings', async () => {
  const at = '/api/core/beian/subjects';
  const subject = { nature: 'person', name: '林秋', certificateKind: 'other', province: 'BJ' };
  const { id, ...fresh } = dataOf<{ id: string; filings: number; active: number }>(await program.owner.send('POST', at, subject));
  expect(fresh).toMatchObject({ filings: 0, active: 0 });
  for (const serviceName of ['茶山', '茶园']) await add({ subject: id, serviceName });
  const { rows } = dataOf<{ rows: { id: string; filings: number; active: number }[] }>(await program.owner.get(`${at}?size=100`));
  expect(rows.find((row) => row.id === id)).toMatchObject({ filings: 2, active: 2 });
});

const checklistAt = (id: string) => `${base()}/${id}/checklist`;

test('documents are confidential resources that count as used', async () => {
  const { id } = await add({});
  const picture = await blog.addPicture('证书.jpg');
  const resource = `/api/site/${blog.site.id}/resource/items/${picture}`;
  const attach = (resourceId: string, item: string | null) => program.owner.send('POST', `${base()}/${id}/documents`, { resource: resourceId, item });
  await attach(picture, null);
  const attached = dataOf<FilingChecklist>(await attach(picture, 'domain_certificate'));
  expect(attached.documents).toMatchObject([{ resource: picture, item: 'domain_certificate', name: '证书.jpg' }]);
  expect(dataOf<{ visibility: string }>(await program.owner.get(resource)).visibility).toBe('confidential');
  const uses = async () => dataOf<{ total: number }>(await program.owner.send('POST', `/api/site/${blog.site.id}/resource/uses`, { ids: [picture] })).total;
  expect(await uses()).toBe(1);
  // It stays with the filing through a removal and its undo.
  await program.owner.send('DELETE', `${base()}/${id}`);
  expect(await uses()).toBe(0);
  await program.owner.send('POST', `${base()}/${id}/restore`);
  expect([await uses(), dataOf<FilingChecklist>(await program.owner.get(checklistAt(id))).documents.length]).toEqual([1, 1]);
  expect(dataOf<FilingChecklist>(await program.owner.send('DELETE', `${base()}/${id}/documents/${picture}`)).documents).toEqual([]);
  expect(await uses()).toBe(0);
  const used = await blog.addPicture('cover.jpg');
  await blog.addPosts({ title: '封面', slug: 'covered', cover: [{ resource: used }] });
  expect((await attach(used, null)).json<{ code: string }>().code).toBe('referenced');
  const viewer = await personOn(program, blog.site, 'viewer');
  expect((await viewer.get(checklistAt(id))).statusCode).toBe(403);
});

const opened = async (id: string) => {
  const { rows } = await program.ctx.postgres.pool.query<{ actor_id: string; target_name: string }>(
    `SELECT actor_id, target_name FROM audit_log WHERE action = 'resource.opened' AND target_id = $1 ORDER BY at`,
    [id],
  );
  return rows.map(({ actor_id: by, target_name: name }) => `${by === program.owner.userId ? 'owner' : by} ${name}`);
};

test('only people who may change the site open documents, and each time is audited', async () => {
  const { id } = await add({});
  const picture = await blog.addPicture('身份.jpg');
  const items = `/api/site/${blog.site.id}/resource/items`;
  const at = `${items}/${picture}`;
  const signed = dataOf<{ address: string }>(
    await program.owner.send('POST', `${at}/address`, { preset: 'original', expiresIn: 3600, downloadAs: null }),
  ).address;
  const byLink = async () => (await program.visit(blog.host, signed.replace(/^https?:\/\/[^/]+/, ''))).statusCode;
  expect(await byLink()).toBe(200);
  await program.owner.send('POST', `${base()}/${id}/documents`, { resource: picture, item: null });
  const whole = await program.owner.get(`${at}/content?download=true`, { range: 'bytes=5-' });
  expect([whole.statusCode, whole.headers['cache-control']]).toEqual([200, 'private, no-store']);
  await program.owner.get(`${at}/content`);
  expect(await opened(picture)).toEqual(['owner 身份.jpg', 'owner 身份.jpg']);
  const viewer = await personOn(program, blog.site, 'viewer');
  const refused = await Promise.all([viewer.get(at), viewer.get(`${at}/content`), program.owner.get(`${at}/variant?preset=thumbnail`)]);
  expect([...refused.map(({ statusCode }) => statusCode), await byLink()]).toEqual([404, 404, 404, 404]);
  const listed = async (who: Person) =>
    dataOf<{ rows: { id: string }[] }>(await who.get(`${items}?kind=image&size=100`)).rows.some((row) => row.id === picture);
  expect([await listed(program.owner), await listed(viewer)]).toEqual([true, false]);
  const { revision } = dataOf<{ revision: number }>(await program.owner.get(at));
  const published = await program.owner.send('PATCH', at, { visibility: 'public' }, { 'if-match': `"${revision}"` });
  expect(published.json()).toMatchObject({ code: 'invalid_fields', fields: { visibility: { code: 'in_use' } } });
  expect(await opened(picture)).toHaveLength(2);
});

test('duplicates, versions, known contents and records do not reveal documents', async () => {
  const { id } = await add({});
  const picture = await blog.addPicture('护照.jpg');
  const resources = `/api/site/${blog.site.id}/resource`;
  const { bytes: size, sha256 } = dataOf<{ bytes: number; sha256: string }>(await program.owner.get(`${resources}/items/${picture}`));
  const [viewer, editor] = [await personOn(program, blog.site, 'viewer'), await personOn(program, blog.site, 'editor')];
  const isDuplicate = async () => (await viewer.get(`${resources}/duplicates?kind=image&size=50`)).body.includes(picture);
  const versions = async () => (await editor.get(`${resources}/items/${picture}/versions`)).statusCode;
  const known = async () =>
    dataOf<{ resource: unknown }>(await editor.send('POST', `${resources}/known`, { name: '副本.jpg', folderId: null, size, sha256 })).resource !== null;
  expect([await isDuplicate(), await versions()]).toEqual([true, 200]);
  await program.owner.send('POST', `${base()}/${id}/documents`, { resource: picture, item: null });
  expect([await isDuplicate(), await versions(), await known()]).toEqual([false, 404, false]);
  await expect(blog.addPosts({ title: '护照', slug: 'passport', cover: [{ resource: picture }] })).rejects.toThrow('unknown');
});

test('documents are deleted thirty days after the approval, as announced, and detached ones as well', async () => {
  let filing = await add({});
  const [paper, loose] = [await blog.addPicture('承诺书.jpg'), await blog.addPicture('旧.jpg')];
  for (const resource of [paper, loose]) await program.owner.send('POST', `${base()}/${filing.id}/documents`, { resource, item: null });
  await program.owner.send('DELETE', `${base()}/${filing.id}/documents/${loose}`);
  const documents = async () => dataOf<FilingChecklist>(await program.owner.get(checklistAt(filing.id))).documents;
  const there = (id: string) => program.owner.get(`/api/site/${blog.site.id}/resource/items/${id}`).then(({ statusCode }) => statusCode === 200);
  expect((await documents()).map(({ purgeAt }) => purgeAt)).toEqual([null]);
  const day = 86_400_000;
  await runSchedule(program.ctx, 'filings.purgeDocuments', 29 * day);
  expect([await there(paper), await there(loose)]).toEqual([true, true]);
  for (const to of ['provider_review', 'provider_accepted', 'bureau_review']) filing = dataOf<Filing>(await move(filing, { to }));
  await runSchedule(program.ctx, 'filings.purgeDocuments', 31 * day);
  expect([await there(paper), await there(loose)]).toEqual([true, false]);
  await move(filing, { to: 'approved', number: '京ICP备87654321号-1' });
  const [document] = await documents();
  expect(Math.round((Date.parse(document?.purgeAt ?? '') - program.ctx.now()) / day)).toBe(30);
  await runSchedule(program.ctx, 'filings.purgeDocuments', 29 * day);
  expect(await there(paper)).toBe(true);
  await runSchedule(program.ctx, 'filings.purgeDocuments', 31 * day);
  expect([await there(paper), (await documents()).length]).toEqual([false, 0]);
  const { rows } = await program.ctx.postgres.pool.query(`SELECT 1 FROM audit_log WHERE action = 'filing.document_purged' AND target_id = $1`, [filing.id]);
  expect(rows).toHaveLength(1);
});

test('items of the checklist are ticked off while a filing is examined', async () => {
  let filing = await add({});
  for (const to of ['provider_review', 'provider_accepted', 'bureau_review']) filing = dataOf<Filing>(await move(filing, { to }));
  await program.owner.send('PUT', checklistAt(filing.id), { item: 'commitment', done: true });
  const { items } = dataOf<FilingChecklist>(await program.owner.send('PUT', checklistAt(filing.id), { item: 'face_check', done: true }));
  expect(items.filter(({ done }) => done).map(({ item }) => item)).toEqual(['face_check', 'commitment']);
  const { items: rest } = dataOf<FilingChecklist>(await program.owner.send('PUT', checklistAt(filing.id), { item: 'commitment', done: false }));
  expect(rest.filter(({ done }) => done)).toHaveLength(1);
});

test('data that differ from the filing are filed within thirty days', async () => {
  const subject = { nature: 'company', name: '旧名称', certificateKind: 'other', province: 'BJ' };
  const owned = dataOf<{ id: string; revision: number }>(await program.owner.send('POST', '/api/core/beian/subjects', subject));
  const site = await program.makeSite(program.owner, { timeZone: 'Asia/Shanghai' });
  const values = { number: '京ICP备11112222号-1', domains: [], subject: owned.id };
  const first = await add(values, site);
  let filing = dataOf<Filing>(await move(first, { to: 'approved', on: '2026-01-02' }, site));
  const due = async () => {
    filing = (await list(site)).rows.find(({ id }) => id === filing.id) as Filing;
    return filing.deadlines.find(({ kind }) => kind === 'changed_data')?.on;
  };
  const put = async (more: object) =>
    dataOf(await program.owner.send('PUT', `${base(site)}/${filing.id}`, { ...icp, ...values, ...more }, { 'if-match': `"${filing.revision}"` }));
  const inDays = (days: number) => new Date(program.ctx.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
  expect(await due()).toBeUndefined();
  await program.owner.send('PUT', `/api/core/beian/subjects/${owned.id}`, { ...subject, name: '新名称' }, { 'if-match': `"${owned.revision}"` });
  expect(await due()).toBe(inDays(30));
  await put({ comparedOn: inDays(0) });
  expect(await due()).toBeUndefined();
  await put({ comparedOn: inDays(0), serviceName: '山间茶园', domainExpires: inDays(60) });
  expect(await due()).toBe(inDays(30));
  expect(filing.deadlines).toContainEqual({ kind: 'domain_expiry', on: inDays(60), overdue: false });
  await move(filing, { to: 'changing' }, site);
  expect(await due()).toBeUndefined();
});

test('numbers are found in a pasted footer, with those that are known', async () => {
  const known = (await list()).rows.find(({ number }) => number === shownNumber);
  const text = `<footer><a href="#">京 ICP 备 12345678 号-1</a> <span>粤公网安备44010602000001号</span></footer>`;
  const { rows } = dataOf<{ rows: { kind: string; number: string; filing: string | null }[] }>(await program.owner.send('POST', `${base()}/parse`, { text }));
  expect(rows.map(({ kind, number, filing }) => [kind, number, filing])).toEqual([
    ['icp', shownNumber, known?.id],
    ['mps', '粤公网安备44010602000001号', null],
  ]);
});

let pages: Server | null = null;
afterAll(() => void pages?.close());

test('a check of pages elsewhere sees a number that is hidden', async () => {
  let html = '';
  const server = createServer((_, response) => response.end(html)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  pages = server;
  const { port } = server.address() as AddressInfo;
  const site = await program.makeSite(program.owner, { name: 'Elsewhere', purpose: 'external', url: `http://127.0.0.1:${port}/` } as never);
  const filing = await add({ number: '京ICP备87654321号-2', domains: [] }, site);
  await move(filing, { to: 'approved' }, site);
  const check = async () => dataOf<FilingList>(await program.owner.send('POST', `${base(site)}/check`)).rows[0]?.footer;
  const snippet = dataOf<{ text: string }>(await program.owner.get(`${base(site)}/snippet`)).text;
  html = `<body><section style="display:none">${snippet}</section>`;
  expect(await check()).toMatchObject({ state: 'hidden' });
  html = `<body>${snippet}`;
  expect(await check()).toMatchObject({ state: 'ok' });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  // Pages that cannot be read say nothing about what they show.
  expect(await check()).toMatchObject({ state: 'ok' });
});

test('each step of a deadline is reminded of once', async () => {
  const site = await program.makeSite(program.owner, { timeZone: 'Asia/Shanghai' });
  const dayAfter = (days: number) => new Date(program.ctx.now() + days * 86_400_000).toISOString().slice(0, 10);
  // Tomorrow is day 21 after the opening, when the first reminder is due.
  await add({ kind: 'mps', domains: [], openedOn: dayAfter(-20) }, site);
  const remind = (days: number, hour: string) =>
    runSchedule(program.ctx, 'filings.remind', Date.parse(`${dayAfter(days)}T${hour}:00:00+08:00`) - program.ctx.now());
  const notices = async () =>
    dataOf<{ rows: { kind: string; siteId: string; path: string }[] }>(await program.owner.get('/api/acc/notices')).rows.filter(
      ({ siteId }) => siteId === site.id,
    );
  await remind(1, '07');
  expect(await notices()).toEqual([]);
  await remind(1, '12');
  await remind(1, '13');
  await remind(2, '12');
  expect(await notices()).toEqual([expect.objectContaining({ kind: 'filing', path: `/site/${site.id}/beian` })]);
  await remind(8, '12');
  expect(await notices()).toHaveLength(2);
  const deadlines = dataOf<{ rows: { siteId: string; kind: string; on: string }[] }>(await program.owner.get('/api/core/beian/deadlines')).rows;
  expect(deadlines).toContainEqual(expect.objectContaining({ siteId: site.id, kind: 'mps_filing', on: dayAfter(10) }));
});
