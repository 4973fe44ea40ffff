import { runSchedule } from '../support/schedules';
import { parse } from 'csv-parse/sync';
import { auditActions } from '../../contract/audit/schemas';
import type { AuditEntry } from '../../contract/audit/schemas';
import { record, systemActor } from '../../server/areas/audit';
import { auditLog } from '../../server/areas/audit/schema';
import { until } from '../support/until';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

type Page = { rows: AuditEntry[]; next: string | null };
const read = async (query: Record<string, string> = {}, who: Browser = owner): Promise<Page> =>
  (await who.get(`/api/acc/audit?${new URLSearchParams(query)}`)).json<{ data: Page }>().data;
const file = (query: Record<string, string> = {}, who: Browser = owner) => who.get(`/api/acc/audit/export?${new URLSearchParams(query)}`);
const sql = (text: string, values: unknown[] = []) => t.ctx.postgres.pool.query(text, values);

type AuditRow = Partial<typeof auditLog.$inferInsert>;
const write = (...lines: AuditRow[]) =>
  t.ctx.postgres.db.insert(auditLog).values(
    lines.map((line) => ({
      at: new Date(),
      actorKind: 'person' as const,
      actorName: 'mei',
      action: 'contact.added' as const,
      result: 'done' as const,
      address: '203.0.113.9',
      userAgent: '',
      requestId: 'r',
      ...line,
    })),
  );

