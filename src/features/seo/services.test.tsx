import { screen, waitFor, within } from '@testing-library/react';
import type { SeoKeywords } from '@contract/seo/keywordSchemas';
import type { PushEntry, PushStatus } from '@contract/seo/pushSchemas';
import type { Verification } from '@contract/seo/verificationSchemas';
import { violationsOf } from '../../../test/support/axe';
import { site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { siteParts } from '../../../test/support/publishingScreen';
import { renderApp } from '../../../test/support/renderApp';

jest.setTimeout(60_000);
const base = `/api/site/${site().id}/seo`;
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

async function open(tab: string, answers: Record<string, Answer>, role: 'admin' | 'viewer' = 'admin') {
  const built = site({ purpose: 'built', url: null, role });
  app = await renderApp(`/site/${built.id}/seo?tab=${tab}`, {
    locale: 'en',
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) },
      [`GET /api/site/${built.id}/setting/parts`]: { data: siteParts() },
      ...answers,
    },
  });
}

const proof = (change: Partial<Verification> = {}): Verification => ({
  id: '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a01',
  service: 'baidu',
  method: 'meta',
  name: 'baidu-site-verification',
  content: 'codeva-AbC',
  url: 'https://tea.example/',
  createdAt: '2026-11-20T08:00:00.000Z',
  createdBy: 'Lin',
  delivered: null,
  checkedAt: null,
  ...change,
});

