import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Serves a site of `pages` pages of 58 KB with 31 links each, compressed; prints its port. Argument: the number of pages. */
const pages = Number(process.argv[2] ?? 5000);
const variants = 200;
const terms =
  'river stone garden window paper summer bridge silver market engine letter forest museum harbor violin planet candle ladder mirror carpet 网站 数据 中文'.split(
    ' ',
  );

function content(variant: number): Buffer {
  let [text, state] = ['', variant + 1];
  while (text.length < 55_000) {
    let paragraph = '';
    for (let word = 0; word < 60; word += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      paragraph += `${terms[(state >>> 16) % terms.length]}${(state >>> 8) % 97 < 40 ? variant : ''} `;
    }
    text += `<div class="block"><p>${paragraph}</p><img src="/i.png" alt="x" width="10" height="10"><ul><li>one</li><li>two</li></ul></div>\n`;
  }
  return gzipSync(`${text}</main><footer><p>Footer</p></footer></body></html>`);
}
const contents = Array.from({ length: variants }, (_, variant) => content(variant));

/** Two members of gzip, so that only the part of a page that is its own is compressed at a request. */
function page(n: number): Buffer {
  const links = Array.from({ length: 31 }, (_, at) => (at < 10 ? at : (n * 21 + at) % pages));
  const nav = links.map((to) => `<a href="/p/${to}">Page ${to}</a>`).join(' ');
  const head = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page number ${n} of the benchmark site</title><meta name="description" content="A description of page ${n} that is long enough to be one."><link rel="canonical" href="/p/${n}"></head><body><nav>${nav}</nav><main><h1>Page ${n}</h1>`;
  return Buffer.concat([gzipSync(head, { level: 1 }), contents[n % variants] as Buffer]);
}

const server = createServer((request, response) => {
  const found = /^\/(?:p\/(\d+))?$/.exec(request.url ?? '');
  const n = found === null ? Number.NaN : Number(found[1] ?? 0);
  if (!(n < pages)) return void response.writeHead(404, { 'content-type': 'text/plain' }).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(page(n));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
