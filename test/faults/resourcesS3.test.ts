/** @jest-environment <rootDir>/test/support/s3Environment.cjs */
import { randomBytes } from 'node:crypto';
import { s3Store } from '../../server/stores/files/s3';
import { idOf, resourceClient, sha256 } from '../integration/resourcesSupport';
import type { ResourceClient } from '../integration/resourcesSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { startS3Proxy } from '../support/s3/proxy';
import type { S3Proxy } from '../support/s3/proxy';
import { describeWithS3, startS3Server } from '../support/s3/server';
import type { S3Server } from '../support/s3/server';

describeWithS3('resources while the S3 server is disturbed', () => {
  let server: S3Server;
  let proxy: S3Proxy;
  let t: TestApp;
  let owner: Person;
  let client: ResourceClient;
  beforeAll(async () => {
    server = await startS3Server();
    proxy = await startS3Proxy(server.port);
    t = await makeTestApp({ files: s3Store(server.location({ endpoint: proxy.endpoint }), 2) });
    owner = await t.signUpOwner();
    const { id } = await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' });
    client = resourceClient(owner, id);
  });
  beforeEach(() => {
    proxy.disturb = null;
  });
  afterAll(async () => {
    await t.close();
    await proxy.stop();
    await server.stop();
  });

  async function sent(bytes: Buffer): Promise<string> {
    const id = idOf((await client.create(bytes.length, { name: 'tea.bin' })).headers.location);
    expect((await client.append(id, 0, bytes)).statusCode).toBe(204);
    return id;
  }

  test('a chunk is not acknowledged while the server answers 503', async () => {
    const bytes = randomBytes(100_000);
    const id = idOf((await client.create(bytes.length, { name: 'tea.bin' })).headers.location);
    proxy.disturb = (_attempt, { method }) => (method === 'PUT' ? 'busy' : null);
    expect((await client.append(id, 0, bytes)).statusCode).toBe(503);
    proxy.disturb = null;
    expect(await client.offset(id)).toBe(0);
    expect((await client.append(id, 0, bytes)).statusCode).toBe(204);
    expect((await client.finish(id)).statusCode).toBe(200);
  });

  test('a file is accepted after the server answered 503 to reading or storing it', async () => {
    for (const disturbed of ['GET', 'PUT']) {
      const bytes = randomBytes(100_000);
      const id = await sent(bytes);
      const { total } = await client.list();
      proxy.disturb = (_attempt, { method }) => (method === disturbed ? 'busy' : null);
      const refused = await client.finish(id);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
      expect((await client.list()).total).toBe(total);
      proxy.disturb = null;
      expect((await client.finish(id)).json()).toMatchObject({ data: { sha256: sha256(bytes), bytes: bytes.length } });
      expect((await client.list()).total).toBe(total + 1);
    }
  });

  test('a delivery is complete or an error, never something else', async () => {
    const bytes = randomBytes(3 * 2 ** 20);
    const resource = await client.upload(bytes, 'tea.bin');
    const get = () => owner.get(`/_r/${resource.id}/tea.bin`);
    proxy.disturb = (attempt, { method }) => (method === 'GET' && attempt === 1 ? { cutResponse: 1_000_000 } : null);
    const delivered = await get();
    expect([delivered.statusCode, sha256(delivered.rawPayload)]).toEqual([200, resource.sha256]);
    proxy.disturb = () => 'busy';
    const busy = await get().catch(() => null);
    // The beginning of the response may have been sent: then the connection breaks.
    expect(busy === null || busy.statusCode === 503).toBe(true);
    proxy.disturb = null;
    expect(sha256((await get()).rawPayload)).toBe(resource.sha256);
  });
});
