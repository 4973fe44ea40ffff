import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { auditLog } from '../../server/areas/audit/schema';
import { heldNames, users } from '../../server/areas/account/schema';
import { skeletonOf } from '../../server/areas/session';
import { rateLimits } from '../../server/areas/session/schema';
import { makeTestApp, ownerPassword } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: { ...withMail, trustedProxies: ['127.0.0.1'] } });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const day = 24 * 3_600_000;
const rename = (who: Browser, loginName: string) => who.send('POST', '/api/acc/sign/rename', { loginName });
const signsIn = async (login: string) => (await t.browser().send('POST', '/api/acc/sign/in', { login, password: ownerPassword })).statusCode;
const field = (code: string) => ({ code: 'invalid_fields', fields: { loginName: { code } } });
/** Signs in again after the clock was moved. */
async function back(person: Person, loginName: string): Promise<void> {
  const answer = await person.send('POST', '/api/acc/sign/in', { login: loginName, password: ownerPassword });
  expect(answer.statusCode).toBe(200);
}

test('people rename once in fourteen days, owners at any time', async () => {
  const person = await t.makePerson('member', 'heron');
  expect((await rename(person, 'egret')).statusCode).toBe(200);
  expect((await rename(person, 'stork')).json()).toMatchObject(field('too_soon'));
  // The same name again is no rename.
  expect((await rename(person, 'egret')).statusCode).toBe(200);
  t.pass(14 * day - 60_000);
  await back(person, 'egret');
  expect((await rename(person, 'stork')).json()).toMatchObject(field('too_soon'));
  t.pass(61_000);
  expect((await rename(person, 'stork')).statusCode).toBe(200);
  await back(owner, 'lin.owner');
  for (const name of ['lin-one', 'lin-two', 'lin-three']) expect((await rename(owner, name)).statusCode).toBe(200);
});
test('the policy can restrict renaming to owners', async () => {
  const person = await t.makePerson('manager', 'heron');
  await owner.send('PUT', '/api/acc/policy', { secondFactor: 'off', graceDays: 7, selfRename: false }, { 'if-match': '"0"' });
  t.pass(4000);
  expect((await rename(person, 'egret')).json()).toMatchObject({ code: 'forbidden' });
  expect((await rename(owner, 'lin-new')).statusCode).toBe(200);
});
test('the person is notified by mail, and both names are logged', async () => {
  await t.ctx.postgres.db.update(users).set({ email: 'lin@example.cn', emailVerifiedAt: new Date() }).where(eq(users.id, owner.userId));
  await rename(owner, '林晓晓');
  const letter = (await mailsOf(t.ctx)).find(({ kind }) => kind === 'account.renamed');
  expect(letter).toMatchObject({ to: 'lin@example.cn', subject: '登录名已修改' });
  expect(letter?.facts?.slice(0, 2)).toEqual([
    { label: '登录名', value: '林晓晓' },
    { label: '原登录名', value: 'lin.owner' },
  ]);
  const lines = (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) => action === 'account.renamed');
  expect(lines).toEqual([expect.objectContaining({ actorId: owner.userId, before: { loginName: 'lin.owner' }, after: { loginName: '林晓晓' } })]);
});
test.each([
  ['a digit for a letter', 'bamboo', 'bamb00'],
  ['one for an l', 'linlin', '1inlin'],
  ['rn for m', 'marnie', 'mamie'],
  ['Han strokes that look alike', '士林路', '土林路'],
  ['a box and a mouth', '口口口', '囗囗囗'],
  ['a radical and its character', '龙门客栈', '⻰门客栈'],
])('refuses a look-alike of another person’s name: %s', async (_name, theirs, mine) => {
  await t.makePerson('member', theirs);
  expect((await rename(owner, mine)).json()).toMatchObject(field('confusable'));
});
test('look-alikes of held and reserved names are refused, own ones allowed', async () => {
  const person = await t.makePerson('member', 'bamboo');
  await rename(person, 'willow');
  expect((await rename(owner, 'bamb00')).json()).toMatchObject(field('confusable'));
  expect((await rename(owner, 'adrnin')).json()).toMatchObject(field('reserved'));
  expect((await rename(owner, 'r00t')).json()).toMatchObject(field('reserved'));
  t.pass(15 * day);
  await back(person, 'willow');
  expect((await rename(person, 'bamb00')).statusCode).toBe(200);
});
test('a held name cannot sign in and is free after ninety days', async () => {
  const other = await t.makePerson('member', 'heron');
  await rename(owner, 'lin-new');
  expect(await signsIn('lin.owner')).toBe(401);
  expect((await rename(other, 'lin.owner')).json()).toMatchObject({ code: 'name_taken', fields: { loginName: { code: 'taken' } } });
  t.pass(89 * day);
  await runSchedule(t.ctx, 'names.release');
  await back(other, 'heron');
  expect((await rename(other, 'lin.owner')).json()).toMatchObject({ code: 'name_taken' });
  t.pass(day + 60_000);
  await runSchedule(t.ctx, 'names.release');
  expect(await t.ctx.postgres.db.$count(heldNames)).toBe(0);
  await back(other, 'heron');
  expect((await rename(other, 'lin.owner')).statusCode).toBe(200);
});
test('of two concurrent look-alikes, one is assigned', async () => {
  const [a, b] = [await t.makePerson('member'), await t.makePerson('member')];
  const answers = await Promise.all([rename(a, 'bamboo'), rename(b, 'bamb00')]);
  expect(answers.map((answer) => answer.statusCode).sort((x, y) => x - y)).toEqual([200, 422]);
});
test('a name released and requested at once stays with its person', async () => {
  const other = await t.makePerson('member');
  const [gave, conflictResponse] = await Promise.all([rename(owner, 'lin-new'), rename(other, 'lin.owner')]);
  expect([gave?.statusCode, conflictResponse?.statusCode]).toEqual([200, 409]);
});

