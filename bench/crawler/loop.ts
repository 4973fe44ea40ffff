import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';

/** The limit: a loop that only requests pages, decompresses them and finds their links with a pattern. Arguments as those of engine.ts. */
const [, , origin = '', most = ''] = process.argv;
const dispatcher = new Agent({ connections: 32 });
const known = new Set(['/p/0']);
const queue = ['/p/0'];
const started = performance.now();
let pages = 0;
async function work(): Promise<void> {
  for (;;) {
    const path = queue.shift();
    if (path === undefined) return;
    const { body } = await request(origin + path, { dispatcher, headers: { 'accept-encoding': 'gzip' } });
    const html = gunzipSync(Buffer.from(await body.arrayBuffer())).toString();
    pages += 1;
    for (const [, to = ''] of html.matchAll(/href="(\/p\/\d+)"/g)) {
      if (known.size >= Number(most) || known.has(to)) continue;
      known.add(to);
      queue.push(to);
    }
  }
}
// Workers end when the queue is empty for a moment, which it is while the first page is read.
while (queue.length > 0) await Promise.all(Array.from({ length: 32 }, work));
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ pages, seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6, rss: process.resourceUsage().maxRSS / 1024 }));
await dispatcher.close();
