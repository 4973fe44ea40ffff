import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { analyticsApi } from '@/features/analytics/analyticsApi';
import { violationsOf } from '../../../test/support/axe';
import { site as makeSite, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { dashboardCards } from '../../../test/support/dashboards';
import { install } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
// Computing visibility is slow in jsdom, and only content behind an open dialog is hidden here.
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const installCall = `GET /api/site/${site}/als/install`;
const cardsCall = `GET /api/site/${site}/dashboard`;
const answers: Record<string, Answer> = { [cardsCall]: { data: dashboardCards() }, [installCall]: { data: install() } };
const forbidden = { state: 'forbidden', at: null, data: null } as const;
let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (change: Record<string, Answer> = {}) => {
  app = await renderApp(`/site/${site}/dashboard`, { answers: { ...answers, ...change } });
  return app;
};
afterEach(() => app.end());

test('the cards show today, who is online, and that all is well', async () => {
  await open();
  const today = await screen.findByRole('region', { name: 'Today' });
  await waitFor(() => expect(today).toHaveTextContent('80 more visitors than yesterday at this time'));
  expect(today).toHaveTextContent('Visitors 400Yesterday +25%Last Fri −2.4%');
  expect(screen.getByRole('region', { name: 'Live' })).toHaveTextContent('Online now 3');
  expect(screen.getByRole('table', { name: 'Top pages' })).toHaveTextContent('/tea');
  expect(screen.getByRole('table', { name: 'Sources' })).toHaveTextContent('Direct');
  expect(screen.getByText('All is well')).toBeInTheDocument();
  expect(screen.getByText(/Too few values/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See all Live' })).toHaveAttribute('href', `/site/${site}/als/latest`);
  expect(screen.queryByRole('region', { name: 'Launch checklist' })).not.toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Customer service' })).not.toBeInTheDocument();
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('early in the day values stand in place of percentages', async () => {
  const { today } = dashboardCards().cards;
  if (!today?.data) throw new Error('no card');
  const early = { ...today.data, early: true, figures: { ...today.data.figures, visitors: { now: 0, yesterday: 12, lastWeek: 3 } } };
  await open({ [cardsCall]: { data: dashboardCards({ today: { ...today, data: early } }) } });
  expect(await screen.findByText('Too little data for percentages yet')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Today' })).toHaveTextContent('Visitors 0Yesterday 12Last Fri 3');
});

test('a card that fails twice says so without affecting the others', async () => {
  const error = { state: 'error', at: null, data: null } as const;
  await open({ [cardsCall]: { data: dashboardCards({ vitals: error, top: error }) } });
  const vitals = await screen.findByRole('region', { name: 'Experience' });
  expect(await within(vitals).findByRole('alert')).toHaveTextContent('“Experience” did not load');
  expect(app.server.calls(cardsCall).filter(({ search }) => search === '?cards=top%2Cvitals')).toHaveLength(1);
  app.server.answer(cardsCall, { data: dashboardCards() });
  await app.person.click(within(vitals).getByRole('button', { name: 'Try again: Experience' }));
  await waitFor(() => expect(vitals).toHaveTextContent('LCP'));
  expect(screen.getByRole('region', { name: 'Today' })).toHaveTextContent('400');
});

test('a member without analytics gets the other cards', async () => {
  const cards = dashboardCards({
    setup: forbidden,
    live: forbidden,
    today: forbidden,
    top: forbidden,
    vitals: forbidden,
    search: forbidden,
    activity: forbidden,
  });
  await open({ [cardsCall]: { data: cards }, 'GET /api/core/load/rpm': { data: startUp({ sites: [makeSite({ role: 'support' })] }) } });
  expect(await screen.findByText('All is well')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Content' })).toHaveTextContent('Unpublished records2');
  for (const name of ['Today', 'Live', 'Top pages', 'Activity']) expect(screen.queryByRole('region', { name })).not.toBeInTheDocument();
  expect(app.server.calls(installCall)).toHaveLength(0);
});

const matter = { key: 'publish_failed:3', kind: 'publish_failed', severity: 'warning', since: null, values: { number: 3 }, snooze: null } as const;
const attention = (snooze: { until: string; forAll: boolean } | null) => ({
  ...dashboardCards().cards.attention,
  state: 'ok' as const,
  at: '2026-11-20T06:30:00.000Z',
  data: { items: [{ ...matter, snooze }], more: 0, unread: [] },
});

test('a matter leads to its screen and can be snoozed with undo', async () => {
  const call = `PUT /api/site/${site}/dashboard/snooze`;
  const { person } = await open({ [cardsCall]: { data: dashboardCards({ attention: attention(null) }) }, [call]: { data: null } });
  expect(await screen.findByRole('link', { name: /Release #3 failed/ })).toHaveAttribute('href', `/site/${site}/setting/base/releases`);
  await person.click(screen.getByRole('button', { name: /^Remind later: Release #3/ }));
  app.server.answer(cardsCall, { data: dashboardCards({ attention: attention({ until: '2026-11-27T06:30:00.000Z', forAll: false }) }) });
  await person.click(screen.getAllByRole('menuitem', { name: '7 days' })[0] as HTMLElement);
  await waitFor(() => expect(screen.getByRole('button', { name: '1 hidden' })).toHaveFocus());
  await person.click(await screen.findByText('Undo', undefined, { timeout: 15_000 }));
  await waitFor(() =>
    expect(app.server.calls(call).map(({ body }) => body)).toEqual([
      { key: matter.key, days: 7, forAll: false },
      { key: matter.key, days: 0, forAll: false },
    ]),
  );
});

test('a matter that goes by itself takes no focus', async () => {
  await open({ [cardsCall]: { data: dashboardCards({ attention: attention(null) }) } });
  await screen.findByRole('link', { name: /Release #3 failed/ });
  app.server.answer(cardsCall, { data: dashboardCards({ attention: attention({ until: '2026-11-27T06:30:00.000Z', forAll: true }) }) });
  act(() => (document.activeElement as HTMLElement | null)?.blur());
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('button', { name: '1 hidden' });
  // What follows an answer has run.
  await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(document.body).toHaveFocus();
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