describe('the database itself', () => {
  test('refuses to change, delete and empty the log', async () => {
    for (const statement of ["UPDATE audit_log SET actor_name = 'x'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(sql(statement)).rejects.toThrow('append-only');
    expect((await sql('SELECT count(*)::int AS n FROM audit_log')).rows).not.toEqual([{ n: 0 }]);
  });

  test('allows deleting only lines older than 400 days', async () => {
    const ago = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);
    await write({ at: ago(401), actorName: 'old' }, { at: ago(399), actorName: 'young' }, { at: ago(2000), actorName: 'ancient' });
    await expect(sql("DELETE FROM audit_log WHERE actor_name = 'young'")).rejects.toThrow('append-only');
    await runSchedule(t.ctx, 'audit.sweep');
    const names = (await t.ctx.postgres.db.select().from(auditLog)).map(({ actorName }) => actorName);
    expect(names).toContain('young');
    expect(names.filter((name) => name === 'old' || name === 'ancient')).toEqual([]);
  });

  test('stores an act and its line together or neither', async () => {
    await expect(
      t.ctx.postgres.db.transaction(async (tx) => {
        await record(t.ctx, tx, systemActor, { action: 'site.created' });
        throw new Error('the act failed');
      }),
    ).rejects.toThrow('the act failed');
    expect((await read({ action: 'site.created' })).rows).toEqual([]);
  });
});

describe('reading', () => {
  test('shows actor, time, place, device and values in the reader’s language', async () => {
    const site = await t.makeSite(owner);
    await owner.send(
      'PATCH',
      `/api/core/sites/${site.id}`,
      { name: 'Tea garden' },
      { 'if-match': '"1"', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36' },
    );
    await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'archived' });
    const { rows } = await read({ siteId: site.id });
    expect(rows.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['site.moved', { state: 'draft' }, { state: 'archived' }],
      ['site.changed', { name: 'Tea house' }, { name: 'Tea garden' }],
      ['site.created', null, { name: 'Tea house', slug: 'tea-house', purpose: 'built', url: null }],
    ]);
    expect(rows[1]).toMatchObject({
      actor: { kind: 'person', id: owner.userId, name: 'lin.owner' },
      target: { kind: 'site', id: site.id, name: 'Tea garden' },
      result: 'done',
      address: '127.0.0.1',
      device: 'Chrome · Windows',
    });
    // A refused stale change is not logged.
    await owner.send('PATCH', `/api/core/sites/${site.id}`, { name: 'Late' }, { 'if-match': '"1"' });
    expect((await read({ siteId: site.id })).rows).toHaveLength(3);
    await write({ address: '114.114.114.114', actorName: 'somewhere' });
    expect((await read({ q: 'somewhere' })).rows[0]?.place).toContain('江苏');
    await owner.send('PATCH', `/api/acc/user/${owner.userId}`, { locale: 'en' }, { 'if-match': '"1"' });
    expect((await read({ q: 'somewhere' })).rows[0]?.place).toContain('Jiangsu');
  });

  test('filters by action, person, result, site and literal text', async () => {
    const member = await t.makePerson('member');
    await write(
      { actorName: '100%_a\\b', action: 'trade.order_made' },
      { actorId: member.userId, actorName: 'wei', action: 'trade.payment_added', result: 'failed' },
      { targetKind: 'contact', targetId: 'c-77', targetName: '陈晨', siteId: 'abcdefghijkl', address: '2001:db8::77' },
    );
    const names = async (query: Record<string, string>) => (await read(query)).rows.map(({ actor }) => actor.name);
    expect(await names({ action: 'trade' })).toEqual(['wei', '100%_a\\b']);
    expect(await names({ action: 'trade.order_made' })).toEqual(['100%_a\\b']);
    expect(await names({ action: 'tra' })).toEqual([]);
    expect(await names({ actor: member.userId, action: 'trade' })).toEqual(['wei']);
    expect(await names({ result: 'failed' })).toEqual(['wei']);
    expect(await names({ siteId: 'abcdefghijkl' })).toEqual(['mei']);
    for (const q of ['陈', 'C-77', '2001:db8::77', 'MEI']) expect(await names({ q })).toEqual(['mei']);
    for (const q of ['100%', '%_a', 'a\\b']) expect(await names({ q })).toEqual(['100%_a\\b']);
    expect(await names({ q: '__' })).toEqual([]);
    expect(await names({ q: "'; DROP TABLE audit_log; --" })).toEqual([]);
  });

  test('days are in the reader’s time zone', async () => {
    // 2026-11-20 in Shanghai is from 16:00 of the 19th to 16:00 of the 20th in UTC.
    await write(
      { at: new Date('2026-11-19T15:59:59.999Z'), actorName: 'before' },
      { at: new Date('2026-11-19T16:00:00.000Z'), actorName: 'first' },
      { at: new Date('2026-11-20T15:59:59.999Z'), actorName: 'last' },
      { at: new Date('2026-11-20T16:00:00.000Z'), actorName: 'after' },
    );
    const names = async (query: Record<string, string>) => (await read({ action: 'contact', ...query })).rows.map(({ actor }) => actor.name);
    expect(await names({ from: '2026-11-20', to: '2026-11-20' })).toEqual(['last', 'first']);
    await sql(`UPDATE users SET time_zone = 'America/New_York'`);
    expect(await names({ from: '2026-11-20', to: '2026-11-20' })).toEqual(['after', 'last']);
    for (const query of [{ from: '0001-01-01' }, { to: '9999-12-31' }, { from: '0000-01-01', to: '9999-12-31' }]) expect(await names(query)).toHaveLength(4);
    for (const query of [
      { from: '2026-13-01' },
      { to: 'today' },
      { from: '2026-02-30' },
      { size: '101' },
      { before: '-1' },
      { before: '1'.repeat(19) },
      { actor: 'me' },
      { result: 'maybe' },
    ])
      expect((await owner.get(`/api/acc/audit?${new URLSearchParams(query as Record<string, string>)}`)).statusCode).toBe(422);
    expect((await owner.get('/api/acc/audit?q=%00')).statusCode).toBe(400);
  });

  test('pages through each line once while new ones arrive', async () => {
    await write(...Array.from({ length: 25 }, (_, i) => ({ actorName: `n-${i}` })));
    const actorNames: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await read({ action: 'contact', size: '10', ...(cursor === null ? {} : { before: cursor }) });
      actorNames.push(...page.rows.map(({ actor }) => actor.name));
      cursor = page.next;
      await write({ actorName: 'late' });
    } while (cursor !== null);
    expect(actorNames).toEqual(Array.from({ length: 25 }, (_, i) => `n-${24 - i}`));
  });

  test('is limited to managers and owners', async () => {
    for (const role of ['finance', 'member'] as const) {
      const person = await t.makePerson(role);
      expect([(await person.get('/api/acc/audit')).statusCode, (await file({}, person)).statusCode]).toEqual([403, 403]);
    }
    expect((await (await t.makePerson('manager')).get('/api/acc/audit')).statusCode).toBe(200);
  });
});

