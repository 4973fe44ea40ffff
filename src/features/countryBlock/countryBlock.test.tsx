import { act, screen, waitFor, within } from '@testing-library/react';
import { initialCountryRule } from '@contract/countryBlock/schemas';
import type { BlockedRequest, CountryPreview, CountryRule, CountryRuleState } from '@contract/countryBlock/schemas';
import { jobsApi } from '@/features/jobs/jobsApi';
import { violationsOf } from '../../../test/support/axe';
import { site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/setting/country_block`;
const state = (rule: Partial<CountryRule> = {}, more: Partial<CountryRuleState> = {}): CountryRuleState => ({
  version: 3,
  rule: { ...initialCountryRule, enabled: true, countries: ['CN'], ...rule },
  warnings: [],
  diagnosis: { address: '203.0.113.7', country: 'CN', proxies: 1, untrustedHeader: false, privateShare: null },
  databaseDay: '2026-06-17',
  databaseUpdate: null,
  torDay: null,
  changedAt: '2026-11-26T10:00:00.000Z',
  changedBy: 'Lin',
  ...more,
});
const row = { visitors: 5, pageViews: 12, conversions: 1, conversations: 3, botVisits: 2 };
const preview: CountryPreview = {
  from: '2026-10-28',
  to: '2026-11-26',
  rows: [
    { country: 'CN', visits: 30, refused: true, ...row },
    { country: 'US', visits: 10, refused: false, ...row },
  ],
  networksIgnored: false,
  torIgnored: false,
  warnings: [],
};
const blocked: BlockedRequest = {
  id: '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a01',
  at: '2026-11-26T10:00:00.000Z',
  host: 'tea.example',
  country: 'CN',
  address: '198.51.100.0/24',
  version: 3,
  action: 'block',
  path: '/tea',
  userAgent: 'Agent',
  weight: 4,
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(answers: Record<string, Answer> = {}, search = '', role: 'admin' | 'viewer' = 'admin') {
  const built = site({ purpose: 'built', url: null, role, timeZone: 'America/New_York' });
  app = await renderApp(`/site/${built.id}/setting/country_block${search}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) },
      [`GET ${base}`]: { data: state() },
      [`POST ${base}/preview`]: { data: preview },
      [`GET /api/site/${built.id}/seo/live-pages`]: { data: { rows: [{ path: '/away', address: '/away', title: 'Not open here' }], more: false } },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Country rule' });
}
afterEach(() => app.end());
const sent = (method: string, rest = '') => app.server.requests.filter((one) => one.method === method && one.path === `${base}${rest}`);
const saved = async () => {
  await app.person.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('PUT').length).toBeGreaterThan(0));
  return sent('PUT').at(-1) as unknown as {
    readonly body: { readonly rule: CountryRule; readonly accepted: string[] };
    readonly headers: Record<string, string>;
  };
};

test('a country found by its Chinese name is added to the rule', async () => {
  await open({ [`PUT ${base}`]: { data: state({ countries: ['CN', 'JP'] }, { version: 4 }) } });
  const form = await screen.findByRole('form', { name: 'Country rule' });
  await app.person.type(within(form).getByRole('searchbox', { name: 'Search countries and regions' }), '日本');
  await app.person.click(await within(form).findByRole('checkbox', { name: /Japan/ }));
  const { body } = await saved();
  expect([body.rule.countries, body.rule.message, body.accepted]).toEqual([['CN', 'JP'], {}, []]);
  expect(await violationsOf(form)).toEqual([]);
}, 20_000);

test('Tor is offered only where a list of its exits is present', async () => {
  await open();
  expect(screen.queryByRole('checkbox', { name: /Tor network/ })).toBeNull();
  app.end();
  await open({ [`GET ${base}`]: { data: state({}, { torDay: '2026-11-26' }) }, [`PUT ${base}`]: { data: state({ countries: ['CN', 'T1'] }, { version: 4 }) } });
  await app.person.click(await screen.findByRole('checkbox', { name: /Tor network/ }));
  expect((await saved()).body.rule.countries).toEqual(['CN', 'T1']);
});

