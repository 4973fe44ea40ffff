import os from 'node:os';
import { hostnames } from '../../server/areas/hostnames/schema';
import { openSiteIndex } from '../../server/areas/sites';
import type { SiteIndex } from '../../server/areas/sites';
import { sites } from '../../server/areas/sites/schema';
import type { Context } from '../../server/context';
import { readHost } from '../../server/delivery/host';
import { makeTestApp } from '../../test/support/app';
import { startTestStores } from '../../test/support/testStores';
import { median, writeFigures, writeSection } from '../sections';

/**
 * `npm run bench:hostnames`: which site a request is for, as the delivery listener finds out: the `Host` header is read and looked up in the index of sites, which was
 * opened on real stores with 10, 1 000 and 100 000 hostnames, ten of each site. Hosts are requested in random order.
 */
const sizes = [10, 1000, 100_000];
const perSite = 10;
const lookUps = 500_000;
const rounds = 9;
/** Rows of one statement. */
const atOnce = 1000;

const hostOf = (at: number): string => `www.customer-${String(at)}.example`;
/** Ids of sites are twelve letters; the alphabet has 32 of them. */
const siteIdOf = (at: number): string =>
  `bench${Array.from({ length: 7 }, (_, place) => 'abcdefghijklmnopqrstuvwxyz234567'[Math.floor(at / 32 ** (6 - place)) % 32]).join('')}`;

async function addHostnames({ postgres: { db } }: Context, from: number, to: number): Promise<void> {
  const now = new Date();
  for (let first = Math.ceil(from / perSite); first < to / perSite; first += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, to / perSite - first) }, (_, n) => first + n);
    await db.insert(sites).values(
      rows.map((at) => ({
        id: siteIdOf(at),
        name: `Bench ${String(at)}`,
        slug: `bench-${String(at)}`,
        purpose: 'built' as const,
        defaultLang: 'en',
        timeZone: 'UTC',
        identity: 'first_party' as const,
        createdAt: now,
      })),
    );
  }
  for (let first = from; first < to; first += atOnce)
    await db.insert(hostnames).values(
      Array.from({ length: Math.min(atOnce, to - first) }, (_, n) => {
        const at = first + n;
        const role = at % perSite === 0 ? ('primary' as const) : ('serve' as const);
        const host = hostOf(at);
        const owned = { contested: false, ownership: 'verified' as const, activeAt: now, createdAt: now };
        return { siteId: siteIdOf(Math.floor(at / perSite)), host, apex: host.slice(4), role, token: '0'.repeat(32), ...owned };
      }),
    );
}

/** Which hosts are requested: all equally often, or, as in reality, the n-th most popular in proportion to 1/n (Zipf). */
function ordersOf(count: number): { readonly uniform: Uint32Array; readonly zipf: Uint32Array } {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let at = 0; at < count; at += 1) sums[at] = sum += 1 / (at + 1);
  /** Popular hosts are not neighbours in memory. */
  const places = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
  }
  const zipf = Uint32Array.from({ length: lookUps }, () => {
    const target = Math.random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return places[low] ?? 0;
  });
  return { uniform: Uint32Array.from({ length: lookUps }, () => Math.floor(Math.random() * count)), zipf };
}

/** Nanoseconds of one call for each host of an order: the median of several rounds. `find`: whether the site was found. */
function measure(headers: readonly string[], order: Uint32Array, find: (header: string | undefined) => boolean): number {
  const round = (): number => {
    let found = 0;
    const started = performance.now();
    for (const at of order) if (find(headers[at])) found += 1;
    const ms = performance.now() - started;
    if (found !== lookUps) throw new Error(`${String(lookUps - found)} hosts were not found`);
    return (ms * 1e6) / lookUps;
  };
  round();
  return median(Array.from({ length: rounds }, round));
}

/** `whole`: nanoseconds of a look-up. `read`: of normalising the header alone, whose text is as cold in memory as the index here, but has just arrived in the program. */
type LookUp = { readonly whole: number; readonly read: number };
function lookUpsOf(index: SiteIndex, count: number): { readonly uniform: LookUp; readonly zipf: LookUp } {
  const headers = Array.from({ length: count }, (_, at) => `${hostOf(at)}:3001`);
  const orders = ordersOf(count);
  const of = (order: Uint32Array): LookUp => ({
    whole: measure(headers, order, (header) => index.servedAt(readHost(header) ?? '') !== null),
    read: measure(headers, order, (header) => readHost(header) !== null),
  });
  return { uniform: of(orders.uniform), zipf: of(orders.zipf) };
}

type Figures = { readonly hostnames: number; readonly lookUp: ReturnType<typeof lookUpsOf>; readonly openMs: number; readonly changeMs: number };

async function measureSize(ctx: Context, count: number): Promise<Figures> {
  const started = performance.now();
  const index = await openSiteIndex(ctx);
  const openMs = performance.now() - started;
  try {
    const changes: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const from = performance.now();
      await index.refresh(siteIdOf(0));
      changes.push(performance.now() - from);
    }
    return { hostnames: count, lookUp: lookUpsOf(index, count), openMs, changeMs: median(changes) };
  } finally {
    index.close();
  }
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const app = await makeTestApp();
try {
  const results: Figures[] = [];
  for (const [at, count] of sizes.entries()) {
    await addHostnames(app.ctx, sizes[at - 1] ?? 0, count);
    results.push(await measureSize(app.ctx, count));
  }
  const ratio = (kind: 'uniform' | 'zipf', { lookUp }: Figures): string => (lookUp[kind].whole / (results[0]?.lookUp[kind].whole ?? 1)).toFixed(2);
  await writeFigures('hostnames', { sizes: results });
  const section = [
    '## Hostnames (`npm run bench:hostnames`)',
    '',
    `Finding the site of a \`Host\` header, ${lookUps.toLocaleString('en')} look-ups, median of ${String(rounds)} rounds, on ${String(os.cpus().length)} cores`,
    `(Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). Aim: flat, apart from misses of the processor’s caches.`,
    'Uniform: all hosts are requested equally often. Zipf: the n-th most popular host is requested in proportion to 1/n. Reading is the part of a look-up in which the header is normalised; here the text of',
    'the header is as cold in memory as the index, whereas in the program it has just arrived. Change: a live event of one site. Opening: reading all sites at start-up.',
    '',
    '| hostnames | uniform, ns | ratio | reading, ns | Zipf, ns | ratio | reading, ns | change, ms | opening, ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...results.map((one) => {
      const { uniform, zipf } = one.lookUp;
      const times = [uniform.whole.toFixed(0), ratio('uniform', one), uniform.read.toFixed(0), zipf.whole.toFixed(0), ratio('zipf', one), zipf.read.toFixed(0)];
      return `| ${[one.hostnames.toLocaleString('en'), ...times, one.changeMs.toFixed(1), one.openMs.toFixed(0)].join(' | ')} |`;
    }),
  ].join('\n');
  await writeSection('hostnames', section);
  process.stdout.write(`${section}\n`);
} finally {
  await app.close();
  await stores.stop();
}
