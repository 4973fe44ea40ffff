import { compilePageRules, robotsContent } from './pageRules';
import type { PageFacts } from './pageRules';
import { SeoPart } from './part';

const site = { title: 'Leaf', tagline: 'Tea' };
const facts = (change: Partial<PageFacts> = {}): PageFacts => ({
  kind: 'record',
  collection: 'posts',
  collectionTitle: 'Blog',
  path: '/blog/spring',
  language: 'en',
  title: 'Spring',
  description: 'Picked early',
  page: 1,
  date: '1 Apr 2026',
  ...change,
});
const rulesOf = (part: object) => compilePageRules(SeoPart.parse(part), ['en', 'zh-Hans']);
const titleOf = (part: object, change: Partial<PageFacts> = {}) => rulesOf(part).title(facts(change), site);

test.each<[Partial<PageFacts>, string]>([
  [{}, 'Spring · Leaf'],
  [{ kind: 'home', title: null, path: '/' }, 'Leaf · Tea'],
  [{ kind: 'list', title: 'Blog', page: 1 }, 'Blog · Leaf'],
  [{ kind: 'list', title: 'Blog', page: 3 }, 'Blog · 3 · Leaf'],
  [{ kind: 'list', title: null }, 'Leaf · Tea'],
])('without templates %j has the title %j', (change, title) => {
  expect(titleOf({}, change)).toBe(title);
});

test('a template of the collection counts before one of the kind', () => {
  const templates = [
    { kind: 'record', title: { en: '{title}' } },
    { kind: 'record', collection: 'posts', title: { en: '{title} {sep} {collection}' } },
  ];
  expect([titleOf({ templates }), titleOf({ templates }, { collection: 'events' })]).toEqual(['Spring · Blog', 'Spring']);
});

test('a language without a template has that of the default one', () => {
  const templates = [{ kind: 'record', title: { en: '{title} | {site}' } }];
  expect(titleOf({ templates }, { language: 'zh-Hans', title: '春' })).toBe('春 | Leaf');
});

test('an override replaces the text of its language alone', () => {
  const overrides = [{ path: '/blog/spring', title: { en: 'First flush' }, description: { en: 'Now' } }];
  expect([titleOf({ overrides }), titleOf({ overrides }, { language: 'zh-Hans', title: '春' })]).toEqual(['First flush', '春 · Leaf']);
  expect(rulesOf({ overrides }).description(facts(), site)).toBe('Now');
});

test('a description comes from the page unless a template has one', () => {
  const templates = [{ kind: 'record', description: { en: '{date}: {description}' } }];
  expect([rulesOf({}).description(facts(), site), rulesOf({ templates }).description(facts(), site)]).toEqual(['Picked early', '1 Apr 2026: Picked early']);
  expect(rulesOf({}).description(facts({ description: null }), site)).toBeNull();
});

test('the longest pattern decides about indexing, and an override before it', () => {
  const { robots } = rulesOf({
    indexing: [
      { pattern: '/blog/', indexing: 'noindex' },
      { pattern: '/blog/sp*', indexing: 'index', maxSnippet: 50, nofollow: true },
    ],
    overrides: [{ path: '/blog/spring', indexing: 'noindex' }],
  });
  expect([robots('/'), robots('/blog/autumn'), robots('/blog/spain'), robots('/blog/spring')].map(({ indexing, reason }) => [indexing, reason])).toEqual([
    ['index', null],
    ['noindex', '/blog/'],
    ['index', '/blog/sp*'],
    ['noindex', 'override'],
  ]);
  expect([robotsContent(robots('/blog/spain'), true), robotsContent(robots('/blog/spain'), false), robotsContent(robots('/'), true)]).toEqual([
    'nofollow, max-snippet:50, max-image-preview:large',
    'noindex, nofollow',
    'max-image-preview:large',
  ]);
});

test('sitemaps leave out pages that are excluded, closed or canonical elsewhere', () => {
  const { isListed } = rulesOf({
    sitemap: { excluded: ['/drafts/'] },
    indexing: [{ pattern: '/blog/', indexing: 'noindex' }],
    overrides: [
      { path: '/a', canonical: '/b' },
      { path: '/c', canonical: '/c' },
    ],
  });
  expect(['/drafts/x', '/blog/x', '/a', '/c', '/d'].map(isListed)).toEqual([false, false, false, true, true]);
});

test.each([
  { templates: [{ kind: 'record', title: { en: '{titel}' } }] },
  { overrides: [{ path: '/a', canonical: '//evil.example' }] },
  { overrides: [{ path: '/a' }, { path: '/a' }] },
])('the part %j is refused', (part) => {
  expect(SeoPart.safeParse(part).success).toBe(false);
});
