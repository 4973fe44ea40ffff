import type { SiteParts } from '../../contract/publishing/schemas';
import type { PushEntry, PushStatus } from '../../contract/seo/pushSchemas';
import type { NotFoundPath } from '../../contract/seo/redirectSchemas';
import type { SeoKeywords } from '../../contract/seo/keywordSchemas';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TranslationText } from '../../contract/languages/translations';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;

const tags = ['zh-Hans', 'zh-Hant', 'en'] as const;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function jobsEnd(call: Call, siteId: string): Promise<void> {
  for (let round = 0; round < 240; round += 1) {
    const jobs = await call<{ siteId: string | null; state: string }[]>('GET', '/api/core/jobs');
    if (jobs.every((job) => job.siteId !== siteId || !['queued', 'running'].includes(job.state))) return;
    await pause(250);
  }
  throw new Error('Jobs of the published site did not end');
}

/** Traditional Chinese by machine, some English by people. */
async function addTranslations(call: Call, siteId: string): Promise<void> {
  const base = `/api/site/${siteId}`;
  const { languages } = await call<SiteParts>('GET', `${base}/setting/parts`);
  const others = tags.slice(1).map((tag) => ({ tag, path: tag.toLowerCase(), state: 'published', fallback: [], missing: 'show', hostname: null }));
  const content = { ...languages.content, languages: [...languages.content.languages, ...others] };
  await call('PUT', `${base}/setting/languages`, { content }, { 'if-match': `"${String(languages.revision)}"` });
  for (const { id, key, revision, fields } of await call<ContentTable[]>('GET', `${base}/table/tables`)) {
    const table = `${base}/table/tables/${id}`;
    let { revision: next } =
      key === 'authors' ? { revision } : await call<ContentTable>('PATCH', table, { locales: tags }, { 'if-match': `"${String(revision)}"` });
    for (const field of fields.filter((one) => ['title', 'summary', 'body'].includes(one.key)))
      ({ revision: next } = await call<ContentTable>('PATCH', `${table}/fields/${field.id}`, { localized: true }, { 'if-match': `"${String(next)}"` }));
  }
  await call('POST', `${base}/intl/translate`, { engine: 'opencc', tag: 'zh-Hant' });
  await jobsEnd(call, siteId);
  const { rows } = await call<{ rows: TranslationText[] }>('GET', `${base}/intl/texts?tag=en&state=missing&size=20`);
  const short = rows.filter(({ format, locked }) => format === 'text' && locked === null).slice(0, 6);
  const texts = short.map(({ key }, at) => ({
    key,
    before: null,
    text: `Notes from the mountains, part ${String(at + 1)}`,
    state: at < 4 ? 'reviewed' : 'draft',
  }));
  await call('PUT', `${base}/intl/texts`, { tag: 'en', texts });
  const terms = [{ from: 'zh-Hans', to: 'en', source: '明前龙井', target: 'Longjing picked before Qingming' }];
  await call('PUT', `${base}/intl/glossary`, { rows: terms }, { 'if-match': '"0"' });
}

/** The description of the site changes, so that its translation is outdated. */
async function addSearchSettings(call: Call, siteId: string): Promise<void> {
  const base = `/api/site/${siteId}`;
  const { seo, settings } = await call<SiteParts>('GET', `${base}/setting/parts`);
  const texts = { ...settings.content, description: { ...settings.content.description, 'zh-Hans': '写给慢慢走路的人：茶、雪和山路。' } };
  await call('PUT', `${base}/setting/parts/settings`, texts, { 'if-match': `"${String(settings.revision)}"` });
  const content = {
    ...seo.content,
    templates: [{ kind: 'record', collection: 'posts', title: { 'zh-Hans': '{title} {sep} {site}' }, description: { 'zh-Hans': '{description}' } }],
    overrides: [
      { path: '/', title: { 'zh-Hans': '山间手记：写给慢慢走路的人，关于茶、雪、守林人和一条每天都不一样的山路的随笔与指南' } },
      { path: '/posts/hello', description: { 'zh-Hans': '为什么写，写给谁，以后会有什么。' } },
      { path: '/posts/removed-long-ago', indexing: 'noindex' },
    ],
    indexing: [{ pattern: '/drafts/', indexing: 'noindex', header: true }],
    sitemap: { ...seo.content.sitemap, excluded: ['/topics/'] },
    agents: { refused: ['GPTBot', 'Bytespider'], llms: 'auto', text: '' },
  };
  await call('PUT', `${base}/setting/parts/seo`, content, { 'if-match': `"${String(seo.revision)}"` });
  await call(
    'PUT',
    `${base}/setting/parts/redirects`,
    [
      { from: '/first', to: '/posts/hello' },
      { from: '/start', to: '/first' },
      { from: '/2024/*', to: '/posts/:splat', status: 302, note: '旧博客的地址' },
      { from: String.raw`~/(?:blog|diary)/(\d{4})/(\d{2})/([a-z-]+)`, to: '/posts/$3?from=$1-$2' },
      { from: String.raw`~/2024/(\d+)`, to: '/posts/$1' },
    ],
    { 'if-match': '"0"' },
  );
}

