import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { makeBlog, makeDeliveringProgram } from '../../test/support/deliveredSite';
import { freePort } from '../../test/support/program';
import { startTestStores } from '../../test/support/testStores';
import { until } from '../../test/support/until';
import { fullHost, switchEverythingOn } from './full';
import { startGhost } from './ghost';
import { median, writeFigures, writeSection } from '../sections';

/**
 * `npm run bench:delivery`: pages of a blog over HTTP with real stores. For comparison, nginx serves the same bytes from disk with one worker, and Ghost its page of the
 * same article, on the same machine in the same run; their columns stay empty where they are not installed (`ghost.ts`). A second blog has all settings that act on a
 * live site (`full.ts`); both are measured in turn. The load generator runs in a worker thread.
 */
const posts = 60;
const seconds = 8;
/** Of the comparison with all settings. */
const rounds = 7;
const secondsOfRound = 4;
/** Addresses of visitors from countries that the rule admits. */
const visitors = Array.from({ length: 100 }, (_, at) => `101.226.${String(at)}.${String((at * 37) % 250)}`);
const connections = 20;
const paragraph = '<p>山里的春天来得晚，茶芽在雾里慢慢醒来。The first leaves are picked before the rain, and dried the same evening.</p>';

async function startNginx(folder: string, html: string): Promise<{ readonly origin: string; readonly process: ChildProcess } | null> {
  const port = await freePort();
  await writeFile(path.join(folder, 'index.html'), html);
  await writeFile(
    path.join(folder, 'nginx.conf'),
    `user ${os.userInfo().username}; worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr;
events { worker_connections 512; }
http {
  default_type text/html; access_log off; sendfile on; keepalive_requests 1000000; open_file_cache max=10;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server { listen 127.0.0.1:${String(port)}; root ${folder}; }
}`,
  );
  const nginx = spawn('nginx', ['-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const started = await new Promise<boolean>((resolve) => {
    nginx.once('error', () => resolve(false));
    nginx.once('spawn', () => resolve(true));
  });
  if (!started) return null;
  const origin = `http://127.0.0.1:${String(port)}`;
  try {
    await until(() =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  } catch (error) {
    nginx.kill();
    throw error;
  }
  return { origin, process: nginx };
}

type Load = { readonly perSecond: number; readonly p50: number; readonly p99: number };
async function load(url: string, headers: Record<string, string>, duration = seconds, addresses: readonly string[] = []): Promise<Load> {
  const requests = addresses.map((address) => ({ headers: { ...headers, 'x-forwarded-for': address } }));
  const result = await autocannon({ url, headers, connections, duration, workers: 1, ...(requests.length > 0 && { requests }) });
  if (result.errors > 0 || result['5xx'] > 0 || result['4xx'] > 0) throw new Error(`${url}: ${String(result.errors)} errors, ${String(result.non2xx)} refused`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const folder = await mkdtemp(path.join(os.tmpdir(), 'sitewright-bench-'));
const program = await makeDeliveringProgram({ config: { trustedProxies: ['loopback'] } });
let nginx: Awaited<ReturnType<typeof startNginx>> = null;
let ghost: Awaited<ReturnType<typeof startGhost>> = null;
try {
  await program.delivery.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${String((program.delivery.server.address() as AddressInfo).port)}`;
  const blog = await makeBlog(program, 'bench');
  const full = await makeBlog(program, 'full');
  await switchEverythingOn(program, full);
  const articleOf = (n: number): string => `<h1>${String(n)}</h1>${paragraph.repeat(30)}`;
  for (const one of [blog, full]) {
    const records = Array.from({ length: posts }, (_, n) => ({
      title: `文章 ${String(n)}`,
      slug: `post-${String(n)}`,
      summary: '关于茶的一篇文章',
      body: articleOf(n),
      topics: [one.topicIds[n % 2]],
    }));
    await one.release(await one.addPosts(...records));
  }
  const host = { host: blog.host };
  const read = async (url: string): Promise<{ readonly ms: number; readonly html: string }> => {
    const started = performance.now();
    const response = await blog.visit(url);
    if (response.statusCode !== 200) throw new Error(`${url}: ${String(response.statusCode)}`);
    return { ms: performance.now() - started, html: response.body };
  };
  await until(async () => (await blog.visit('/blog/post-0')).statusCode === 200);
  for (let n = 0; n < 10; n += 1) await read(`/blog/post-${String(n)}`);
  const uncached: number[] = [];
  for (let n = 10; n < posts; n += 1) uncached.push((await read(`/blog/post-${String(n)}`)).ms);

  const page = `${origin}/blog/post-5`;
  const { html } = await read('/blog/post-5');
  const etag = String((await blog.visit('/blog/post-5')).headers.etag);
  const cached = await load(page, host);
  const compressed = await load(page, { ...host, 'accept-encoding': 'br' });
  const unchanged = await load(page, { ...host, 'if-none-match': etag });
  nginx = await startNginx(folder, html);
  const same = nginx && (await load(`${nginx.origin}/index.html`, {}));
  const nginxEtag = nginx && (await fetch(`${nginx.origin}/index.html`)).headers.get('etag');
  const sameUnchanged = nginx && (await load(`${nginx.origin}/index.html`, { 'if-none-match': nginxEtag ?? '' }));

  nginx?.process.kill();

  const chinese = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'accept-language': 'zh-CN',
  };
  const visitFull = () => program.visit(fullHost, '/blog/post-5');
  await until(async () => (await visitFull()).body.includes('京ICP备'));
  const shares: number[] = [];
  const pairs: { readonly off: Load; readonly on: Load }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measure = (name: string) => load(page, { ...chinese, host: name }, secondsOfRound, visitors);
    // Which one is first alternates, so that other load on the machine affects both.
    const first = await measure(round % 2 === 0 ? blog.host : fullHost);
    const second = await measure(round % 2 === 0 ? fullHost : blog.host);
    const [off, on] = round % 2 === 0 ? [first, second] : [second, first];
    pairs.push({ off, on });
    shares.push(on.perSecond / off.perSecond);
  }
  const sizes = [(await visitFull()).body.length, (await blog.visit('/blog/post-5')).body.length];

  ghost = await startGhost(folder, { title: '文章 5', html: articleOf(5) });
  const ghostPage = ghost && (await fetch(ghost.page));
  const ghostBytes = ghostPage ? Buffer.byteLength(await ghostPage.text()) : 0;
  const ghostCached = ghost && (await load(ghost.page, {}));
  const ghostUnchanged = ghost && (await load(ghost.page, { 'if-none-match': ghostPage?.headers.get('etag') ?? '' }));

  const sorted = uncached.toSorted((a, b) => a - b);
  const slowest = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  await writeFigures('delivery', {
    cached,
    compressed,
    unchanged,
    nginx: same,
    nginxUnchanged: sameUnchanged,
    ghost: ghostCached,
    ghostUnchanged,
    everythingOn: { shares, pairs },
    uncachedMs: { median: median(uncached), p95: slowest },
  });
  const columns = (own: Load, other: Load | null, share: (ratio: number) => string): string[] =>
    other ? [other.perSecond.toFixed(0), share(own.perSecond / other.perSecond)] : ['', ''];
  const row = (name: string, own: Load, other: Load | null, blogging: Load | null): string =>
    `| ${[
      name,
      own.perSecond.toFixed(0),
      String(own.p50),
      String(own.p99),
      ...columns(own, other, (ratio) => `${(ratio * 100).toFixed(0)} %`),
      ...columns(own, blogging, (ratio) => `${ratio.toFixed(0)} ×`),
    ].join(' | ')} |`;
  const ghostNote = ghost
    ? `Ghost ${ghost.version} (production mode, SQLite, its own theme) renders the page of the same article (${(ghostBytes / 1024).toFixed(0)} kB) for each request. Aim: at least ten times its requests.`
    : 'Ghost was not measured: see `bench/delivery/ghost.ts`.';
  const on = { share: median(shares), off: median(pairs.map(({ off }) => off.perSecond)), full: median(pairs.map((one) => one.on.perSecond)) };
  const section = [
    '## Delivery (`npm run bench:delivery`)',
    '',
    `A page of a blog of ${String(posts)} articles (${(html.length / 1024).toFixed(0)} kB of HTML) over HTTP, ${String(connections)} connections, server, stores and load generator on the same ${String(os.cpus().length)} cores`,
    `(Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). nginx serves the same bytes from disk with one worker. Aim: at least 30 % of it.`,
    ghostNote,
    '',
    '| page | requests/s | p50 ms | p99 ms | nginx requests/s | share | Ghost requests/s | times |',
    '|---|---|---|---|---|---|---|---|',
    row('from the cache', cached, same, ghostCached),
    row('from the cache, brotli', compressed, null, null),
    row('unchanged (304)', unchanged, sameUnchanged, ghostUnchanged),
    '',
    `With all settings that act on a live site (country rule with 200 networks, two languages with a suggestion, filing numbers, 10 000 redirects, 200 overrides, structured data), from the cache: ${on.full.toFixed(0)} requests/s,`,
    `without them ${on.off.toFixed(0)}. ${String(rounds)} alternating rounds of ${String(secondsOfRound)} s: median ratio ${(on.share * 100).toFixed(0)} % (${(Math.min(...shares) * 100).toFixed(0)}–${(Math.max(...shares) * 100).toFixed(0)} %). The pages have ${sizes.map((size) => size.toLocaleString('en')).join(' and ')} characters. Aim: at least 85 %.`,
    '',
    `Not in the cache, one after another: median ${median(uncached).toFixed(1)} ms, 95th percentile ${slowest.toFixed(1)} ms (aim: median at most 15 ms).`,
  ].join('\n');
  await writeSection('delivery', section);
  process.stdout.write(`${section}\n`);
} finally {
  nginx?.process.kill();
  await ghost?.stop();
  await program.close();
  program.ctx.images.close();
  await stores.stop();
  await rm(folder, { recursive: true });
}
