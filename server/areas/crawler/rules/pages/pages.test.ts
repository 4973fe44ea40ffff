import { emptyFacts } from '../../../../../contract/crawler/emptyFacts';
import type { PageFacts, PageLink } from '../../../../../contract/crawler/facts';
import { activeRules } from '../../../../../contract/crawler/rules';
import type { RuleId } from '../../../../../contract/crawler/rules';
import type { AuditedPage } from '../finding';
import { pageFindings } from '.';

const url = 'https://shop.example.com/tea';
const page: AuditedPage = {
  url,
  internal: true,
  html: true,
  resource: false,
  status: 200,
  error: null,
  mime: 'text/html',
  wireBytes: 900,
  bytes: 1200,
  firstByteMs: 90,
  depth: 1,
  inSitemap: false,
  indexable: true,
  indexReason: 'ok',
  units: 400,
};
const facts: PageFacts = {
  ...emptyFacts(),
  titles: ['Brewing oolong in five steps – Tea house'],
  descriptions: ['How to brew oolong: water, amount and time for each infusion, and which pot to choose for it.'],
  headings: [{ level: 1, text: 'Oolong' }],
  viewport: 'width=device-width, initial-scale=1',
  htmlLanguage: 'en',
  script: 'Latn',
  landmarks: { main: true, nav: true },
  openGraph: { 'og:title': 'Oolong', 'og:image': 'https://shop.example.com/a.jpg' },
  counts: { ...emptyFacts().counts, internalLinks: 3 },
};
const link = (change: Partial<PageLink>): PageLink => ({
  url: 'https://shop.example.com/a',
  kind: 'a',
  position: 'main',
  anchor: 'A',
  fragment: '',
  nofollow: false,
  sponsored: false,
  ugc: false,
  written: null,
  ...change,
});
const found = (change: { page?: Partial<AuditedPage>; facts?: Partial<PageFacts>; links?: readonly PageLink[] } = {}, rules = activeRules({ rules: {} })) =>
  pageFindings({ ...page, ...change.page }, { ...facts, ...change.facts }, change.links ?? [], rules);
const idsOf = (change: Parameters<typeof found>[0]): RuleId[] => found(change).map(({ rule }) => rule);

test('a page without problems has no finding', () => {
  expect(idsOf({})).toEqual([]);
});

