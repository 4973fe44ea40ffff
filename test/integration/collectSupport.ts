import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sites } from '../../server/areas/sites/schema';
import { startCollector } from '../../server/collect';
import type { Collector, CollectorOptions } from '../../server/collect';
import { registerCollect } from '../../server/collect/http';
import { openCountries } from '../../server/collect/classify';
import { readConfig } from '../../server/config';
import type { Config } from '../../server/config';
import type { Context } from '../../server/context';
import { openLiveBus } from '../../server/http/live';
import type { LiveBus } from '../../server/http/live';
import { createLog } from '../../server/log';
import type { ClickHouse } from '../../server/stores/clickhouse/types';
import { imageProcess } from '../../server/kit/images/imageProcess';
import { folderStore } from '../../server/stores/files/folder';
import { createSecrets } from '../../server/secrets';
import type { TestStores } from '../support/stores';

export const person = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export type Post = { readonly body: unknown; readonly address?: string; readonly userAgent?: string; readonly headers?: Record<string, string> };
export type Rig = {
  readonly ctx: Context;
  readonly collector: Collector;
  readonly app: FastifyInstance;
  readonly live: LiveBus;
  readonly post: (post: Post) => Promise<LightMyRequestResponse>;
  readonly close: () => Promise<void>;
};

/** A collector on a test folder and test stores, behind a listener that trusts every X-Forwarded-For. */
export async function openRig(
  stores: TestStores,
  rigOptions: { dataDir: string; config?: Partial<Config>; clickhouse?: ClickHouse; now?: () => number; options?: CollectorOptions },
): Promise<Rig> {
  const log = createLog('silent');
  const live = await openLiveBus(stores.postgres, log);
  const config = { ...readConfig({ NODE_ENV: 'test' }, []), dataDir: rigOptions.dataDir, ...rigOptions.config };
  const files = folderStore(rigOptions.dataDir);
  const now = rigOptions.now ?? Date.now;
  const ctx: Context = {
    config,
    postgres: stores.postgres,
    clickhouse: rigOptions.clickhouse ?? stores.clickhouse,
    files,
    images: imageProcess(),
    live,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    countries: await openCountries({ config, files, live, log, now }),
    log,
    now,
  };
  const collector = await startCollector(ctx, { gatherMs: 0, ...rigOptions.options });
  const app = fastify({ trustProxy: true });
  await registerCollect(app, ctx, collector, '');
  await app.ready();
  return {
    ctx,
    collector,
    app,
    live,
    post: ({ body, address = '203.0.113.7', userAgent = person, headers = {} }) =>
      app.inject({
        method: 'POST',
        url: '/collect',
        payload: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-forwarded-for': address, 'user-agent': userAgent, 'accept-language': 'zh-CN', ...headers },
      }),
    async close() {
      await app.close();
      await collector.close();
      await live.close();
    },
  };
}

export async function makeFolder(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'collect-'));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
export const newSiteId = (): string => [...randomBytes(12)].map((byte) => alphabet[byte % 32]).join('');

export async function makeSite(stores: TestStores, more: Partial<typeof sites.$inferInsert> = {}): Promise<string> {
  const id = newSiteId();
  await stores.postgres.db.insert(sites).values({
    id,
    name: 'Test',
    slug: id,
    purpose: 'external',
    url: 'https://example.com/',
    defaultLang: 'zh-Hans',
    timeZone: 'Asia/Shanghai',
    identity: 'first_party',
    createdAt: new Date(),
    ...more,
  });
  return id;
}

export const hex16 = (): string => randomBytes(8).toString('hex');
export const viewHit = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  k: 'v',
  p: hex16(),
  q: 0,
  a: 0,
  l: 'https://example.com/docs',
  ...more,
});

export type SeenVisit = { visitor: string; pv: number; events: number; span: number; bounce: number; source: string; no: number };
export const visitsOf = (clickhouse: ClickHouse, siteId: string): Promise<SeenVisit[]> =>
  clickhouse.query<SeenVisit>(
    `SELECT lower(leftPad(hex(visitor_id), 16, '0')) AS visitor, pv, events, toInt32(toUnixTimestamp64Milli(last) - toUnixTimestamp64Milli(start)) AS span, bounce, source_type AS source, visit_no AS no
     FROM visits FINAL WHERE site_id = {siteId:String} ORDER BY start`,
    { params: { siteId } },
  );
export async function countHits(clickhouse: ClickHouse, siteId: string): Promise<number> {
  const [row] = await clickhouse.query<{ n: number }>('SELECT toInt32(count()) AS n FROM hits FINAL WHERE site_id = {siteId:String}', { params: { siteId } });
  return row?.n ?? 0;
}
