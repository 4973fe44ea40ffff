import { rescue } from '../../server/areas/account';
import { auditLog } from '../../server/areas/audit/schema';
import { totps } from '../../server/areas/session/schema';
import { users } from '../../server/areas/account/schema';
import { StartFailure } from '../../server/terminalTexts';
import { eq } from 'drizzle-orm';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterAll(() => t.close());
const nothing = { resetLink: null, resetSecondFactor: null };

test('nothing happens without a request', async () => {
  expect(await rescue(t.ctx, nothing)).toBeNull();
});

test('the link sets a new password once, in any letter case', async () => {
  const url = await rescue(t.ctx, { ...nothing, resetLink: ' Lin.Owner ' });
  const token = new URL(url ?? '').hash.slice('#t='.length);
  const someone = t.browser();
  expect((await someone.send('POST', '/api/acc/sign/reset', { token, password: 'seven green umbrellas' })).statusCode).toBe(204);
  expect((await someone.send('POST', '/api/acc/sign/reset', { token, password: 'eight green umbrellas' })).statusCode).toBe(410);
  expect((await someone.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: 'seven green umbrellas' })).statusCode).toBe(200);
  expect(await t.ctx.postgres.db.select().from(auditLog).where(eq(auditLog.action, 'person.link_made'))).toMatchObject([
    { actorKind: 'system', targetName: 'lin.owner' },
  ]);
});

test('the second factor is removed and open sessions end', async () => {
  const { db } = t.ctx.postgres;
  await db.insert(totps).values({ userId: owner.userId, secret: 'x', createdAt: new Date(), confirmedAt: new Date() });
  await db.update(users).set({ secondFactor: true }).where(eq(users.id, owner.userId));
  const browser = t.browser();
  const signIn = () => browser.send('POST', '/api/acc/sign/in', { login: 'lin.owner', password: 'seven green umbrellas' });
  expect((await signIn()).json()).toMatchObject({ data: { next: 'second' } });
  await rescue(t.ctx, { ...nothing, resetSecondFactor: 'lin.owner' });
  expect((await signIn()).json()).toEqual({ data: { redirect: '/home' } });
  await rescue(t.ctx, { ...nothing, resetSecondFactor: 'lin.owner' });
  expect((await browser.get('/api/acc/security')).statusCode).toBe(401);
});

test('an unknown name prevents the start with a message', async () => {
  await expect(rescue(t.ctx, { ...nothing, resetLink: 'nobody-here' })).rejects.toThrow(StartFailure);
});
