import { screen, waitFor, within } from '@testing-library/react';
import { emptyFacts } from '@contract/crawler/emptyFacts';
import type { CrawledPage, CrawledPageDetail, CrawledRun, CrawledSite, CrawlIssue, CrawlIssueGroup, PageFacets } from '@contract/crawler/inventorySchemas';
import type { CrawlGraph, RunComparison } from '@contract/crawler/inventorySchemas';
import { violationsOf } from '../../../../test/support/axe';
import { site as siteOf, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const site = siteOf({ purpose: 'built' });
const at = '2026-11-20T08:00:00.000Z';
const crawlerId = '0d6f2c35-6f4d-4d0e-8a55-3b1f4a3f1c01';
const runId = '0d6f2c35-6f4d-4d0e-8a55-3b1f4a3f1c02';
const run = (change: Partial<CrawledRun> = {}): CrawledRun => ({
  id: runId,
  crawlerId,
  crawlerName: 'Audit',
  kind: 'audit',
  number: 2,
  state: 'completed',
  trigger: 'manual',
  score: 82.4,
  pages: 3412,
  issues: { error: 3, warning: 7, notice: 1 },
  createdAt: at,
  finishedAt: at,
  ...change,
});
const older = run({ id: '0d6f2c35-6f4d-4d0e-8a55-3b1f4a3f1c03', number: 1, score: 70 });
const crawled: CrawledSite = { runs: [run(), older], addresses: 5000, pages: 3000, indexable: 2800 };
const page = (change: Partial<CrawledPage> = {}): CrawledPage => ({
  urlId: 7,
  url: 'https://tea.example/spring',
  kind: 'page',
  status: 200,
  error: null,
  indexable: true,
  indexReason: 'ok',
  title: 'Spring tea',
  description: 'Picked early',
  h1: 'Spring',
  language: 'en',
  template: 'a',
  mime: 'text/html',
  depth: 1,
  units: 300,
  bytes: 12_000,
  firstByteMs: 60,
  totalMs: 90,
  linksIn: 12,
  linksInternal: 31,
  linksExternal: 2,
  pageRank: 0.0123,
  inSitemap: true,
  issues: 1,
  fetchedAt: at,
  ...change,
});
const issue: CrawlIssue = {
  id: 5,
  rule: 'title_missing',
  severity: 'error',
  state: 'open',
  urlId: 7,
  url: 'https://tea.example/spring',
  title: null,
  template: 'a',
  detail: {},
  impact: 9,
  firstRun: 2,
  lastRun: 2,
  fixedRun: null,
  ignored: null,
};
const detail: CrawledPageDetail = {
  ...page(),
  title: '<img src=x onerror=alert(1)>',
  connectMs: 4,
  wireBytes: 4000,
  etag: null,
  lastModified: null,
  reused: false,
  redirectTo: null,
  canonical: null,
  facts: {
    ...emptyFacts(),
    headers: { server: 'nginx' },
    rendering: { problem: null, refused: ['socket', 'write'], raw: { title: 'Loading', units: 0, links: 0 } },
  },
  found: [issue],
  history: [{ runId, crawlerId, crawlerName: 'Audit', number: 2, at, status: 200, indexReason: 'ok', title: 'Spring tea', issues: 1, changed: ['title'] }],
  hasBody: true,
  visits: { visits: 42, views: 60 },
};
const group: CrawlIssueGroup = {
  rule: 'title_missing',
  severity: 'error',
  template: null,
  issues: 3412,
  pages: 3412,
  templates: 1,
  new: 4,
  impact: 8235.04,
  example: null,
};
const facets: PageFacets = {
  total: 2,
  statuses: [{ value: '404', pages: 1 }],
  indexing: [{ value: 'ok', pages: 1 }],
  kinds: [{ value: 'page', pages: 2 }],
  languages: [{ value: 'en', pages: 2 }],
  templates: [{ value: 'a', pages: 2 }],
  depths: [{ value: '1', pages: 2 }],
  rules: [{ value: 'title_missing', pages: 1 }],
  orphans: 0,
  inSitemap: 1,
};
const graph: CrawlGraph = {
  nodes: [
    { template: 'a', pages: 20, example: { urlId: 7, url: 'https://tea.example/spring', status: 200, title: 'Spring tea' }, depth: 1, pageRank: 0.7 },
    { template: 'b', pages: 5, example: null, depth: 2, pageRank: 0.3 },
  ],
  edges: [{ from: 'a', to: 'b', links: 40 }],
  sampled: false,
  depths: [{ depth: 0, pages: 1 }],
  top: [],
  bottom: [],
  orphans: 3,
  redirects: 2,
  broken: 1,
};
const comparison: RunComparison = { run: run(), other: older, added: 0, removed: 0, changed: 0, fields: [], newIssues: [], fixedIssues: [] };
const base = `/api/dev/crawl-runs/${runId}`;
const rows = (...list: readonly object[]): Answer => ({ data: { rows: list, next: null } });

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

async function open(query: string, answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  app = await renderApp(`/developer/crawler/site/${site.id}${query}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [{ ...site, role }] }) },
      [`GET /api/dev/sites/${site.id}/crawled`]: { data: crawled },
      [`GET ${base}`]: { data: { id: runId, crawlerId, siteId: site.id } },
      [`GET ${base}/issues/groups`]: { data: { rows: [group], counts: { found: 3412, new: 4, regressed: 0, ignored: 0, fixed: 2 } } },
      [`GET ${base}/issues`]: rows(issue),
      [`GET ${base}/pages`]: { data: { rows: [page(), page({ urlId: 8, url: 'https://tea.example/gone', status: 404 })], next: null, total: 2 } },
      [`GET ${base}/pages/facets`]: { data: facets },
      [`GET ${base}/pages/7`]: { data: detail },
      [`GET ${base}/pages/7/links`]: rows(),
      [`GET ${base}/graph`]: { data: graph },
      [`GET ${base}/compare/${older.id}`]: { data: comparison },
      [`GET ${base}/compare/${older.id}/pages`]: rows(),
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Site inventory' });
  return app;
}

test('a site that was never crawled leads to its first audit', async () => {
  await open('', { [`GET /api/dev/sites/${site.id}/crawled`]: { data: { runs: [], addresses: 0, pages: 0, indexable: 0 } } });
  expect(await screen.findByRole('link', { name: 'Audit my site' })).toHaveAttribute('href', expect.stringContaining(`site=${site.id}`));
});

test('thousands of pages of one template are one row, which opens', async () => {
  const { person, container } = await open('');
  const list = await screen.findByRole('list', { name: 'Issues' });
  expect(list).toHaveTextContent('1 template, 3,412 pages');
  expect(within(list).getByText('Impact 8,235')).toHaveAttribute('title', expect.stringContaining('severity'));
  await person.click(within(list).getAllByRole('button')[0] as HTMLElement);
  const fix = await within(list).findByRole('link', { name: 'Edit title and indexing' });
  expect(fix).toHaveAttribute('href', `/site/${site.id}/seo?tab=pages&q=%2Fspring`);
  expect(await violationsOf(container)).toEqual([]);
});

test('issues name pages measured together, and are listed during a run', async () => {
  const vitals = { ...group, rule: 'vitals_poor', issues: 2, pages: 0, templates: 0 };
  const poor = { ...issue, rule: 'vitals_poor', urlId: null, url: null, detail: { family: 'tea.example/tea/*', metric: 'LCP', value: '6000 ms', count: 80 } };
  const groups = (all: CrawlIssueGroup[]) => ({ data: { rows: all, counts: { found: all.length, new: 0, regressed: 0, ignored: 0, fixed: 0 } } });
  const { person } = await open('', { [`GET ${base}/issues/groups`]: groups([vitals]), [`GET ${base}/issues`]: rows(poor) });
  const list = await screen.findByRole('list', { name: 'Issues' });
  expect(list).toHaveTextContent('2 issues');
  await person.click(within(list).getByRole('button', { name: 'Poor web vitals' }));
  expect(await within(list).findByRole('checkbox', { name: 'Select tea.example/tea/*' })).toBeEnabled();
  expect(list).not.toHaveTextContent('Whole site');
  app.end();
  await open('', { [`GET ${base}`]: { data: { id: runId, crawlerId, siteId: site.id, state: 'running' } }, [`GET ${base}/issues/groups`]: groups([]) });
  expect(await screen.findByText('No issues found so far')).toBeVisible();
});

test('an issue is ignored with a reason, which can be taken back', async () => {
  const { person, server } = await open('', {
    [`POST /api/dev/crawlers/${crawlerId}/issues`]: { data: { changed: 3412, changedAt: at } },
  });
  await person.click(await screen.findByRole('button', { name: /^Ignore all: / }));
  const dialog = await screen.findByRole('dialog', { name: 'Ignore 3412 issues' });
  await person.click(within(dialog).getByRole('button', { name: 'Ignore' }));
  await person.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Planned');
  await person.click(within(dialog).getByRole('button', { name: 'Ignore' }));
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  const sent = () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toEqual([
    { change: 'ignore', select: { runId, rule: 'title_missing' }, reason: 'Planned', until: null },
    { change: 'undo', select: { changedAt: at } },
  ]);
});

test('filters are in the address, and the file has them too', async () => {
  const { person, router } = await open('?tab=pages');
  await screen.findByRole('option', { name: '404 (1)' });
  await person.selectOptions(screen.getByRole('combobox', { name: 'Status' }), '404');
  expect(router.state.location.search).toContain('status=404');
  expect(screen.getByRole('link', { name: 'Export CSV' })).toHaveAttribute('href', expect.stringContaining('status=404'));
  await person.type(screen.getByRole('textbox', { name: 'from' }), '2');
  await person.click(screen.getByRole('button', { name: 'Apply' }));
  expect(router.state.location.search).toContain('range=depth%3A2%3A');
  await person.click(screen.getByRole('button', { name: /^Remove the filter Depth/ }));
  expect(router.state.location.search).not.toContain('range');
});

test('a page has a drawer with an address, where text stays text', async () => {
  const { person, router, container } = await open('?tab=pages&page=7', {
    [`GET ${base}/pages/7/body`]: { data: { text: '<script>alert(1)</script>', bytes: 25, cut: false } },
    [`POST ${base}/pages/7/recheck`]: { data: { status: 200, error: null, open: 0, fixed: 1, reading: 'rendered' } },
  });
  const drawer = await screen.findByRole('dialog', { name: 'Page' });
  expect(await within(drawer).findByRole('figure', { name: 'Search result: Desktop' })).toHaveTextContent('<img src=x');
  expect(drawer.querySelector('img')).toBeNull();
  expect(drawer).toHaveTextContent('42');
  expect(drawer).toHaveTextContent('kept scripts of this page from opening a WebSocket and sending data');
  expect(await violationsOf(container)).toEqual([]);
  await person.click(within(drawer).getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('Checked again with its scripts: 0 open, 1 fixed')).toBeVisible();
  await person.click(within(drawer).getByRole('button', { name: 'Source' }));
  await person.click(within(drawer).getByRole('button', { name: /^Show source/ }));
  expect(await within(drawer).findByText('<script>alert(1)</script>')).toBeVisible();
  await person.click(within(drawer).getByRole('button', { name: 'Close' }));
  expect(router.state.location.search).toBe('?tab=pages');
});

test('the structure is a picture and a table', async () => {
  const { container } = await open('?tab=links');
  expect(await screen.findByRole('img', { name: /^Links between 2 templates/ })).toBeVisible();
  expect(screen.getByRole('table', { name: 'Links between templates' })).toHaveTextContent('40');
  expect(screen.getByRole('link', { name: /^Orphan pages/ })).toHaveAttribute(
    'href',
    '?tab=pages&orphan=1'.replace('?', `/developer/crawler/site/${site.id}?`),
  );
  expect(await violationsOf(container)).toEqual([]);
});

test('two runs without a difference say so', async () => {
  await open('?tab=compare');
  expect(await screen.findByText('No differences')).toBeVisible();
});

test('a viewer reads but changes nothing', async () => {
  await open('', {}, 'viewer');
  expect(await screen.findByRole('list', { name: 'Issues' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Ignore: / })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Audit again' })).toBeNull();
});
