import { screen, waitFor, within } from '@testing-library/react';
import type { UptimeSettings } from '@contract/uptime/schemas';
import { violationsOf } from '../../../test/support/axe';
import { secondSite, site, startUp, uptime } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { install, online, answerReport } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);

const id = site().id;
const base = `/api/core/sites/${id}/uptime`;
const incidentsCall = `GET ${base}/incidents`;
const incident = { id: '9', startedAt: '2026-11-19T01:00:00.000Z', endedAt: '2026-11-19T01:12:00.000Z', reason: 'status', detail: '503' };
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});

describe('the dashboard', () => {
  const open = async (answers: Record<string, Answer>) => {
    app = await renderApp(`/site/${id}/dashboard`, {
      locale: 'en',
      answers: {
        [`GET /api/site/${id}/als/report`]: answerReport,
        [`GET /api/site/${id}/als/online`]: { data: online() },
        [`GET /api/site/${id}/als/install`]: { data: install() },
        [incidentsCall]: { data: { rows: [], next: null } },
        ...answers,
      },
    });
  };
  const section = () => screen.findByRole('region', { name: 'Availability' });

  test('shows state, duration, response time and certificate expiry of a site', async () => {
    await open({ [`GET ${base}`]: { data: uptime({ certificateExpiresAt: '2026-12-31T08:00:00.000Z' }) } });
    const region = await section();
    expect(await within(region).findByRole('status')).toHaveTextContent('Up since 2026-11-20 16:00');
    expect(region).toHaveTextContent('Response time 180 ms');
    expect(region).toHaveTextContent('Certificate expires on 2026-12-31');
    expect(await within(region).findByText('No incidents in the last 90 days.')).toBeVisible();
    expect(await violationsOf(region)).toEqual([]);
  });

  test('shows why a site is down and lists earlier incidents', async () => {
    await open({
      [`GET ${base}`]: { data: uptime({ state: 'down', reason: 'tls', detail: 'CERT_HAS_EXPIRED' }) },
      [incidentsCall]: { data: { rows: [{ ...incident, id: '10', endedAt: null, reason: 'tls', detail: 'CERT_HAS_EXPIRED' }, incident], next: '9' } },
    });
    const region = await section();
    expect(await within(region).findByRole('status')).toHaveTextContent(/Down.*certificate.*\(CERT_HAS_EXPIRED\)/);
    const rows = await within(region).findAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(
      expect.arrayContaining([expect.stringContaining('Still down'), expect.stringMatching(/Down for 12 m 00 s.*status 503/)]),
    );
    await app.person.click(within(region).getByRole('button', { name: 'Show older incidents' }));
    await waitFor(() => expect(app.server.calls(incidentsCall).at(-1)?.search).toContain('size=20'));
  });

  test('warns of a certificate that expires soon', async () => {
    await open({ [`GET ${base}`]: { data: uptime({ certificateExpiresAt: '2026-11-26T08:00:00.000Z' }) } });
    expect(await within(await section()).findByText('The certificate expires in 6 days')).toBeVisible();
  });

  test('offers monitoring only to people who may enable it', async () => {
    const off: Answer = { data: uptime({ enabled: false, state: 'unknown', since: null, checkedAt: null, responseMs: null }) };
    await open({ [`GET ${base}`]: off });
    expect(within(await section()).getByRole('link', { name: 'Set up monitoring' })).toHaveAttribute('href', `/site/${id}/setting/share?tab=uptime`);
    app.end();
    await open({ [`GET ${base}`]: off, 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'viewer' })] }) } });
    await screen.findByRole('table', { name: 'Top pages' });
    expect(screen.queryByRole('region', { name: 'Availability' })).toBeNull();
  });

  test('shows an error for a failed status and keeps the rest', async () => {
    await open({ [`GET ${base}`]: { error: 'no', status: 500, code: 'internal', requestId: 'req-7' } });
    expect(await within(await section()).findByRole('alert')).toHaveTextContent('req-7');
    expect(await screen.findByRole('table', { name: 'Top pages' })).toBeVisible();
  });
});

test('site cards show the monitoring state', async () => {
  const none = { visits: null, certificate: null, issues: null, unread: null };
  app = await renderApp('/home', {
    locale: 'en',
    answers: {
      'GET /api/core/sites/figures': {
        data: {
          sites: [
            { ...none, siteId: id, uptime: 'up' },
            { ...none, siteId: secondSite().id, uptime: 'down' },
          ],
          failed: [],
        },
      },
    },
  });
  const card = async (name: string) => (await screen.findByRole('link', { name })).closest('li') as HTMLElement;
  expect(await within(await card('Tea House')).findByTitle('Site is up')).toBeInTheDocument();
  expect(within(await card('Harbour News')).getByText('Down')).toBeVisible();
});

describe('the settings', () => {
  const settings = (change: Partial<UptimeSettings> = {}): UptimeSettings => ({
    enabled: false,
    intervalMinutes: 5,
    path: '',
    expectedStatus: null,
    keyword: '',
    address: 'https://tea.example/',
    recipients: 0,
    people: 2,
    mail: true,
    revision: 0,
    ...change,
  });
  const put = `PUT ${base}/settings`;
  const open = async (answers: Record<string, Answer> = {}) => {
    app = await renderApp(`/site/${id}/setting/share?tab=uptime`, { locale: 'en', answers: { [`GET ${base}/settings`]: { data: settings() }, ...answers } });
    return screen.findByRole('form', { name: 'Monitoring settings' });
  };

  test('are saved whole and name who is notified', async () => {
    const form = await open({ [put]: { data: settings({ enabled: true, intervalMinutes: 1, path: '/health', expectedStatus: 204, revision: 1 }) } });
    expect(screen.getByText(/In the console: 2 people/)).toHaveTextContent('By mail and webhook: nobody.');
    expect(await violationsOf(form)).toEqual([]);
    await app.person.click(within(form).getByRole('checkbox', { name: 'Monitor this site' }));
    await app.person.selectOptions(within(form).getByRole('combobox', { name: 'Check every' }), '1 minute');
    await app.person.type(within(form).getByRole('textbox', { name: /^Path/ }), '/health');
    await app.person.type(within(form).getByRole('textbox', { name: /^Expected status/ }), '204');
    await app.person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Monitoring settings saved')).toBeVisible();
    expect(app.server.calls(put).map(({ headers, body }) => [headers.get('if-match'), body])).toEqual([
      ['"0"', { enabled: true, intervalMinutes: 1, path: '/health', expectedStatus: 204, keyword: '' }],
    ]);
  });

  test('show at its field what is wrong with a path', async () => {
    const form = await open();
    await app.person.type(within(form).getByRole('textbox', { name: /^Path/ }), 'health');
    await app.person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await within(form).findByText('Begin with a slash, without spaces and #')).toBeVisible();
    expect(app.server.calls(put)).toEqual([]);
  });

  test('keep the input and are not overwritten in a conflict', async () => {
    const form = await open({ [put]: { error: 'stale', status: 409, code: 'stale_revision', current: settings({ revision: 2 }) } });
    const keyword = within(form).getByRole('textbox', { name: /^Keyword/ });
    await app.person.type(keyword, 'Tea');
    await app.person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/Somebody else has just changed this/)).toBeVisible();
    expect(keyword).toHaveValue('Tea');
  });
});
