import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ReportQuery } from '../../../contract/analytics/schemas';
import type { Report } from '../../../contract/analytics/schemas';
import type { publicLinkPresets } from '../../../contract/publicLinks/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { addressGroup, clientAddress } from '../../http/address';
import { escapeHtml } from '../../kit/text/escapeHtml';
import { addDays, dayAt } from '../../zone';
import { reportFor } from '../analytics';
import { findWorkingPublicLink } from './access';

const messages = {
  'zh-CN': {
    visitors: '访客',
    views: '浏览量',
    visits: '访问次数',
    days: { today: '今天', last7: '最近 7 天', last30: '最近 30 天', last90: '最近 90 天' },
    ended: '这个链接已失效',
  },
  en: {
    visitors: 'Visitors',
    views: 'Page views',
    visits: 'Visits',
    days: { today: 'Today', last7: 'Last 7 days', last30: 'Last 30 days', last90: 'Last 90 days' },
    ended: 'This link no longer works',
  },
} as const;
const lengths: Readonly<Record<(typeof publicLinkPresets)[number], number>> = { today: 1, last7: 7, last30: 30, last90: 90 };

const style = `:root{color-scheme:light dark;--ink:#18181b;--soft:#6b6b74;--line:#1677ff;--ground:#fff}
@media (prefers-color-scheme:dark){:root:not([data-scheme=light]){--ink:#f4f4f6;--soft:#9c9ca6;--line:#5aa2ff;--ground:#131316}}
:root[data-scheme=dark]{--ink:#f4f4f6;--soft:#9c9ca6;--line:#5aa2ff;--ground:#131316}
*{box-sizing:border-box;margin:0}html,body{height:100%}
body{font:14px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;color:var(--ink);background:var(--ground);padding:14px 16px;display:flex;flex-direction:column;gap:8px}
header{display:flex;justify-content:space-between;gap:12px;color:var(--soft);font-size:12px}header b{color:var(--ink);font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}header span{white-space:nowrap}
dl{display:flex;gap:24px}dt{color:var(--soft);font-size:12px}dd{font-size:20px;font-weight:600;font-variant-numeric:tabular-nums}
svg{flex:1;min-height:36px;max-height:200px;width:100%}path{fill:none;stroke:var(--line);stroke-width:1.5;vector-effect:non-scaling-stroke}`;
/** The card runs no script and has no links, so any page may embed it in a frame. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** The SVG path of a series in a box of 100 by 30. */
function sparkline(values: readonly number[]): string {
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(2)} ${(29 - (value / top) * 28).toFixed(2)}`).join('');
}

type Look = { readonly locale: Locale; readonly scheme: 'light' | 'dark' | 'system' };

function page(title: string, body: string, { locale, scheme }: Look): string {
  const forced = scheme === 'system' ? '' : ` data-scheme="${scheme}"`;
  return `<!doctype html><html lang="${locale}"${forced}><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style><body>${body}</body></html>`;
}

function cardOf(report: Report, name: string, preset: (typeof publicLinkPresets)[number], look: Look): string {
  const w = messages[look.locale];
  const write = new Intl.NumberFormat(look.locale);
  const figures = (['visitors', 'visits', 'views'] as const)
    .map((id) => `<div><dt>${w[id]}</dt><dd>${write.format(report.totals[id] ?? 0)}</dd></div>`)
    .join('');
  const values = (report.series ?? []).filter((bucket) => bucket.start <= report.explain.at).map((bucket) => bucket.values.visitors ?? 0);
  const chart = `<svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label="${w.visitors} ${values.join(' ')}"><path d="${sparkline(values)}"/></svg>`;
  return page(name, `<header><b>${escapeHtml(name)}</b><span>${w.days[preset]}</span></header><dl>${figures}</dl>${chart}`, look);
}

/** How long a card is cached in memory, in milliseconds: a page that embeds it may have many readers. */
const cacheMs = 60_000;
const maxEntries = 500;
/** Limit of card requests per minute and network. */
const perMinute = 120;

/**
 * `GET /shared/{secret}/card?lang=en&scheme=dark`: three figures and a line chart, for embedding in a frame. It runs no script and sets no cookie. If the link
 * has no card, has a password, or has expired, the frame shows a message.
 */
export function registerCard(app: FastifyInstance, ctx: Context): void {
  const cache = new Map<string, { readonly until: number; readonly html: Promise<string | null> }>();

  async function draw(token: string, look: Look): Promise<string | null> {
    const found = await findWorkingPublicLink(ctx, token);
    if (!found || !found.publicLink.card || found.publicLink.passwordHash !== null) return null;
    const { publicLink, site } = found;
    const to = dayAt(ctx.now(), site.timeZone);
    const query = ReportQuery.parse({
      from: addDays(to, 1 - lengths[publicLink.preset]),
      to,
      filter: publicLink.filters,
      series: '1',
      gran: publicLink.preset === 'today' ? 'hour' : 'day',
    });
    return cardOf(await reportFor(ctx, site, query), site.name, publicLink.preset, look);
  }

  app.get<{ Params: { token: string }; Querystring: { lang?: unknown; scheme?: unknown } }>(
    '/shared/:token/card',
    { config: { rateLimit: { max: perMinute, timeWindow: 60_000, keyGenerator: (request) => addressGroup(clientAddress(request)) } } },
    async (request, reply) => {
      const { token } = request.params;
      const look: Look = {
        locale: request.query.lang === 'en' ? 'en' : 'zh-CN',
        scheme: request.query.scheme === 'light' || request.query.scheme === 'dark' ? request.query.scheme : 'system',
      };
      const key = `${token} ${look.locale} ${look.scheme}`;
      const now = ctx.now();
      let card = cache.get(key);
      if (card === undefined || card.until <= now) {
        const html = draw(token, look);
        card = { until: now + cacheMs, html };
        cache.delete(key);
        cache.set(key, card);
        if (cache.size > maxEntries) cache.delete(cache.keys().next().value as string);
        html.catch(() => cache.delete(key));
      }
      const html = await card.html;
      return reply
        .code(html === null ? 410 : 200)
        .header('content-security-policy', policy)
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'public, max-age=60')
        .header('referrer-policy', 'no-referrer')
        .type('text/html; charset=utf-8')
        .send(html ?? page(messages[look.locale].ended, `<header><b>${messages[look.locale].ended}</b></header>`, look));
    },
  );
}
