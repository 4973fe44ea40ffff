import type { FastifyInstance } from 'fastify';
import type { SiteExport, SiteImport } from '../../contract/siteImport/schemas';
import { jobHandlers } from '../../server/areas';
import { startCollector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { startWorker } from '../../server/worker';
import type { ContentRecord } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort } from '../support/program';
import { sendChunk } from '../support/sendChunk';
import { until } from '../support/until';

/** The calls of an import, as the console makes them. */
export function importCalls(t: Pick<TestApp, 'ctx'>, owner: Person) {
  const api = '/api/core/imports';
  const one = async (id: string): Promise<SiteImport> => dataOf<SiteImport>(await owner.get(`${api}/${id}`, { 'accept-language': 'en' }));
  async function upload(name: string, content: Buffer, by: Person = owner): Promise<string> {
    const { id } = dataOf<SiteImport>(await by.send('POST', api, { name, size: content.length }));
    const answer = await sendChunk(by, `${api}/${id}/file`, 0, content);
    if (answer.statusCode !== 204) throw new Error(answer.body);
    return id;
  }
  /** Looks into the database: a call is limited to some hundred requests a minute. */
  const isBusy = async (id: string): Promise<boolean> =>
    (
      await t.ctx.postgres.pool.query(
        `SELECT 1 FROM site_imports i JOIN jobs j ON j.id = i.job_id WHERE i.id = $1 AND i.state IN ('detecting', 'running', 'undoing') AND j.state IN ('queued', 'running')`,
        [id],
      )
    ).rows.length > 0;
  const finished = async (id: string): Promise<SiteImport> => {
    await until(async () => !(await isBusy(id)), 120_000);
    return one(id);
  };
  async function post(id: string, what: string, body?: object): Promise<SiteImport> {
    const answer = await owner.send('POST', `${api}/${id}/${what}`, body);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return finished(id);
  }
  const detect = async (name: string, content: Buffer): Promise<SiteImport> => post(await upload(name, content), 'detect');
  async function map(plan: SiteImport, target: object = { name: plan.plan?.site.title || 'Imported' }, more: object = {}): Promise<void> {
    const collections = (plan.plan?.collections ?? []).map(({ key, title }) => ({ key, title, include: true }));
    const answer = await owner.send('PUT', `${api}/${plan.id}/mapping`, {
      mapping: { collections, ...more },
      target: { defaultLang: 'en', timeZone: 'UTC', ...target },
    });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  }
  /** A whole import of a file into a new site, or into `target`. */
  async function bring(name: string, content: Buffer, target?: object): Promise<SiteImport> {
    const found = await detect(name, content);
    if (found.state !== 'planned') throw new Error(found.error ?? found.state);
    await map(found, target && 'siteId' in target ? undefined : target, {});
    if (target && 'siteId' in target) {
      const collections = (found.plan?.collections ?? []).map(({ key, title }) => ({ key, title, include: true }));
      await owner.send('PUT', `${api}/${found.id}/mapping`, { mapping: { collections }, target });
    }
    return post(found.id, 'run');
  }
  const tables = async (siteId: string) => dataOf<ContentTable[]>(await owner.get(`/api/site/${siteId}/table/tables`));
  const records = async (siteId: string, table: string) =>
    dataOf<{ rows: ContentRecord[] }>(await owner.get(`/api/site/${siteId}/table/tables/${table}/records?limit=500&names=key`)).rows;
  /** Bytes of the archive of a site. */
  async function exported(siteId: string): Promise<Buffer> {
    const base = `${api}/exports/${siteId}`;
    const { id } = dataOf<SiteExport>(await owner.send('POST', base));
    await until(async () => dataOf<SiteExport[]>(await owner.get(base)).find((each) => each.id === id)?.state === 'done', 60_000);
    return (await owner.get(`${base}/${id}/file`)).rawPayload;
  }
  return { api, one, upload, post, detect, map, bring, tables, records, exported, isBusy, finished };
}

/** A program with a worker and a listener of delivered sites, and the calls of an import. */
export async function openImports() {
  const deliveryPort = await freePort();
  const t: TestApp = await makeTestAppWithFolder({ config: { deliveryPort, privateSites: true } });
  const owner = await t.signUpOwner();
  const collector = await startCollector(t.ctx);
  const delivery: FastifyInstance = await createDelivery(t.ctx, collector);
  await delivery.listen({ port: deliveryPort, host: '127.0.0.1' });
  let worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 20 });
  return {
    t,
    owner,
    ...importCalls(t, owner),
    stopWorker: () => worker.close(),
    startWorker: () => void (worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 20 })),
    visit: (slug: string, url: string) => delivery.inject({ method: 'GET', url, headers: { host: `${slug}.localhost:${deliveryPort}` } }),
    async close() {
      await worker.close();
      await delivery.close();
      await collector.close();
      await t.close();
    },
  };
}
export type Imports = Awaited<ReturnType<typeof openImports>>;