describe('the file', () => {
  test('holds every filtered line beyond one batch and is logged', async () => {
    await write(...Array.from({ length: 2300 }, (_, i) => ({ actorName: `n-${i}` })));
    const csv = await file({ action: 'contact' });
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/);
    const rows = parse(csv.body, { bom: true });
    expect(rows[0]?.slice(0, 2)).toEqual(['时间 (Asia/Shanghai)', '操作者']);
    expect(rows.slice(1).map((row) => row[1])).toEqual(Array.from({ length: 2300 }, (_, i) => `n-${2299 - i}`));
    const json = (await file({ action: 'contact', format: 'json' })).json<AuditEntry[]>();
    expect(json.map(({ actor }) => actor.name)).toEqual(rows.slice(1).map((row) => row[1]));
    expect((await read({ action: 'audit.exported' })).rows.map(({ after }) => after)).toEqual([
      { format: 'json', action: 'contact' },
      { format: 'csv', action: 'contact' },
    ]);
    expect((await file({ q: 'nobody at all', format: 'json' })).json()).toEqual([]);
    expect(parse((await file({ q: 'nobody at all' })).body, { bom: true })).toHaveLength(1);
  });

  test('contains no spreadsheet formulas and keeps quotes, commas and line breaks', async () => {
    const names = ['=cmd|/c calc', '+1', '-1', '@sum(A1)', '\ttab', 'a "quoted", name\nof two lines', '王，芳'];
    await write(...names.map((actorName) => ({ actorName, after: { note: '=1+1' } })));
    const { body } = await file({ action: 'contact' });
    expect(body.startsWith('\uFEFF')).toBe(true);
    const rows = parse(body, { bom: true }).slice(1);
    expect(rows.map((row) => row[1]).reverse()).toEqual(["'=cmd|/c calc", "'+1", "'-1", "'@sum(A1)", "'\ttab", 'a "quoted", name\nof two lines', '王，芳']);
    expect(rows[0]?.at(-1)).toBe('{"note":"=1+1"}');
    expect(rows.flat().filter((cell) => /^[=+\-@\t]/.test(cell))).toEqual([]);
  });
});

describe('refusals', () => {
  test('are logged once for each call, person and minute', async () => {
    const member = await t.makePerson('member');
    const denied = async () => (await read({ action: 'sign.denied', actor: member.userId })).rows;
    for (let n = 0; n < 5; n++) await member.get('/api/acc/users');
    await member.get('/api/acc/invites');
    await until(async () => (await denied()).length === 2);
    expect((await denied()).map(({ result, after }) => [result, after])).toEqual(
      expect.arrayContaining([
        ['refused', { method: 'GET', path: '/api/acc/users', reason: 'forbidden' }],
        ['refused', { method: 'GET', path: '/api/acc/invites', reason: 'forbidden' }],
      ]),
    );
    t.pass(61_000);
    await member.get('/api/acc/users');
    await until(async () => (await denied()).length === 3);
  });

  test('name the token, and the site if known', async () => {
    const site = await t.makeSite(owner);
    const member = await t.makePerson('member');
    await t.grant(site.id, member.userId, 'viewer');
    await member.send('PATCH', `/api/core/sites/${site.id}`, {}, { 'if-match': '"1"' });
    const { value, token } = (await member.send('POST', '/api/acc/tokens', { name: 'x', scopes: ['site:read'] })).json<{
      data: { value: string; token: { id: string } };
    }>().data;
    await t.app.inject({ url: '/api/acc/users', headers: { authorization: `Bearer ${value}` } });
    await until(async () => (await read({ action: 'sign.denied' })).rows.length === 2);
    const [byToken, byHand] = (await read({ action: 'sign.denied' })).rows;
    expect(byToken).toMatchObject({ actor: { kind: 'token', id: member.userId }, after: { reason: 'token_scope' } });
    expect(byHand).toMatchObject({ actor: { kind: 'person' }, siteId: site.id, after: { reason: 'forbidden' } });
    const [line] = (await sql(`SELECT token_id FROM audit_log WHERE actor_kind = 'token'`)).rows as { token_id: string }[];
    expect(line?.token_id).toBe(token.id);
  });

  test('do not fail the request when they cannot be logged', async () => {
    const member = await t.makePerson('member');
    const warned: string[] = [];
    Object.assign(t.ctx.log, { warn: (message: string) => warned.push(message) });
    await sql('ALTER TABLE audit_log RENAME TO hidden');
    const answer = await member.get('/api/acc/users');
    await until(() => warned.length > 0);
    await sql('ALTER TABLE hidden RENAME TO audit_log');
    expect(answer.json()).toMatchObject({ code: 'forbidden' });
    expect(warned).toEqual(['A refusal could not be written to the audit log']);
  });
});

