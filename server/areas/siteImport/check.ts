import { readablePath } from '../../../contract/publishing/redirects';
import type { Context } from '../../context';
import { ConnectRefused, sendRequest } from '../../net/publicAddress';
import { previewAddress } from '../publishing';
import { systemHostOf } from '../sites';
import type { RunningJob } from '../../worker';
import * as queries from './queries';
import type { ImportRow } from './queries';
import type { CheckResult } from './schema';
import type { Receiver } from './target';

const mostListed = 200;
const atOnce = 4;
const mostHops = 5;

/** Where the site answers: published pages at its own address, those of a draft in a preview. The process delivers sites itself, so the request need not leave it. */
function deliveryOf(ctx: Context, by: Receiver): { readonly root: string; readonly host: string; readonly connect: string } | null {
  const origin = systemHostOf(by.site, ctx.config);
  if (origin === null) return null;
  const { host, pathname } = new URL(by.site.state === 'published' ? origin : previewAddress(ctx, by.site, Math.floor(ctx.now() / 1000) + 3600));
  const connect = ctx.config.sitesUrl === null ? `http://127.0.0.1:${ctx.config.deliveryPort}` : new URL(origin).origin;
  return { root: pathname.replace(/\/$/, ''), host, connect };
}

type Answer = 'answered' | 'redirected' | 'broken';
async function answerOf(delivery: NonNullable<ReturnType<typeof deliveryOf>>, path: string, signal: AbortSignal): Promise<Answer> {
  let next = path;
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const url = new URL(`${delivery.connect}${delivery.root}${encodeURI(next)}`);
    // The address follows from the configuration of the program, never from the source.
    const response = await sendRequest(url, { headers: { host: delivery.host, accept: 'text/html', 'user-agent': 'Sitewright' }, signal }, { allowNear: true });
    const { statusCode: status = 0, headers } = response;
    response.destroy();
    if (status === 200) return hop === 0 ? 'answered' : 'redirected';
    if (status < 300 || status >= 400 || headers.location === undefined) return 'broken';
    const target = new URL(headers.location, url);
    if (target.host !== url.host && target.host !== delivery.host) return 'broken';
    const decodedPath = readablePath(target.pathname) ?? target.pathname;
    next = delivery.root !== '' && decodedPath.startsWith(delivery.root) ? decodedPath.slice(delivery.root.length) || '/' : decodedPath;
  }
  return 'broken';
}

/** Requests every address of the source from the site that was made; null if the site does not answer at all. Addresses of drafts are left out. */
export async function checkAddresses(ctx: Context, job: RunningJob, row: ImportRow, by: Receiver): Promise<CheckResult | null> {
  const delivery = deliveryOf(ctx, by);
  if (!delivery) return null;
  const skipped = new Set(row.mapping?.collections.filter(({ include }) => !include).map(({ key }) => key));
  const published = row.mapping?.status !== 'draft';
  const paths = new Set<string>();
  for (const head of await queries.itemHeads(ctx.postgres.db, row.id)) {
    if (skipped.has(head.collection) || !head.published || !published || head.newPath === null) continue;
    const old = row.mapping?.redirects === false ? [] : [head.oldPath, ...head.aliases];
    for (const path of [head.newPath, ...old]) if (path !== null && path.startsWith('/') && !path.includes('?')) paths.add(path);
  }
  const counts = { requested: paths.size, answered: 0, redirected: 0 };
  const broken: string[] = [];
  const queue = [...paths];
  let done = 0;
  const next = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      await job.progress(done, paths.size);
      done += 1;
      const answer = await answerOf(delivery, path, AbortSignal.any([job.signal, AbortSignal.timeout(20_000)]));
      if (answer === 'broken') broken.push(path);
      else counts[answer] += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, next));
  } catch (error) {
    if (error instanceof ConnectRefused) return null;
    throw error;
  }
  return { ...counts, broken: broken.sort().slice(0, mostListed), brokenCount: broken.length };
}
