import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { preferredLocale } from './messages';
import { accessWords, endpointsOf, openApiDocument, openApiPath } from './openapi';
import { packageRoot } from './packageRoot';
import type { AnyEndpoint } from './route';
import type { RouteTable } from './routeTable';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
body{margin:0 auto;padding:24px 16px;max-width:960px}h1{font-size:20px}h2{font-size:16px;margin:32px 0 8px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid #8884}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}.m{font-weight:600;white-space:nowrap}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const words = {
  'zh-CN': { lang: 'zh-Hans', title: 'Sitewright 接口', lead: '成功时返回 <code>{"data": …}</code> 或 204；失败时返回 <code>{"error", "code", "requestId"}</code>。带会话 Cookie 的写请求须携带请求头 <code>X-Requested-With: console</code>。', spec: '完整描述（OpenAPI 3.1）', method: '方法', address: '地址', purpose: '用途', access: '权限' },
  en: { lang: 'en', title: 'Sitewright API', lead: 'Success answers <code>{"data": …}</code> or 204; a failure answers <code>{"error", "code", "requestId"}</code>. Writes with a session cookie need the header <code>X-Requested-With: console</code>.', spec: 'The full description (OpenAPI 3.1)', method: 'Method', address: 'Address', purpose: 'Purpose', access: 'Access' },
} as const;

function pageOf(endpoints: readonly AnyEndpoint[], locale: keyof typeof words): string {
  const w = words[locale];
  const groups = new Map<string, AnyEndpoint[]>();
  for (const endpoint of endpoints) {
    const group = endpoint.path.split('/').slice(0, 4).filter((part) => !part.startsWith(':')).join('/');
    groups.set(group, [...(groups.get(group) ?? []), endpoint]);
  }
  const row = (e: AnyEndpoint): string => `<tr><td class="m"><code>${e.method}</code></td><td><code>${escape(openApiPath(e.path))}</code></td><td lang="en">${escape(e.summary)}</td><td><code>${escape(accessWords(e.access))}</code></td></tr>`;
  const table = (rows: readonly AnyEndpoint[]): string => `<table><thead><tr><th>${w.method}</th><th>${w.address}</th><th>${w.purpose}</th><th>${w.access}</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`;
  return `<!doctype html><html lang="${w.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${w.title}</title><style>${style}</style></head><body><h1>${w.title}</h1><p>${w.lead}</p><p><a href="/api/openapi.json">${w.spec}</a></p>${[...groups].map(([group, rows]) => `<h2><code>${escape(group)}</code></h2>${table(rows)}`).join('')}</body></html>`;
}

/** `/api/openapi.json` and a page to read it. Both are made once, at the first request, when every endpoint is registered. */
export function registerDocs(app: FastifyInstance, table: RouteTable): void {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  let document: object | null = null;
  app.get('/api/openapi.json', async () => (document ??= openApiDocument(table, version)));
  app.get('/api/docs', async (request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(pageOf(endpointsOf(table), preferredLocale(request.headers['accept-language']))),
  );
}
