import { screen, waitFor, within } from '@testing-library/react';
import type { NotFoundPath } from '@contract/seo/redirectSchemas';
import type { Robots, RobotsWhatIf } from '@contract/seo/robotsSchemas';
import { violationsOf } from '../../../test/support/axe';
import { site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { builtSite, siteParts } from '../../../test/support/publishingScreen';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/seo`;
const robots: Robots = {
  revision: 3,
  text: 'User-agent: *\nDisallow: /private',
  delivered: 'User-agent: *\nDisallow: /private\n\nSitemap: https://tea.example/sitemap.xml\n',
  closedBy: null,
  problems: [],
  changedAt: '2026-11-20T08:00:00.000Z',
  changedBy: 'Lin',
};
const version = { text: '', note: 'Opened', at: '2026-11-19T08:00:00.000Z', by: 'Lin', blocked: 0, opened: 4 };
const whatIf: RobotsWhatIf = {
  known: 120,
  blocked: 2,
  blockedWithVisits: 1,
  opened: 0,
  examples: [
    { path: '/blog/spring', title: 'Spring tea', visits: 42, change: 'blocked', agent: '*', line: 2 },
    { path: '/blog', title: '', visits: 0, change: 'blocked', agent: '*', line: 2 },
  ],
  problems: [{ code: 'blocks_visited', line: 2 }],
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(tab: string, answers: Record<string, Answer> = {}): Promise<void> {
  app = await renderApp(`/site/${site().id}/seo?tab=${tab}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [builtSite()] }) },
      [`GET /api/site/${site().id}/setting/parts`]: { data: siteParts() },
      [`GET ${base}/robots`]: { data: robots },
      [`GET ${base}/robots/versions`]: {
        data: {
          rows: [
            { ...version, version: 3 },
            { ...version, version: 2 },
          ],
          total: 2,
        },
      },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'SEO' });
}
const press = (name: string | RegExp) => app.person.click(screen.getByRole('button', { name }));
const sent = (method: string, path: string) => app.server.requests.filter((request) => request.method === method && request.path === path);

test('a robots.txt is checked, compared and confirmed before it acts', async () => {
  await open('robots', {
    [`POST ${base}/robots/what-if`]: { data: whatIf },
    [`PUT ${base}/robots`]: { data: { ...robots, revision: 4 } },
  });
  const box = await screen.findByRole('textbox', { name: 'robots.txt' });
  await app.person.clear(box);
  await app.person.paste('User-agent: *\nDisallow: /blog\nNoindex: /x');
  expect(screen.getByText('Crawlers do not know this line.')).toBeVisible();
  await app.person.clear(screen.getByRole('textbox', { name: 'Address or path' }));
  await app.person.type(screen.getByRole('textbox', { name: 'Address or path' }), '/blog/spring');
  expect(screen.getByText('Line 2 decides: Disallow: /blog')).toBeVisible();
  await press('Compare with known addresses');
  const table = await screen.findByRole('table', { name: 'What this change does' });
  expect(within(table).getByText('Spring tea')).toBeVisible();
  await press('Save and apply now');
  const dialog = await screen.findByRole('dialog', { name: 'Close pages that people visit?' });
  expect(within(dialog).getByText('Spring tea (/blog/spring)')).toBeVisible();
  expect(sent('PUT', `${base}/robots`)).toHaveLength(0);
  await app.person.click(within(dialog).getByRole('button', { name: 'Close them now' }));
  await waitFor(() => expect(sent('PUT', `${base}/robots`)).toHaveLength(1));
  expect(sent('PUT', `${base}/robots`)[0]?.body).toEqual({ text: 'User-agent: *\nDisallow: /blog\nNoindex: /x', note: '', accepted: ['blocks_visited'] });
});

