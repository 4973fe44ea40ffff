import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Hostname } from '../../contract/hostnames/schemas';
import type { Site } from '../../contract/sites/schemas';
import { createTlsListener } from '../../server/areas/hostnames';
import { startHostnameChecker } from '../../server/areas/hostnames/checker';
import { certificateOf } from '../../server/areas/hostnames/queries';
import { hostnameCertificates, hostnames } from '../../server/areas/hostnames/schema';
import { startIssuer } from '../../server/areas/hostnames/tls/issuer';
import { certificateId } from '../../server/areas/hostnames/tls/renewalInfo';
import { keyPurpose } from '../../server/areas/hostnames/tls/listener';
import type { TlsListener } from '../../server/areas/hostnames/tls/listener';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { DAY } from '../../server/zone';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, startNameServer } from '../support/nsd';
import type { NameServer } from '../support/nsd';
import { describeWithAcme, startAcmeServer } from '../support/pebble';
import type { AcmeServer } from '../support/pebble';
import { until } from '../support/until';

let dns: NameServer;
let acme: AcmeServer;
let t: TestApp;
let owner: Person;
let collector: Collector;
let delivery: FastifyInstance;
let tls: TlsListener;
const services: { readonly close: () => Promise<void> }[] = [];

const rowOf = async (id: string) => (await t.ctx.postgres.db.select().from(hostnames).where(eq(hostnames.id, id)))[0];
async function add(host: string): Promise<{ site: Site; row: Hostname }> {
  const site = await t.makeSite(owner, { name: host, slug: host.replace('.', '-') });
  const [row] = (await owner.send('POST', `/api/site/${site.id}/hostnames`, { host })).json<{ data: { added: Hostname[] } }>().data.added;
  if (!row) throw new Error('not added');
  return { site, row };
}
/** Status of a page over HTTPS, with the certificates of the test's authority trusted; the error's code if there is none. */
const visit = (host: string): Promise<number | string> =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port: tls.port(), servername: host, ca: acme.root, headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
      .end();
  });

