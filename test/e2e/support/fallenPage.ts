import type { BrowserContext } from '@playwright/test';
import { expect } from '@playwright/test';
import { defaultConfig } from '../../../contract/crawler/config';
import type { Import } from '../../../contract/imports/schemas';
import type { SiteParts } from '../../../contract/publishing/schemas';
import type { Site } from '../../../contract/sites/schemas';
import type { Office } from './accounts';

/** A delivered site whose page lost visitors and its place in search results after two sites began to redirect to each other. */
export type FallenPage = { readonly site: Site; readonly path: string; readonly origin: string };

const day = 86_400_000;
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const path = '/posts/a-walk';

/** A zone in which it is about noon, so that today has a morning at any time. */
export function noonZone(now = new Date()): string {
  const ahead = 12 - now.getUTCHours();
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const stamp = (at: number): string => {
  const [, date = '', month = '', year = '', time = ''] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  return `${date}/${month}/${year}:${time} +0000`;
};
/** Page views of so many visitors in the two hours before a time. */
const logOf = (until: number, visitors: number, page: string): string[] =>
  Array.from(
    { length: visitors },
    (_, n) => `203.0.${n + 1}.${page.length} - - [${stamp(until - (n + 1) * 120_000)}] "GET ${page} HTTP/1.1" 200 512 "https://www.google.com/" "${agent}"`,
  );

/** Positions of two weeks, as Search Console exports them: the second half is worse. */
function positionsOf(origin: string, today: number): string {
  const days = Array.from({ length: 14 }, (_, n) => ({ date: new Date(today - (15 - n) * day).toISOString().slice(0, 10), worse: n >= 7 }));
  const rows = days.map(({ date, worse }) => `walking notes,${origin}${path},${date},${worse ? '1,40,2.5%,14' : '9,60,15%,3'}`);
  return ['Query,Page,Date,Clicks,Impressions,CTR,Position', ...rows].join('\r\n');
}

export async function makeFallenPage(office: Office, context: BrowserContext): Promise<FallenPage> {
  const ask = <T>(method: string, address: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    office.ask<T>(context, method, address, body, headers);
  const addSite = (slug: string, name: string, starter: object): Promise<Site> =>
    ask<Site>('POST', '/api/core/sites', { name, slug, purpose: 'built', ...starter, defaultLang: 'en', timeZone: noonZone() });
  const originOf = (slug: string): string => `http://${slug}.localhost:${office.deliveryPort}`;
  async function redirect({ id }: Site, from: string, to: string): Promise<void> {
    const at = `/api/site/${id}/setting`;
    const { redirects } = await ask<SiteParts>('GET', `${at}/parts`);
    await ask('PUT', `${at}/parts/redirects`, [...redirects.content, { from, to, status: 301 }], { 'if-match': `"${redirects.revision}"` });
    const { working } = await ask<{ working: string }>('GET', `${at}/releases/preview`);
    await ask('POST', `${at}/releases`, { working, records: [] });
  }
  async function importFile({ id }: Site, name: string, content: string, options: object): Promise<void> {
    const at = `/api/site/${id}/als/imports`;
    const buffer = Buffer.from(content);
    const added = await ask<Import>('POST', at, { files: [{ name, size: buffer.length }] });
    const sent = await context.request.patch(`${office.origin}${at}/${added.id}/files/0`, {
      data: buffer,
      headers: {
        origin: office.origin,
        'x-requested-with': 'console',
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
    });
    expect(sent.status()).toBe(204);
    await ask('POST', `${at}/${added.id}/start`, options);
    await expect.poll(async () => (await ask<Import>('GET', `${at}/${added.id}`)).state, { timeout: 30_000 }).toBe('done');
  }

  const [site, fair] = await Promise.all([addSite('ganlu-notes', 'Ganlu notes', { starter: 'blog' }), addSite('spring-fair', 'Spring fair', {})]);
  await expect.poll(async () => (await ask<SiteParts>('GET', `/api/site/${site.id}/setting/parts`)).routes.content.length).toBeGreaterThan(0);
  const origin = originOf('ganlu-notes');
  const now = Date.now();
  const log = [...logOf(now - day, 60, path), ...logOf(now - day, 40, '/'), ...logOf(now, 6, path), ...logOf(now, 34, '/')];
  const imports = importFile(site, 'access.log', `${log.join('\n')}\n`, { mode: 'count' }).then(() =>
    importFile(site, 'positions.csv', positionsOf(origin, now), { mode: 'compare', keywords: { engine: 'google' } }),
  );
  // Each site alone is without a loop, so that neither is refused.
  await Promise.all([redirect(site, path, `${originOf('spring-fair')}${path}`), redirect(fair, '/*', `${origin}/:splat`)]);
  const usual = defaultConfig([`${origin}${path}`]);
  const config = { ...usual, scope: { ...usual.scope, mode: 'list' }, fetch: { ...usual.fetch, sitemaps: false, resources: false, external: true } };
  const alerts = { completed: false, newErrors: false };
  const { id } = await ask<{ id: string }>('POST', `/api/dev/sites/${site.id}/crawlers`, {
    name: 'Pages',
    kind: 'audit',
    config,
    schedule: null,
    timeZone: 'UTC',
    enabled: true,
    retainedRuns: 5,
    alerts,
  });
  await ask('POST', `/api/dev/crawlers/${id}/runs`);
  const crawled = expect.poll(async () => (await ask<{ rows: { state: string }[] }>('GET', `/api/dev/crawlers/${id}/runs`)).rows[0]?.state, {
    timeout: 60_000,
  });
  await Promise.all([imports, crawled.toBe('completed')]);
  return { site, path, origin };
}