test('an earlier robots.txt is restored', async () => {
  await open('robots', {
    [`POST ${base}/robots/what-if`]: { data: { ...whatIf, examples: [], blocked: 0, blockedWithVisits: 0, problems: [] } },
    [`POST ${base}/robots/versions/2/restore`]: { data: { ...robots, revision: 4, text: '' } },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Restore version 2' }));
  expect(await screen.findByText('robots.txt is in effect')).toBeVisible();
  expect(await violationsOf(document.body)).toEqual([]);
});

const missing: NotFoundPath = {
  path: '/old-tea.html',
  people: 12,
  bots: 3,
  firstAt: '2026-11-01T08:00:00.000Z',
  lastAt: '2026-11-20T08:00:00.000Z',
  referrer: 'https://links.example/tea',
  ignored: false,
  redirected: false,
  suggestion: { path: '/blog/tea', title: 'Tea' },
};

test('a missing page is redirected to the suggested one', async () => {
  await open('notFound', {
    [`GET ${base}/not-found`]: { data: { rows: [missing], total: 1 } },
    [`GET ${base}/not-found/suggestions`]: {
      data: {
        rows: [
          { path: '/blog/tea', title: 'Tea', score: 0.8 },
          { path: '/about', title: 'About', score: 0.4 },
        ],
      },
    },
    [`POST ${base}/not-found/redirect`]: { data: { release: 8 } },
    [`PATCH ${base}/not-found`]: { data: { changed: 1 } },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Redirect /old-tea.html' }));
  const dialog = await screen.findByRole('dialog', { name: 'Redirect an address' });
  expect(within(dialog).getByRole('textbox', { name: 'New address' })).toHaveValue('/blog/tea');
  await app.person.click(await within(dialog).findByRole('button', { name: 'About (/about)' }));
  await app.person.click(within(dialog).getByRole('button', { name: 'Redirect now' }));
  expect(await screen.findByText('The address is redirected')).toBeVisible();
  expect(sent('POST', `${base}/not-found/redirect`)[0]?.body).toEqual({ path: '/old-tea.html', to: '/about' });
  await press('Ignore /old-tea.html');
  await waitFor(() => expect(sent('PATCH', `${base}/not-found`)[0]?.body).toEqual({ paths: ['/old-tea.html'], ignored: true }));
});

test('redirects are shown with their uses and loops over hostnames', async () => {
  const redirect = { status: 301 as const, origin: 'person' as const, note: '', expiresOn: null };
  const content = [
    { ...redirect, from: '/a', to: 'https://tea.example/a' },
    { ...redirect, from: '/sale', to: '/shop', expiresOn: '2020-01-31' },
  ];
  await open('redirects', {
    [`GET /api/site/${site().id}/setting/parts`]: { data: siteParts({ redirects: { content, revision: 1 } }) },
    [`GET ${base}/redirects`]: {
      data: {
        primary: 'www.tea.example',
        hosts: [
          { host: 'www.tea.example', redirectsTo: null, keepPath: true },
          { host: 'tea.example', redirectsTo: 'www.tea.example', keepPath: true },
        ],
        hits: [{ from: '/sale', hits: 1200, lastOn: '2026-11-19' }],
      },
    },
  });
  expect(await screen.findByText('/a → https://tea.example/a → https://www.tea.example/a')).toBeVisible();
  expect(screen.getByText(/^1,200, last on /)).toBeVisible();
  expect(screen.getByText(/^Ended /)).toBeVisible();
});

test('a pattern is added with an example, warns of what comes first, and moves', async () => {
  const redirect = { status: 301 as const, origin: 'person' as const, note: '', expiresOn: null };
  const parts = siteParts({
    redirects: {
      content: [
        { ...redirect, from: '/b/*', to: '/c' },
        { ...redirect, from: '~/a/(.*)', to: '/x' },
      ],
      revision: 1,
    },
  });
  await open('redirects', {
    [`GET /api/site/${site().id}/setting/parts`]: { data: parts },
    [`GET ${base}/redirects`]: { data: { primary: null, hosts: [], hits: [] } },
    [`GET ${base}/live-pages`]: { data: { rows: [{ path: '/a/tea', address: '/a/tea', title: 'Tea' }], more: false } },
    [`PUT /api/site/${site().id}/setting/parts/redirects`]: { data: parts.redirects },
  });
  expect(await screen.findByText('1 published page can no longer be reached, because it is redirected: /a/tea')).toBeVisible();
  await app.person.click(await screen.findByRole('button', { name: 'Add a redirect' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a redirect' }));
  await app.person.selectOptions(dialog.getByRole('combobox', { name: 'Match' }), 'pattern');
  await app.person.click(dialog.getByRole('textbox', { name: 'Pattern' }));
  await app.person.paste('/b/(\\d{4})/([a-z]+)');
  await app.person.click(dialog.getByRole('textbox', { name: 'New address' }));
  await app.person.paste('/n/$3');
  await app.person.click(dialog.getByRole('button', { name: 'Add' }));
  expect(dialog.getByText(/each \$1 needs its group/)).toBeVisible();
  await app.person.type(dialog.getByRole('textbox', { name: 'New address' }), '{backspace}2');
  expect(dialog.getByText('/b/1111/a → /n/a')).toBeVisible();
  await app.person.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Its example address is redirected by /b/* first.')).toBeVisible();
  expect(screen.getByText('Pattern 2')).toBeVisible();
  await press('Move up /b/(\\d{4})/([a-z]+)');
  await press('Save');
  const put = `/api/site/${site().id}/setting/parts/redirects`;
  await waitFor(() => expect(sent('PUT', put)).toHaveLength(1));
  expect(sent('PUT', put)[0]?.body).toMatchObject([{ from: '/b/*' }, { from: '~/b/(\\d{4})/([a-z]+)' }, { from: '~/a/(.*)' }]);
}, 20_000);
