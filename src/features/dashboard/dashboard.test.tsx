import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { analyticsApi } from '@/features/analytics/analyticsApi';
import { violationsOf } from '../../../test/support/axe';
import { site as makeSite, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { answerReport, install, online } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
// Computing visibility is slow in jsdom, and only content behind an open dialog is hidden here.
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const installCall = `GET /api/site/${site}/als/install`;
const answers: Record<string, Answer> = {
  [`GET /api/site/${site}/als/report`]: answerReport,
  [`GET /api/site/${site}/als/online`]: { data: online() },
  [installCall]: { data: install() },
};
let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (change: Record<string, Answer> = {}) => {
  app = await renderApp(`/site/${site}/dashboard`, { answers: { ...answers, ...change } });
  return app;
};
afterEach(() => app.end());

test("the dashboard shows visitors, the day's trend, pages and sources", async () => {
  await open();
  const live = await screen.findByRole('region', { name: 'Live' });
  await waitFor(() => expect(live).toHaveTextContent('Online now 3'));
  const today = await screen.findByRole('region', { name: 'Today' });
  await waitFor(() => expect(today).toHaveTextContent('Visitors 400+25%'));
  expect(await screen.findByRole('table', { name: 'Top pages' })).toHaveTextContent('/tea');
  expect(await screen.findByRole('table', { name: 'Sources' })).toHaveTextContent('Direct');
  expect(screen.queryByText('Install the tag')).not.toBeInTheDocument();
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('each section links to its screen', async () => {
  await open();
  expect(await screen.findByRole('link', { name: 'See all Live' })).toHaveAttribute('href', `/site/${site}/als/latest`);
  expect(screen.getByRole('link', { name: 'See all Top pages' })).toHaveAttribute('href', `/site/${site}/als/path?sort=views.desc`);
});

test('a failed section does not affect the others', async () => {
  await open({ [`GET /api/site/${site}/als/online`]: { error: '统计数据库暂时不可用', status: 500, code: 'internal', requestId: 'req-5' } });
  const live = await screen.findByRole('region', { name: 'Live' });
  expect(await within(live).findByRole('alert')).toHaveTextContent('req-5');
  expect(await screen.findByRole('table', { name: 'Top pages' })).toBeInTheDocument();
});

describe('before the first hit', () => {
  const waiting: Record<string, Answer> = {
    [installCall]: { data: install({ firstHitAt: null, scriptLoads: 2, refusals: [{ code: 'wrong_host', count: 3, lastAt: 0, host: 'other.example' }] }) },
  };

  test('the tag can be copied, with its address and refused hits', async () => {
    await open(waiting);
    expect(await screen.findByText('Waiting for the first visit…')).toBeInTheDocument();
    expect(screen.getByText(/data-site="abcdefghijkl"/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy the tag' })).toBeInTheDocument();
    expect(screen.getByText(/other\.example: host not of this site, 3 times/)).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Today' })).not.toBeInTheDocument();
    expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
  });

  test('the page updates when the first hit arrives', async () => {
    await open(waiting);
    await screen.findByText('Waiting for the first visit…');
    app.server.answer(installCall, { data: install({ firstHitAt: Date.now() }) });
    act(() => {
      app.store.dispatch(analyticsApi.util.invalidateTags([{ type: 'Install', id: site }]));
    });
    expect(await screen.findByText('The first visit has arrived')).toBeInTheDocument();
    expect(await screen.findByRole('region', { name: 'Today' })).toBeInTheDocument();
  });

  test('a check reports what is wrong and what to do', async () => {
    const { person } = await open({
      ...waiting,
      [`POST /api/site/${site}/als/install/check`]: {
        data: { url: 'https://tea.example/', at: 0, findings: [{ code: 'csp_blocks_script', level: 'bad', detail: "script-src 'self'" }] },
      },
    });
    await person.click(await screen.findByRole('button', { name: 'Check now' }));
    const result = await screen.findByRole('status', { name: 'Result' });
    expect(result).toHaveTextContent('The content security policy blocks the script');
    expect(result).toHaveTextContent('Add https://console.example to script-src.');
    expect(app.server.calls(`POST /api/site/${site}/als/install/check`)[0]?.body).toEqual({ url: 'https://tea.example' });
  });

  test('a site published here needs no tag, only a visit', async () => {
    await open({
      ...waiting,
      'GET /api/core/load/rpm': { data: startUp({ sites: [makeSite({ purpose: 'built', url: null, systemHost: 'http://tea.localhost:3001' })] }) },
    });
    expect(await screen.findByText(/nothing needs installing/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Open the site' })).toHaveAttribute('href', 'http://tea.localhost:3001/');
    expect(screen.queryByRole('button', { name: 'Copy the tag' })).not.toBeInTheDocument();
  });
});