describeWithAcme('HTTPS of hostnames', () => {
  beforeAll(async () => {
    dns = await startNameServer('test');
    // The certificate authority asks the listener, whose port is known only once it listens.
    const config = { privateSites: true, dnsServers: [dns.address], sitesAddresses: ['127.0.0.1'], tlsMode: 'acme' as const };
    t = await makeTestAppWithFolder({ config });
    owner = await t.signUpOwner();
    collector = await startCollector(t.ctx);
    const listening = { ...t.ctx, config: { ...t.ctx.config } };
    const port = await freePort();
    acme = await startAcmeServer({ httpPort: port, nameServer: dns.address });
    Object.assign(listening.config, { acmeDirectory: acme.directory });
    delivery = await createDelivery(listening, collector);
    await delivery.listen({ host: '127.0.0.1', port });
    tls = createTlsListener(listening, delivery);
    await tls.listen({ host: '127.0.0.1', port: 0 });
    const ports = { http: (delivery.server.address() as AddressInfo).port, https: tls.port() };
    services.push(
      startHostnameChecker(listening, { pollEvery: 25, reach: { ports, authorities: acme.root } }),
      startIssuer(listening, { lookEvery: 50, pollEvery: 50, authorities: acme.authority }),
    );
  }, 60_000);
  afterAll(async () => {
    for (const service of services) await service.close();
    await tls.close();
    await delivery.close();
    await collector.close();
    await t.close();
    await acme.stop();
    await dns.stop();
  });

  test('a served hostname gets a certificate and is delivered with it', async () => {
    await dns.serve(['issued IN A 127.0.0.1']);
    const { row } = await add('issued.test');
    await until(async () => (await rowOf(row.id))?.tls === 'active', 30_000);
    const found = await rowOf(row.id);
    expect([found?.certificate?.names, found?.tlsError]).toEqual([['issued.test'], '']);
    await until(async () => (await visit('issued.test')) === 200);
    // No other site's certificate is presented.
    expect(typeof (await visit('unknown.test'))).toBe('string');
    const stored = await certificateOf(t.ctx.postgres.db, 'issued.test');
    expect([stored?.sealedKey.includes('PRIVATE'), t.ctx.secrets.open(keyPurpose, stored?.sealedKey ?? '').includes('PRIVATE')]).toEqual([false, true]);
  });

  test('a certificate is renewed after two thirds of its life', async () => {
    const before = await certificateOf(t.ctx.postgres.db, 'issued.test');
    const lifetime = (before?.notAfter.getTime() ?? 0) - (before?.notBefore.getTime() ?? 0);
    const now = t.ctx.now();
    // As if it had been issued long ago.
    await t.ctx.postgres.db
      .update(hostnameCertificates)
      .set({ notBefore: new Date(now - lifetime), notAfter: new Date(now + lifetime / 4) })
      .where(eq(hostnameCertificates.hostnameId, before?.hostnameId ?? ''));
    await until(async () => (await certificateOf(t.ctx.postgres.db, 'issued.test'))?.chain !== before?.chain, 30_000);
  });

  test('a certificate is renewed when its authority suggests', async () => {
    const { db } = t.ctx.postgres;
    const before = await certificateOf(db, 'issued.test');
    const change = (values: Partial<typeof hostnameCertificates.$inferInsert>) =>
      db
        .update(hostnameCertificates)
        .set(values)
        .where(eq(hostnameCertificates.hostnameId, before?.hostnameId ?? ''));
    const now = t.ctx.now();
    const window = (from: number, to: number) => ({ start: new Date(now + from * DAY), end: new Date(now + to * DAY) });
    acme.suggest(window(20, 30));
    await change({ notBefore: new Date(now - 2 * DAY), windowReadAt: null });
    const renewAt = async () => (await certificateOf(db, 'issued.test'))?.renewAt?.getTime() ?? 0;
    await until(async () => (await renewAt()) > 0);
    expect([(await renewAt()) >= now + 20 * DAY, (await renewAt()) <= now + 30 * DAY]).toEqual([true, true]);
    expect(acme.requestedIds).toContain(certificateId(before?.chain ?? ''));
    expect((await certificateOf(db, 'issued.test'))?.chain).toBe(before?.chain);
    // The authority has to revoke it, and wants it to be replaced before.
    acme.suggest(window(-2, -1));
    await change({ windowReadAt: null });
    await until(async () => (await certificateOf(db, 'issued.test'))?.chain !== before?.chain, 30_000);
    acme.suggest(null);
  });

  test('an uploaded certificate is checked before it is used', async () => {
    await dns.serve(['issued IN A 127.0.0.1', 'other IN A 127.0.0.1']);
    const [{ site, row }, issued] = [await add('other.test'), await certificateOf(t.ctx.postgres.db, 'issued.test')];
    await until(async () => (await rowOf(row.id))?.tls === 'active', 30_000);
    const own = await certificateOf(t.ctx.postgres.db, 'other.test');
    const keyOf = (sealed: string | undefined): string => t.ctx.secrets.open(keyPurpose, sealed ?? '');
    const upload = (chain: string | undefined, key: string) => owner.send('POST', `/api/site/${site.id}/hostnames/${row.id}/certificate`, { chain, key });
    const refusal = async (chain: string | undefined, key: string): Promise<unknown> =>
      (await upload(chain, key)).json<{ fields?: Record<string, { code: string }> }>().fields;
    const blocks = (own?.chain ?? '').match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? [];
    expect(await refusal('nonsense', keyOf(own?.sealedKey))).toEqual({ chain: { code: 'not_pem' } });
    expect(await refusal(own?.chain, 'nonsense')).toEqual({ key: { code: 'not_pem' } });
    expect(await refusal(own?.chain, keyOf(issued?.sealedKey))).toEqual({ key: { code: 'key_mismatch' } });
    expect(await refusal(issued?.chain, keyOf(issued?.sealedKey))).toEqual({ chain: { code: 'other_name' } });
    expect(await refusal([blocks[0], blocks[0], ...blocks.slice(1)].join('\n'), keyOf(own?.sealedKey))).toEqual({ chain: { code: 'chain_order' } });
    const accepted = await upload(own?.chain, keyOf(own?.sealedKey));
    expect([accepted.statusCode, accepted.json<{ data: Hostname }>().data.uploaded, accepted.body.includes('PRIVATE')]).toEqual([200, true, false]);
  });

  test('a refusal of the authority is shown with its reason', async () => {
    await dns.serve(['refused IN A 127.0.0.1', 'refused IN CAA 0 issue "nobody.test"']);
    await acme.stop();
    const { row } = await add('refused.test');
    await until(async () => (await rowOf(row.id))?.tls === 'failed', 30_000);
    const found = await rowOf(row.id);
    expect([found?.tlsFailures, found?.tlsError !== '', (found?.tlsNextAt?.getTime() ?? 0) > t.ctx.now()]).toEqual([1, true, true]);
    await until(async () => (await rowOf(row.id))?.records.some(({ type }) => type === 'CAA') === true);
    expect((await rowOf(row.id))?.records.find(({ type }) => type === 'CAA')).toMatchObject({ state: 'conflict' });
  });
});
