import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { preferredLocale } from './messages';
import { endpointsOf, openApiDocument, openApiPath, operationOf, permissionText } from './openapi';
import type { Operation } from './openapi';
import { packageRoot } from './packageRoot';
import type { AnyEndpoint } from './route';
import type { RouteTable } from './routeTable';
import { shapeOf } from './shape';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
body{margin:0 auto;padding:24px 16px 64px;max-width:960px}h1{font-size:20px}h2{font-size:16px;margin:32px 0 8px}h3{font-size:12px;margin:12px 0 4px;opacity:.7}
details{border-bottom:1px solid #8884}summary{display:flex;gap:12px;flex-wrap:wrap;padding:6px 0;cursor:pointer}summary>:nth-child(3){flex:1 1 16em}
code,pre{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}pre{margin:0;padding:8px 12px;background:#8881;overflow-x:auto}.m{font-weight:600;min-width:4.5em}.a{opacity:.7}
details>div{padding:0 0 16px}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const messages = {
  'zh-CN': {
    lang: 'zh-Hans',
    title: 'Sitewright 接口',
    lead: '成功时返回 <code>{"data": …}</code> 或 204；失败时返回 <code>{"error", "code", "requestId"}</code>。带会话 Cookie 的写请求须携带请求头 <code>X-Requested-With: console</code>，以及浏览器会自动发送的 <code>Origin</code>（控制台的来源）或 <code>Sec-Fetch-Site</code>；脚本请使用令牌。使用令牌时发送 <code>Authorization: Bearer sck_…</code>，只能调用标有 <code>token: 范围</code> 的接口；标有 <code>proven</code> 的操作需要本人再次确认身份，令牌不可用。',
    spec: '完整描述（OpenAPI 3.1）',
    parameters: '参数',
    body: '请求体',
    answer: '返回的 data',
    failures: '可能的错误',
    required: '必填',
  },
  en: {
    lang: 'en',
    title: 'Sitewright API',
    lead: 'Success answers <code>{"data": …}</code> or 204; a failure answers <code>{"error", "code", "requestId"}</code>. Writes with a session cookie need the header <code>X-Requested-With: console</code>, and <code>Origin</code> (of the console) or <code>Sec-Fetch-Site</code>, which browsers send by themselves; scripts use a token. With an API token send <code>Authorization: Bearer sck_…</code>: it opens the calls marked <code>token: scope</code>. What is marked <code>proven</code> asks a person for the password again and is closed to tokens.',
    spec: 'The full description (OpenAPI 3.1)',
    parameters: 'Parameters',
    body: 'Body',
    answer: 'data of the answer',
    failures: 'Possible failures',
    required: 'required',
  },
} as const;

type Messages = (typeof messages)[keyof typeof messages];

const block = (title: string, text: string): string => (text === '' ? '' : `<h3>${title}</h3><pre>${escape(text)}</pre>`);

function detailsOf(e: AnyEndpoint, operation: Operation, w: Messages): string {
  const parameters = operation.parameters
    .map(({ name, in: place, required, schema }) => `${name} (${place}${required ? `, ${w.required}` : ''}): ${shapeOf(schema)}`)
    .join('\n');
  const body = operation.requestBody?.content['application/json'].schema;
  const responseSchema = operation.responses['200']?.content?.['application/json']?.schema.properties?.['data'];
  const failures = Object.entries(operation.responses).flatMap(([status, { description }]) => (Number(status) >= 400 ? [`${status}  ${description}`] : []));
  return `<details><summary><code class="m">${e.method}</code><code>${escape(openApiPath(e.path))}</code><span lang="en">${escape(e.summary)}</span><code class="a">${escape(permissionText(e))}</code></summary><div>${block(w.parameters, parameters)}${block(w.body, body ? shapeOf(body) : '')}${block(w.answer, responseSchema ? shapeOf(responseSchema) : '')}${block(w.failures, failures.join('\n'))}</div></details>`;
}

function pageOf(endpoints: readonly AnyEndpoint[], locale: keyof typeof messages): string {
  const w = messages[locale];
  const groups = new Map<string, AnyEndpoint[]>();
  for (const endpoint of endpoints) {
    const group = endpoint.path
      .split('/')
      .slice(0, 4)
      .filter((part) => !part.startsWith(':'))
      .join('/');
    groups.set(group, [...(groups.get(group) ?? []), endpoint]);
  }
  const section = ([group, rows]: readonly [string, readonly AnyEndpoint[]]): string =>
    `<h2><code>${escape(group)}</code></h2>${rows.map((e) => detailsOf(e, operationOf(e), w)).join('')}`;
  return `<!doctype html><html lang="${w.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${w.title}</title><style>${style}</style></head><body><h1>${w.title}</h1><p>${w.lead}</p><p><a href="/api/openapi.json">${w.spec}</a></p>${[...groups].map(section).join('')}</body></html>`;
}

/** `/api/openapi.json` and a page to read it. Both are created at the first request, after all endpoints are registered. */
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