test('the database is updated by hand, with its progress and why that failed', async () => {
  const update = { jobId: null, checkedAt: '2026-11-20T10:00:00.000Z', failure: null };
  let current = update as { jobId: string | null; checkedAt: string; failure: string | null };
  const times = { createdAt: '2026-11-27T10:00:00.000Z', startedAt: null, finishedAt: null };
  const work = { kind: 'countries.update', siteId: null, label: 'geo.example', done: 2048, total: 8192, error: null };
  const started = { id: '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a02', state: 'running', cancellable: true, ...work, ...times };
  await open({
    [`GET ${base}`]: () => ({ data: state({}, { databaseUpdate: current }) }),
    'POST /api/core/country_database/update': { data: started },
    'GET /api/core/jobs': () => ({ data: [current.failure === null ? started : { ...started, state: 'failed', finishedAt: started.createdAt }] }),
  });
  expect(await screen.findByText(/Last checked for updates/)).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Update the database now' }));
  expect(await screen.findByRole('progressbar', { name: 'Downloading the database of countries' })).toBeVisible();
  current = { ...update, failure: 'The server does not have the file.' };
  await act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { subscribe: false, forceRefetch: true })));
  expect(await screen.findByText('The server does not have the file.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Update the database now' })).toBeEnabled();
});

test('the end of an update that the program started is seen once', async () => {
  const update = { jobId: null, checkedAt: null, failure: null };
  let current = update as { jobId: string | null; checkedAt: null; failure: null };
  const times = { createdAt: '2026-11-27T10:00:00.000Z', startedAt: null, finishedAt: null };
  const work = { kind: 'countries.update', siteId: null, label: 'geo.example', done: 0, total: null, error: null, cancellable: true, ...times };
  const [first, second] = ['0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a02', '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a03'];
  let jobs = [{ ...work, id: first, state: 'done' }];
  await open({
    [`GET ${base}`]: () => ({ data: state({}, { databaseUpdate: current }) }),
    'POST /api/core/country_database/update': { data: { ...work, id: first, state: 'running' } },
    'GET /api/core/jobs': () => ({ data: jobs }),
  });
  const readJobs = () => act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { subscribe: false, forceRefetch: true })));
  const button = await screen.findByRole('button', { name: 'Update the database now' });
  current = { ...update, jobId: second };
  jobs = [...jobs, { ...work, id: second, state: 'running' }];
  await app.person.click(button);
  await readJobs();
  await waitFor(() => expect(sent('GET')).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole('progressbar', { name: 'Downloading the database of countries' })).toBeVisible());
  current = update;
  jobs = jobs.map((job) => ({ ...job, state: 'done' }));
  await readJobs();
  expect(await screen.findByRole('button', { name: 'Update the database now' })).toBeEnabled();
  expect(sent('GET')).toHaveLength(3);
});

test('a rule that refuses its author is saved once they agree', async () => {
  const answers: Answer[] = [{ error: 'refused', status: 422, code: 'confirm_mismatch' }, { data: state({ action: 'block' }, { version: 4 }) }];
  await open({ [`PUT ${base}`]: () => answers.shift() as Answer });
  await app.person.click(await screen.findByRole('radio', { name: 'Refuse' }));
  await saved();
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save anyway' }));
  await waitFor(() => expect(sent('PUT')).toHaveLength(2));
  expect(sent('PUT').map(({ body }) => (body as { accepted: string[] }).accepted)).toEqual([[], ['would_block_you']]);
});

test('a refusal page that is not published is named until another is chosen', async () => {
  const rule = { action: 'block', page: '/gone' } as const;
  await open({ [`GET ${base}`]: { data: state(rule) }, [`PUT ${base}`]: { data: state({ ...rule, page: '/away' }, { version: 4 }) } });
  const field = await screen.findByLabelText('Page for refused visitors');
  expect(await screen.findByText(/There is no published page at \/gone/)).toBeVisible();
  await app.person.click(field);
  await app.person.click(await screen.findByText('Not open here'));
  expect(screen.queryByText(/There is no published page/)).toBeNull();
  expect((await saved()).body.rule.page).toBe('/away');
}, 20_000);

test('the preview says how many measured visits the rule concerns', async () => {
  await open();
  expect(await screen.findByText('The rule would have concerned 30 of 40 visits (75.0%). Conversions among them: 1.')).toBeVisible();
  expect(within(await screen.findByRole('table', { name: 'What the rule would have done' })).getByText('Concerned')).toBeVisible();
  expect(screen.getByRole('columnheader', { name: /Conversations/ })).toBeVisible();
});

