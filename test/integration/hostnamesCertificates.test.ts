import { eq } from 'drizzle-orm';
import { certificateOf, insertHostname, nextToIssue, putCertificate, updateIssuing } from '../../server/areas/hostnames/queries';
import { hostnames } from '../../server/areas/hostnames/schema';
import { DAY } from '../../server/zone';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
let added = 0;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
}, 60_000);
afterAll(() => t.close());

/** A site with a hostname that is served. */
async function makeServed() {
  added += 1;
  const host = `www.site-${String(added)}.example`;
  const site = await t.makeSite(owner, { name: host, slug: `site-${String(added)}` });
  const now = new Date(t.ctx.now());
  const { db } = t.ctx.postgres;
  const row = await insertHostname(db, {
    siteId: site.id,
    host,
    apex: host.slice(4),
    role: 'primary',
    token: '0'.repeat(32),
    contested: false,
    ownership: 'verified',
    activeAt: now,
    createdAt: now,
  });
  if (!row) throw new Error('not added');
  return { site, host, row };
}
/** A certificate of which three quarters of the life have passed. */
const certificate = (hostnameId: string, source: 'uploaded' | 'issued', chain: string) => {
  const now = t.ctx.now();
  return { hostnameId, source, chain, sealedKey: 'sealed', notBefore: new Date(now - 75 * DAY), notAfter: new Date(now + 25 * DAY), updatedAt: new Date(now) };
};

test.each([{ to: 'suspended', reason: 'Unpaid' }, { to: 'archived' }])('a site that is $to gets no new certificate', async (change) => {
  const { db } = t.ctx.postgres;
  const { site, row } = await makeServed();
  await putCertificate(db, certificate(row.id, 'issued', 'old'));
  const next = async () => (await nextToIssue(db, new Date(t.ctx.now())))?.id;
  expect(await next()).toBe(row.id);
  expect((await owner.send('POST', `/api/core/sites/${site.id}/state`, change)).statusCode).toBe(200);
  expect(await next()).toBeUndefined();
});

test('an issued certificate never replaces one that was uploaded meanwhile', async () => {
  const { db } = t.ctx.postgres;
  const { row, host } = await makeServed();
  await putCertificate(db, certificate(row.id, 'uploaded', 'own'));
  await db.update(hostnames).set({ tls: 'active' }).where(eq(hostnames.id, row.id));
  expect(await putCertificate(db, certificate(row.id, 'issued', 'other'))).toBe(false);
  await updateIssuing(db, row.id, { tls: 'failed' });
  expect([(await certificateOf(db, host))?.chain, (await db.select().from(hostnames).where(eq(hostnames.id, row.id)))[0]?.tls]).toEqual(['own', 'active']);
});

test('an uploaded certificate replaces an issued one', async () => {
  const { db } = t.ctx.postgres;
  const { row, host } = await makeServed();
  await putCertificate(db, certificate(row.id, 'issued', 'old'));
  expect(await putCertificate(db, certificate(row.id, 'uploaded', 'own'))).toBe(true);
  expect((await certificateOf(db, host))?.chain).toBe('own');
});