describe('secrets', () => {
  test('a key that looks secret is refused', async () => {
    for (const key of ['password', 'newPassword', 'tokenHash', 'recoveryCodes', 'clientSecret', 'cookie'])
      await expect(record(t.ctx, t.ctx.postgres.db, systemActor, { action: 'site.changed', after: { [key]: 'x' } })).rejects.toThrow('no secrets');
  });

  test('no line holds a password, link, code or token', async () => {
    const secrets = new Set<string>([ownerPassword]);
    const keep = (value: string): string => {
      secrets.add(value);
      return value;
    };
    const fragment = (url: string): string => keep(url.split('#t=')[1] ?? '');
    // Successful and failed sign-ins, and a password typed as a login name.
    const guest = t.browser();
    await guest.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: keep('a wrong but long password') });
    await guest.send('POST', '/api/acc/sign/in', { login: keep('my-secret-by-mistake'), password: 'x' });
    await owner.send('POST', '/api/acc/sign/reauth', { password: ownerPassword });
    // A new password, an address and an API token.
    const next = keep('seven boats beside the quay');
    expect((await owner.send('POST', '/api/acc/sign/password', { current: ownerPassword, next })).statusCode).toBe(204);
    const token = (await owner.send('POST', '/api/acc/tokens', { name: 'CI', scopes: ['site:read'] })).json<{ data: { value: string } }>().data;
    keep(token.value);
    await t.app.inject({ url: '/api/acc/users', headers: { authorization: `Bearer ${token.value}` } });
    await t.app.inject({ url: '/api/acc/users', headers: { authorization: `Bearer ${keep('sck_not-a-token-at-all')}` } });
    // An authenticator: its secret and the recovery codes.
    const totp = (await owner.send('POST', '/api/acc/totp/begin')).json<{ data: { secret: string; uri: string } }>().data;
    keep(totp.secret);
    await owner.send('POST', '/api/acc/totp/confirm', { code: keep('000111') });
    // An accepted invitation, and a used password link.
    const invited = (await owner.send('POST', '/api/acc/invites', {})).json<{ data: { url: string } }>().data;
    const mei = t.browser();
    const joined = await mei.send('POST', '/api/acc/sign/invite', {
      token: fragment(invited.url),
      loginName: 'mei.chen',
      displayName: 'Mei',
      password: keep('nine lanterns over the river'),
    });
    expect(joined.statusCode).toBe(200);
    const people = (await owner.get('/api/acc/users')).json<{ data: { rows: { id: string; loginName: string }[] } }>().data.rows;
    const meiId = people.find(({ loginName }) => loginName === 'mei.chen')?.id ?? '';
    const link = (await owner.send('POST', `/api/acc/users/${meiId}/link`, { kind: 'reset' })).json<{ data: { url: string } }>().data;
    const reset = await t.browser().send('POST', '/api/acc/sign/reset', { token: fragment(link.url), password: keep('eleven cranes above the marsh') });
    expect(reset.statusCode).toBe(204);
    await owner.send('POST', `/api/acc/users/${meiId}/reset-second-factor`);
    await owner.send('DELETE', `/api/acc/users/${meiId}`, { confirm: 'mei.chen' });
    // The cookies of the browsers.
    for (const browser of [owner, guest, mei]) for (const value of browser.cookies.values()) keep(value);

    const lines = (await sql('SELECT row_to_json(audit_log)::text AS line FROM audit_log')).rows as { line: string }[];
    const log = lines.map(({ line }) => line).join('\n');
    expect([...secrets].filter((secret) => secret.length > 3 && log.includes(secret))).toEqual([]);
    expect(log).not.toContain('argon2');
    const actions = new Set(lines.map(({ line }) => (JSON.parse(line) as { action: string }).action));
    for (const action of [
      'sign.set_up',
      'sign.in',
      'account.password_changed',
      'token.made',
      'person.invited',
      'person.joined',
      'person.link_made',
      'sign.reset',
      'factor.reset',
      'person.deleted',
    ])
      expect([action, actions.has(action)]).toEqual([action, true]);
    expect([...actions].filter((action) => !(auditActions as readonly string[]).includes(action))).toEqual([]);
  });
});
