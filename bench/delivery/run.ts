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
import { median, writeFigures, writeSection } from '../sections';

/**
 * `npm run bench:delivery`: pages of a blog over HTTP with real stores. For comparison, nginx serves the same bytes from disk with one worker, on the same machine in
 * the same run; its columns stay empty where nginx is not installed. The load generator runs in a worker thread.
 */
const posts = 60;
const seconds = 8;
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
async function load(url: string, headers: Record<string, string>): Promise<Load> {
  const result = await autocannon({ url, headers, connections, duration: seconds, workers: 1 });
  if (result.errors > 0 || result['5xx'] > 0 || result['4xx'] > 0) throw new Error(`${url}: ${String(result.errors)} errors, ${String(result.non2xx)} refused`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const folder = await mkdtemp(path.join(os.tmpdir(), 'sitewright-bench-'));
const program = await makeDeliveringProgram();
let nginx: Awaited<ReturnType<typeof startNginx>> = null;
try {
  await program.delivery.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${String((program.delivery.server.address() as AddressInfo).port)}`;
  const blog = await makeBlog(program, 'bench');
  const records = Array.from({ length: posts }, (_, n) => ({
    title: `文章 ${String(n)}`,
    slug: `post-${String(n)}`,
    summary: '关于茶的一篇文章',
    body: `<h1>${String(n)}</h1>${paragraph.repeat(30)}`,
    topics: [blog.topicIds[n % 2]],
  }));
  await blog.release(await blog.addPosts(...records));
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

  const sorted = uncached.toSorted((a, b) => a - b);
  const slowest = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  await writeFigures('delivery', {
    cached,
    compressed,
    unchanged,
    nginx: same,
    nginxUnchanged: sameUnchanged,
    uncachedMs: { median: median(uncached), p95: slowest },
  });
  const row = (name: string, own: Load, other: Load | null): string =>
    `| ${name} | ${own.perSecond.toFixed(0)} | ${String(own.p50)} | ${String(own.p99)} | ${other ? other.perSecond.toFixed(0) : ''} | ${other ? `${((own.perSecond / other.perSecond) * 100).toFixed(0)} %` : ''} |`;
  const section = [
    '## Delivery (`npm run bench:delivery`)',
    '',
    `A page of a blog of ${String(posts)} articles (${(html.length / 1024).toFixed(0)} kB of HTML) over HTTP, ${String(connections)} connections, server, stores and load generator on the same ${String(os.cpus().length)} cores`,
    `(Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${(os.loadavg()[0] ?? 0).toFixed(1)}). nginx serves the same bytes from disk with one worker. Aim: at least 30 % of it.`,
    '',
    '| page | requests/s | p50 ms | p99 ms | nginx requests/s | share |',
    '|---|---|---|---|---|---|',
    row('from the cache', cached, same),
    row('from the cache, brotli', compressed, null),
    row('unchanged (304)', unchanged, sameUnchanged),
    '',
    `Not in the cache, one after another: median ${median(uncached).toFixed(1)} ms, 95th percentile ${slowest.toFixed(1)} ms (aim: median at most 15 ms).`,
  ].join('\n');
  await writeSection('delivery', section);
  process.stdout.write(`${section}\n`);
} finally {
  nginx?.process.kill();
  await program.close();
  program.ctx.images.close();
  await stores.stop();
  await rm(folder, { recursive: true });
}
