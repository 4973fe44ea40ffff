import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultConfig } from '../../contract/crawler/config';
import type { Crawler, CrawlRun } from '../../contract/crawler/schemas';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
export type Crawled = {
  readonly siteId: string;
  /** An audit with two runs, an extraction with rows, and a crawler of which a run is paused. */
  readonly audit: string;
  readonly extraction: string;
  readonly paused: string;
  /** The address with the most issues, and one with a title from right to left. */
  readonly page: string;
  readonly rightToLeft: string;
};

const teas = ['明前龙井', '洞庭碧螺春', '祁门红茶', '武夷岩茶', '安溪铁观音', '白毫银针', '云南普洱', 'Earl Grey'];
const longTitle = '春分前后采摘的高山云雾绿茶礼盒装（含两罐特级明前龙井与手写品鉴卡片），全国包邮，三十天内无理由退货，老顾客另有赠品';
const text = (at: number): string => `第 ${String(at)} 款茶产自海拔 ${String(600 + at * 40)} 米的山谷，春天采摘，当天炒制。`.repeat(12);

/** A page of the shop; everything that is left out is a problem to find. */
const page = (name: string, content: string, head = `<meta name="description" content="${name}：产地、口味与冲泡方法。">`): string =>
  `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title>${head}</head><body><nav><a href="/">首页</a> <a href="/tea">茶单</a></nav><main><h1>${name}</h1>${content}</main></body></html>`;

/** Pages by path. The second state has one page less, one more, and one without its problems. */
function pagesOf(origin: string, siteId: string, isChanged: boolean): Readonly<Record<string, string | { readonly to: string }>> {
  const list = teas.map((name, at) => `<a href="/tea/${String(at + 1)}">${name}</a> `).join('');
  const tag = `<script defer src="/t.js" data-site="${siteId}"></script>`;
  const cards = teas.map(
    (name, at) =>
      `<li class="tea-card"><a href="/tea/${String(at + 1)}"><img src="/images/${String(at + 1)}.jpg" alt="${name}"><h3 class="tea-card__name">${name}</h3></a>
      <p class="tea-card__origin">海拔 ${String(640 + at * 40)} 米，春茶</p><span class="tea-card__price">¥ ${String(68 + at * 30)}.00</span> ${at % 3 === 1 ? '<span class="tea-card__badge">新品</span>' : ''}<time datetime="2026-03-${String(10 + at)}">3 月 ${String(10 + at)} 日采摘</time></li>`,
  );
  const products = teas.map((name, at) => [
    `/tea/${String(at + 1)}`,
    page(
      name,
      `<p class="price">¥ ${String(68 + at * 30)}</p><p>${text(at + 1)}</p><img src="/images/${String(at + 1)}.jpg"><a href="/tea/${String(((at + 1) % teas.length) + 1)}">下一款</a>`,
    ),
  ]);
  return {
    '/': page('林间茶铺', `<p>${text(20)}</p>${list}<a href="/about">关于我们</a> <a href="/sale">促销</a> <a href="/old-list">旧茶单</a>`, tag),
    '/tea': page('茶单', `<p>${text(21)}</p><ul class="tea-list">${cards.join('')}</ul><a href="/tea/99">已下架的茶</a>`),
    '/about': page(isChanged ? '关于林间茶铺' : longTitle, `<p>${text(22)}</p><a href="/hebrew">שלום</a> <a href="/empty">联系我们</a>`),
    '/hebrew': page('שלום לכולם', `<p dir="rtl">${'תה ירוק מהרי סין '.repeat(20)}</p>`),
    '/empty': page('', '', ''),
    ...(isChanged ? { '/new': page('新茶上市', `<p>${text(23)}</p>`) } : { '/sale': page('促销', `<p>${text(24)}</p>`) }),
    '/old-list': { to: '/older-list' },
    '/older-list': { to: '/tea' },
    '/robots.txt': `User-agent: *\nDisallow: /private\nSitemap: ${origin}/sitemap.xml\n`,
    '/sitemap.xml': `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['/', '/tea', '/tea/99', '/private', isChanged ? '/new' : '/lonely'].map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`,
    ...Object.fromEntries(products),
  };
}

const ended = ['completed', 'limited', 'failed', 'stopped'];

/** A shop on this machine, crawled twice; it answers until the walk ends. */
export async function addCrawls(call: Call): Promise<Crawled> {
  let pages: ReturnType<typeof pagesOf> = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const found = pages[pathname];
    if (typeof found === 'object') return void response.writeHead(301, { location: found.to }).end();
    const type = pathname.endsWith('.xml') ? 'application/xml' : pathname.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found ?? '<title>没有这个页面</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  const { id: siteId } = await call<{ id: string }>('POST', '/api/core/sites', { name: '林间茶铺（外部网站）', purpose: 'external', url: origin });
  pages = pagesOf(origin, siteId, false);

  async function add(name: string, change: object): Promise<string> {
    const input = {
      name,
      kind: 'audit',
      config: { ...defaultConfig([`${origin}/`]), politeness: { connections: 8, requestsPerSecond: 100, obeyRobots: true } },
      schedule: null,
      timeZone: 'Asia/Shanghai',
      enabled: true,
      retainedRuns: 5,
      alerts: { completed: false, newErrors: false },
      ...change,
    };
    return (await call<Crawler>('POST', `/api/dev/sites/${siteId}/crawlers`, input)).id;
  }
  async function until(runId: string, states: readonly string[]): Promise<void> {
    const { state } = await call<CrawlRun>('GET', `/api/dev/crawl-runs/${runId}`);
    if (states.includes(state)) return;
    // More often, the API would refuse.
    await pause(250);
    return until(runId, states);
  }
  async function run(crawlerId: string): Promise<string> {
    const { id } = await call<CrawlRun>('POST', `/api/dev/crawlers/${crawlerId}/runs`, {});
    await until(id, ended);
    return id;
  }

  const audit = await add('每周检查', { schedule: '0 3 * * 1' });
  await run(audit);
  pages = pagesOf(origin, siteId, true);
  const last = await run(audit);
  const column = { attribute: '', many: false, required: true, from: 'css' };
  const columns = [
    { ...column, name: '品名', type: 'text', expression: 'h1' },
    { ...column, name: '售价', type: 'number', expression: '.price' },
  ];
  const extractions = [{ name: '茶品', pattern: '/tea/*', rows: '', columns, tableId: null }];
  const extraction = await add('茶品与价格', { kind: 'extract', config: { ...defaultConfig([`${origin}/`]), extractions } });
  await run(extraction);
  // Another origin of this machine, which is not the site's.
  const paused = await add('竞争对手的网站：春季新品、价格与库存的变化', { config: defaultConfig([`http://localhost:${String(port)}/`]) });
  const { id: open } = await call<CrawlRun>('POST', `/api/dev/crawlers/${paused}/runs`, {});
  await until(open, ['running']);
  await call('POST', `/api/dev/crawl-runs/${open}/pause`);
  await until(open, ['paused', ...ended]);

  const { rows } = await call<{ rows: { urlId: number; url: string }[] }>('GET', `/api/dev/crawl-runs/${last}/pages?kind=page&size=100`);
  const idOf = (path: string): string => String(rows.find(({ url }) => url === origin + path)?.urlId ?? '');
  return { siteId, audit, extraction, paused, page: idOf('/empty'), rightToLeft: idOf('/hebrew') };
}