const image = { url: 'https://shop.example.com/a.jpg', alt: 'A', width: 10, height: 10, lazy: false, position: 'main', modern: false } as const;
const canonical = { url, source: 'html', relative: false, inBody: false } as const;
const cases: readonly (readonly [string, Parameters<typeof found>[0], readonly RuleId[]])[] = [
  ['no response in time', { page: { status: 0, error: 'timeout', indexable: false } }, ['http_timeout']],
  ['a missing picture', { page: { url: 'https://shop.example.com/a.jpg', html: false, resource: true, status: 404, indexable: false } }, []],
  ['a refused connection', { page: { status: 0, error: 'refused', indexable: false } }, ['http_server_error']],
  [
    'a file that says no-store',
    { page: { url: 'https://shop.example.com/a.css', html: false, mime: 'text/css' }, facts: { headers: { 'cache-control': 'no-store' } } },
    ['http_no_cache'],
  ],
  [
    'a file with an expiry date',
    { page: { url: 'https://shop.example.com/a.css', html: false, mime: 'text/css' }, facts: { headers: { expires: 'Thu, 01 Jan 2099 00:00:00 GMT' } } },
    [],
  ],
  [
    'a picture delivered in a modern format',
    { page: { url: 'https://shop.example.com/a.jpg', html: false, mime: 'image/avif' }, facts: { headers: { 'cache-control': 'max-age=9' } } },
    [],
  ],
  ['a reload of the page itself', { facts: { refresh: { seconds: 60, url } } }, []],
  ['a staging host of the same domain', { links: [link({ url: 'https://staging.example.com/a' })] }, ['link_local']],
  ['a developer site of another domain', { links: [link({ url: 'https://dev.mysql.com/a' })] }, []],
  ['a private IPv6 address', { links: [link({ url: 'http://[fd00::1]/a' })] }, ['link_local']],
  ['a page of another site', { page: { internal: false, status: 404 } }, []],
  ['noindex in a sitemap', { page: { indexable: false, indexReason: 'noindex', inSitemap: true } }, ['index_noindex']],
  ['a canonical address on http', { facts: { canonicals: [{ ...canonical, url: 'http://shop.example.com/tea' }] } }, ['canonical_relative']],
  ['the same canonical address in page and header', { facts: { canonicals: [canonical, { ...canonical, source: 'header' }] } }, []],
  ['a Chinese title of twelve characters', { facts: { titles: ['乌龙茶的冲泡方法与水温'] } }, []],
  ['a Chinese title of forty characters', { facts: { titles: ['茶'.repeat(40)] } }, ['title_length']],
  ['a Chinese description of thirty characters', { facts: { descriptions: ['茶'.repeat(30)] } }, []],
  ['a page that needs scripts', { page: { units: 3 }, facts: { needsScripts: true } }, ['content_needs_scripts']],
  ['gb2312 in the header and gbk in the page', { facts: { charset: { ...facts.charset, header: 'gb2312', meta: 'gbk' } } }, []],
  ['traditional characters declared as zh-CN', { facts: { htmlLanguage: 'zh-CN', script: 'Hant' } }, ['language_wrong']],
  ['traditional characters declared as zh', { facts: { htmlLanguage: 'zh', script: 'Hant' } }, []],
  ['an underscore in the language', { facts: { htmlLanguage: 'en_US' } }, ['language_wrong']],
  ['Serbian in Latin letters', { facts: { htmlLanguage: 'sr-Latn' } }, []],
  [
    'a language that does not exist',
    { facts: { hreflangs: ['cn', 'x-default'].map((language) => ({ language, url, source: 'html' as const })) } },
    ['hreflang_bad'],
  ],
  [
    'a small lazy icon before the picture',
    {
      facts: {
        images: [
          { ...image, lazy: true },
          { ...image, width: 900 },
        ],
      },
    },
    [],
  ],
  ['a product with a rating alone', { facts: { jsonLd: [{ types: ['Product'], error: null, properties: ['name', 'aggregateRating'] }] } }, []],
  [
    'an article of a kind without headline',
    { facts: { jsonLd: [{ types: ['NewsArticle'], error: null, properties: ['author'] }] } },
    ['structured_data_incomplete'],
  ],
  [
    'http content on a page over http',
    { page: { url: 'http://shop.example.com/tea' }, links: [link({ kind: 'script', url: 'http://cdn.example.net/a.js' })] },
    [],
  ],
  ['Chinese characters in the address', { page: { url: `https://shop.example.com/${encodeURIComponent('乌龙茶的冲泡方法'.repeat(5))}` } }, []],
  ['a language as the beginning of the address', { page: { url: 'https://shop.example.com/zh-Hans/tea' } }, []],
  ['capitals after a language', { page: { url: 'https://shop.example.com/zh-Hant/Tea' } }, ['url_case']],
  ['capitals that are no language', { page: { url: 'https://shop.example.com/Tea_Pots' } }, ['url_case', 'url_underscore']],
  ['a viewport that allows magnifying five times', { facts: { viewport: 'width=device-width, maximum-scale=5' } }, []],
  ['a viewport that forbids magnifying', { facts: { viewport: 'width=device-width, maximum-scale=1.0' } }, ['mobile_viewport']],
];
test.each(cases)('%s', (_name, change, rules) => {
  expect(idsOf(change)).toEqual(rules);
});

test('a crawler turns rules off, changes severities and parameters within bounds', () => {
  const rules = activeRules({
    rules: {
      content_thin: { enabled: true, parameters: { units: 10_000_000 } },
      title_missing: { enabled: false },
      index_noindex: { enabled: true, severity: 'error' },
    },
  });
  expect(found({ page: { units: 4999 } }, rules).map(({ rule, detail }) => [rule, detail['limit']])).toEqual([['content_thin', 5000]]);
  expect(found({ page: { units: 5000 }, facts: { titles: [] } }, rules)).toEqual([]);
  expect(found({ page: { units: 5000, indexable: false, indexReason: 'noindex' } }, rules)[0]?.severity).toBe('error');
});