/** A blog in three languages, released, with redirects, an edited robots.txt and proofs of ownership. Resolves with its id. */
export async function addPublishedSite(call: Call): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/api/core/sites', { name: '山间手记', slug: 'mountain-notes', purpose: 'built', starter: 'blog' });
  const base = `/api/site/${id}`;
  await jobsEnd(call, id);
  await addTranslations(call, id);
  await addSearchSettings(call, id);
  type Unreleased = { working: string; tables: { table: string; records: string[] }[] };
  const { working, tables } = await call<Unreleased>('GET', `${base}/setting/releases/preview`);
  await call('POST', `${base}/setting/releases`, { working, note: '网站上线', records: tables.map(({ table, records }) => ({ table, ids: records })) });
  await jobsEnd(call, id);
  for (const [at, path] of ['/search', '/tags/'].entries()) {
    const text = `User-agent: *\nDisallow: ${path}\n`;
    await call('PUT', `${base}/seo/robots`, { text, note: at === 0 ? '' : '标签页内容重复' }, { 'if-match': `"${String(at)}"` });
  }
  await call('POST', `${base}/seo/verifications`, { service: 'google', method: 'meta', content: 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_abcde' });
  await call('POST', `${base}/seo/verifications`, {
    service: 'baidu',
    method: 'file',
    name: 'baidu_verify_codeva-1234567890.html',
    content: '0123456789abcdef',
  });
  return id;
}

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T03:04:00.000Z`;
const page = <T>(rows: readonly T[]) => ({ rows, total: rows.length });

const notFound: readonly NotFoundPath[] = [
  { path: '/posts/helo', people: 1234, bots: 87, referrer: 'https://forum.example/t/42', suggestion: { path: '/posts/hello', title: '第一篇文章' } },
  { path: `/archive/2019/${encodeURIComponent('明前龙井')}/${'long-'.repeat(20)}`, people: 96, bots: 4, referrer: '', suggestion: null },
  { path: '/wp-login.php', people: 3, bots: 45_678, referrer: '', suggestion: null },
  {
    path: '/first-article',
    people: 2,
    bots: 0,
    referrer: '/posts/how-to-publish',
    suggestion: { path: '/posts/hello', title: '第一篇文章' },
    redirected: true,
  },
].map((row) => ({ firstAt: at(2), lastAt: at(20), ignored: false, redirected: false, ...row }));

const pushStatus: PushStatus = {
  indexnow: true,
  baidu: true,
  baiduSite: 'www.shanjian.test',
  hasToken: true,
  automatic: true,
  keyUrl: 'https://www.shanjian.test/0123456789abcdef0123456789abcdef.txt',
  indexed: true,
  engines: [
    { engine: 'indexnow', on: true, waiting: 2, sentToday: 36, remaining: null, problem: null, pausedUntil: null },
    { engine: 'baidu', on: true, waiting: 1234, sentToday: 3000, remaining: 0, problem: 'quota', pausedUntil: at(27) },
  ],
  nextScanAt: at(26),
};
const pushLedger: readonly PushEntry[] = (
  [
    ['sent', 'indexnow', 'changed', 202, null],
    ['waiting', 'baidu', 'manual', null, 'quota'],
    ['refused', 'baidu', 'changed', 200, 'other_host'],
    ['failed', 'indexnow', 'removed', 503, 'engine_error'],
  ] as const
).map(([state, engine, kind, status, reason], index) => ({
  id: String(index + 1),
  address: `https://www.shanjian.test/posts/${index === 2 ? 'long-'.repeat(20) : `post-${String(index)}`}`,
  engine,
  kind,
  state,
  status,
  reason,
  attempts: state === 'waiting' ? 0 : index + 1,
  createdAt: at(20),
  sentAt: state === 'waiting' ? null : at(20),
}));

const keywordRows: SeoKeywords['rows'] = ['明前龙井', 'how to brew longjing', `${'高山云雾绿茶'.repeat(6)}怎么泡`, '山间手记'].map((key, index) => ({
  key,
  engine: (['google', 'bing', 'baidu', 'google'] as const)[index] ?? 'google',
  values: { clicks: 12_345 >> (index * 3), impressions: 456_789 >> (index * 2), ctr: 0.027 * (index + 1), position: 1.4 + index * 5.3 },
  compare: index === 3 ? null : { clicks: 9000 >> (index * 3), impressions: 400_000 >> (index * 2), ctr: 0.02, position: 2.5 + index * 5 },
  landing: index === 3 ? null : `https://www.shanjian.test/posts/${index === 2 ? 'long-'.repeat(16) : 'hello'}`,
  path: index === 3 ? null : `/posts/${index === 2 ? 'long-'.repeat(16) : 'hello'}`,
  visits: index === 2 ? null : 8765 >> (index * 3),
}));
const keywords: SeoKeywords = {
  totals: { clicks: 14_099, impressions: 606_703, ctr: 0.0232, position: 4.6 },
  compareTotals: { clicks: 10_265, impressions: 531_250, ctr: 0.0193, position: 5.2 },
  rows: keywordRows,
  total: keywordRows.length,
  coverage: [{ engine: 'google', from: '2026-09-01', to: '2026-11-20', days: 81, compareDays: 81 }],
  partial: [],
  imported: [{ engine: 'google', from: '2026-09-01', to: '2026-11-20' }],
};

/** What search engines and visitors would have left: responses by the end of their address. */
export const searchFigures: Readonly<Record<string, unknown>> = {
  'seo/not-found?*': page(notFound),
  'seo/push': pushStatus,
  'seo/push/ledger?*': page(pushLedger),
  'seo/keywords?*': keywords,
};