describe('proofs of ownership', () => {
  test('a pasted element chooses its service and is added', async () => {
    await open('verification', { [`GET ${base}/verifications`]: { data: { rows: [] } }, [`POST ${base}/verifications`]: { data: proof() } });
    await app.person.click(await screen.findByRole('button', { name: 'Add a proof of ownership' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a proof of ownership' });
    const element = '<meta name="baidu-site-verification" content="codeva-AbC" />';
    await app.person.click(within(dialog).getByRole('textbox', { name: 'Meta element' }));
    await app.person.paste(element);
    expect(within(dialog).getByRole('combobox', { name: 'Service' })).toHaveValue('baidu');
    expect(await violationsOf(dialog)).toEqual([]);
    await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('baidu-site-verification is delivered now')).toBeVisible();
    expect(app.server.calls(`POST ${base}/verifications`).map(({ body }) => body)).toEqual([{ service: 'baidu', method: 'meta', name: '', content: element }]);
  });

  test('a check says whether the proof is found, and only composers change anything', async () => {
    const rows = [proof({ delivered: false, checkedAt: '2026-11-20T09:00:00.000Z' })];
    await open('verification', { [`GET ${base}/verifications`]: { data: { rows } }, [`POST ${base}/verifications/${proof().id}/check`]: { data: proof() } });
    const row = within(await screen.findByRole('list', { name: 'Verification' })).getByRole('listitem');
    expect(within(row).getByText('Not found')).toBeVisible();
    await app.person.click(within(row).getByRole('button', { name: 'Check baidu-site-verification' }));
    await waitFor(() => expect(app.server.calls(`POST ${base}/verifications/${proof().id}/check`)).toHaveLength(1));
    app.end();
    await open('verification', { [`GET ${base}/verifications`]: { data: { rows } } }, 'viewer');
    await screen.findByRole('list', { name: 'Verification' });
    expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
  });
});

const status = (change: Partial<PushStatus> = {}): PushStatus => ({
  indexnow: true,
  baidu: true,
  baiduSite: 'tea.example',
  hasToken: true,
  automatic: true,
  keyUrl: 'https://tea.example/0123456789abcdef.txt',
  indexed: true,
  engines: [
    { engine: 'indexnow', on: true, waiting: 0, sentToday: 3, remaining: null, problem: null, pausedUntil: null },
    { engine: 'baidu', on: true, waiting: 5, sentToday: 3, remaining: 0, problem: 'quota', pausedUntil: '2026-11-20T16:00:00.000Z' },
  ],
  nextScanAt: null,
  ...change,
});
const entry: PushEntry = {
  id: '7',
  address: 'https://tea.example/blog/spring',
  engine: 'baidu',
  kind: 'changed',
  state: 'refused',
  status: 200,
  reason: 'other_host',
  attempts: 1,
  createdAt: '2026-11-20T08:00:00.000Z',
  sentAt: '2026-11-20T08:10:00.000Z',
};
const pushAnswers = { [`GET ${base}/push`]: { data: status() }, [`GET ${base}/push/ledger`]: { data: { rows: [entry], total: 1 } } };

describe('pushes', () => {
  test('each engine says what waits and why', async () => {
    await open('push', {
      ...pushAnswers,
      [`POST ${base}/push/test`]: { data: { ok: false, address: 'https://tea.example/', status: 401, reason: 'token_refused', remaining: null } },
    });
    const [indexnow, baidu] = within(await screen.findByRole('list', { name: 'Search engines' })).getAllByRole('listitem');
    expect(indexnow).toHaveTextContent('3 sent today');
    expect(baidu).toHaveTextContent('Today’s quota is used up.');
    expect(baidu).toHaveTextContent('5 addresses waiting');
    const table = await screen.findByRole('table', { name: 'Pushed pages' });
    expect(within(table).getByText('Refused')).toBeVisible();
    expect(await violationsOf(table)).toEqual([]);
    await app.person.click(screen.getByRole('button', { name: 'Test Baidu' }));
    expect(await screen.findByText(/did not accept the home page: Baidu does not accept/)).toBeVisible();
  });

  test('settings are saved without the stored token, and chosen addresses are pushed', async () => {
    const run = `POST ${base}/push/run`;
    await open('push', { ...pushAnswers, [`PUT ${base}/push`]: { data: status({ automatic: false }) }, [run]: { data: { queued: 2, refused: [] } } });
    const form = await screen.findByRole('form', { name: 'Push settings' });
    await app.person.click(within(form).getByRole('checkbox', { name: /Push automatically/ }));
    await app.person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Push settings saved')).toBeVisible();
    expect(app.server.calls(`PUT ${base}/push`).map(({ body }) => body)).toEqual([
      { indexnow: true, baidu: true, baiduSite: 'tea.example', baiduToken: null, automatic: false },
    ]);
    await app.person.click(screen.getByRole('button', { name: 'Push addresses' }));
    const dialog = await screen.findByRole('dialog', { name: 'Push addresses' });
    await app.person.type(within(dialog).getByRole('textbox', { name: 'Addresses' }), '/a{Enter}/b');
    await app.person.click(within(dialog).getByRole('button', { name: 'Push' }));
    expect(await screen.findByText('2 addresses are on their way')).toBeVisible();
    expect(app.server.calls(run).map(({ body }) => body)).toEqual([{ engine: 'indexnow', addresses: ['/a', '/b'] }]);
  });
});

describe('keywords', () => {
  const values = { clicks: 40, impressions: 800, ctr: 0.05, position: 2.5 };
  const report: SeoKeywords = {
    totals: values,
    compareTotals: null,
    rows: [
      {
        key: 'green tea',
        engine: 'google',
        values,
        compare: { clicks: 20, impressions: 700, ctr: 20 / 700, position: 4 },
        landing: 'https://tea.example/green',
        path: '/green',
        visits: 31,
      },
    ],
    total: 1,
    coverage: [{ engine: 'google', from: '2026-11-01', to: '2026-11-20', days: 20, compareDays: 20 }],
    partial: [],
    imported: [{ engine: 'google', from: '2026-11-01', to: '2026-11-20' }],
  };
  const call = `GET ${base}/keywords`;

  test('figures stand beside their change, their page and the measured visits', async () => {
    await open('keywords', { [call]: { data: report } });
    const table = await screen.findByRole('table', { name: 'Search terms' });
    expect(within(table).getByText('+100%')).toBeVisible();
    expect(within(table).getByText('31')).toBeVisible();
    expect(within(table).getByRole('link', { name: '/green' })).toHaveAttribute('href', 'https://tea.example/green');
    expect(await violationsOf(table)).toEqual([]);
    await app.person.selectOptions(screen.getByRole('combobox', { name: 'Engine' }), 'Baidu');
    await waitFor(() => expect(app.server.calls(call).at(-1)?.search).toContain('engine=baidu'));
    await app.person.click(await screen.findByRole('button', { name: 'Search terms of this page' }));
    await waitFor(() => expect(app.server.calls(call).at(-1)?.search).toContain('landing=https%3A%2F%2Ftea.example%2Fgreen'));
  });

  test('without imports the way to one is shown', async () => {
    await open('keywords', { [call]: { data: { ...report, rows: [], total: 0, coverage: [], imported: [] } } });
    expect(await screen.findByText('No report imported yet')).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Import a report' })[0]).toHaveAttribute('href', `/site/${site().id}/setting/imports`);
  });
});