test('no sequence of renames leaves equal or look-alike names', async () => {
  const { db } = t.ctx.postgres;
  const people = [owner, await t.makePerson('owner', 'finch'), await t.makePerson('member', 'robin')];
  const provenAt = new Map<string, number>();
  let calls = 0;
  /** From its own address each time: address limits use the real clock. */
  const send = (who: Browser, url: string, body: object) => who.send('POST', url, body, { 'x-forwarded-for': `198.51.${(++calls >> 8) & 255}.${calls & 255}` });
  const rows = () => db.select({ userId: users.id, loginName: users.loginName }).from(users);
  const piece = fc.constantFrom('l', '1', '士', '土');
  const name = fc.array(piece, { minLength: 3, maxLength: 3 }).map((parts) => parts.join(''));
  const step = fc.record({ who: fc.nat(2), name, days: fc.constantFrom(0, 0, 0, 20, 100), release: fc.boolean() });
  const statusCounts = { 200: 0, 409: 0, 422: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      for (const { who, name: loginName, days, release } of steps) {
        t.pass(days * day + 1000);
        if (release) await runSchedule(t.ctx, 'names.release');
        // The limit of ten an hour uses the real clock, too.
        await db.delete(rateLimits);
        const person = people[who] ?? owner;
        if (t.ctx.now() - (provenAt.get(person.userId) ?? 0) > 9 * 60_000) {
          const login = (await rows()).find(({ userId }) => userId === person.userId)?.loginName;
          expect((await send(person, '/api/acc/sign/in', { login, password: ownerPassword })).statusCode).toBe(200);
          provenAt.set(person.userId, t.ctx.now());
        }
        const { statusCode } = await send(person, '/api/acc/sign/rename', { loginName });
        if (!(statusCode in statusCounts)) throw new Error(`${loginName}: ${statusCode}`);
        statusCounts[statusCode as keyof typeof statusCounts]++;
        const all = [...(await rows()), ...(await db.select().from(heldNames)).filter(({ until }) => until.getTime() > t.ctx.now())];
        for (const a of all)
          for (const b of all)
            if (a.userId !== b.userId && skeletonOf(a.loginName) === skeletonOf(b.loginName)) throw new Error(`${a.loginName} and ${b.loginName}`);
      }
    }),
    { numRuns: 15, seed: 20_261_120 },
  );
  // Names were assigned, and refused for both reasons: the rule was exercised.
  expect(Math.min(statusCounts[200], statusCounts[409], statusCounts[422])).toBeGreaterThan(0);
}, 120_000);