test('a changed rule warns before it is saved', async () => {
  await open({ [`POST ${base}/preview`]: { data: { ...preview, warnings: ['cloaking'] } } });
  const warning = /Search engines see pages/;
  await screen.findByRole('table', { name: 'What the rule would have done' });
  expect(screen.queryByText(warning)).toBeNull();
  await app.person.click(screen.getByRole('radio', { name: 'Refuse' }));
  expect(await screen.findByText(warning)).toBeVisible();
});

test('the test names the step that decided', async () => {
  const decided = { action: 'allow', reason: 'open_network', address: '8.8.8.8', country: 'US', network: '8.8.8.0/24' };
  await open({ [`POST ${base}/test`]: { data: decided } });
  const address = await screen.findByRole('textbox', { name: 'IP address' });
  await app.person.clear(address);
  await app.person.type(address, '8.8.8.8');
  await app.person.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/the rule leaves 8\.8\.8\.0\/24 open/)).toBeVisible();
  await app.person.click(screen.getByRole('radio', { name: 'Refuse' }));
  await waitFor(() => expect(screen.queryByText(/the rule leaves/)).toBeNull());
  await app.person.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText(/the rule leaves/)).toBeVisible();
  expect(sent('POST', '/test').map(({ body }) => (body as { rule: CountryRule }).rule.action)).toEqual(['log_only', 'block']);
});

test('visits from a private address are a hint and no alarm', async () => {
  const diagnosis = { ...state().diagnosis, proxies: 0, privateShare: 0.96 };
  await open({ [`GET ${base}`]: { data: state({}, { warnings: ['private_addresses'], diagnosis }) } });
  const hint = await screen.findByText(/Most recorded visits come from one private address/);
  expect(hint.closest('.MuiAlert-colorInfo')).not.toBeNull();
  expect(screen.queryByText(/proxy that is not trusted/)).toBeNull();
});

test('pasted lines that are no networks are listed before the rest is added', async () => {
  const read = { networks: ['10.0.0.0/8'], lines: 2, refused: [{ line: 2, text: 'tea', reason: 'not_an_address_range' }], refusedCount: 1 };
  await open({ [`POST ${base}/networks`]: { data: read } });
  await app.person.click(await screen.findByRole('button', { name: 'Paste a list' }));
  const dialog = within(await screen.findByRole('dialog'));
  await app.person.type(dialog.getByRole('textbox', { name: 'List' }), '10.0.0.0/8{enter}tea');
  await app.person.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await dialog.findByText('Line 2: “tea” is neither an address nor a network')).toBeVisible();
  await app.person.click(dialog.getByRole('button', { name: 'Add 1 network' }));
  expect(await screen.findByDisplayValue('10.0.0.0/8')).toBeVisible();
});

test('a network of the log can be left open', async () => {
  const summary = { requests: 4, countries: [{ value: 'CN', requests: 4 }], addresses: [], paths: [], days: [] };
  await open({ [`GET ${base}/log`]: { data: { rows: [blocked], total: 1 } }, [`GET ${base}/log/summary`]: { data: summary } }, '?part=log');
  expect(await screen.findByRole('link', { name: 'Export CSV' })).toHaveAttribute('href', `${base}/log.csv`);
  await app.person.click(await screen.findByRole('link', { name: 'Let in 198.51.100.0/24' }));
  expect(await screen.findByDisplayValue('198.51.100.0/24')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Save' })).toBeVisible();
});

test('an earlier version is restored, and readers cannot change anything', async () => {
  const version = { version: 2, rule: state().rule, note: 'Attack', at: '2026-11-25T10:00:00.000Z', by: 'Lin' };
  await open(
    { [`GET ${base}/versions`]: { data: { rows: [version], total: 1 } }, [`POST ${base}/versions/2/restore`]: { data: state({}, { version: 4 }) } },
    '?part=versions',
  );
  expect(await screen.findByText(/0?5:00.* · Lin · Attack/)).toBeVisible();
  expect(screen.getByText('Time zone of the site: America/New_York')).toBeVisible();
  await app.person.click(await screen.findByRole('button', { name: 'Restore version 2' }));
  await waitFor(() => expect(sent('POST', '/versions/2/restore')).toHaveLength(1));
  app.end();
  await open({ [`GET ${base}`]: { data: state({}, { warnings: ['no_database'], databaseDay: null }) } }, '', 'viewer');
  expect(await screen.findByText('Only administrators of the site can change the rule.')).toBeVisible();
  expect(screen.getByText(/There is no database of countries/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Log' })).toBeNull();
});
