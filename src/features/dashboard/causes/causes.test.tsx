import { configure, screen, waitFor, within } from '@testing-library/react';
import type { Cause, DashboardCauses } from '@contract/dashboard/causes';
import type { SiteRole } from '@contract/permissions';
import { dashboardCards } from '../../../../test/support/dashboards';
import { site as makeSite, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';
import { install } from '../../../../test/support/reports';
import { replaced } from './useRedirectFix';

jest.setTimeout(60_000);
// Computing visibility is slow in jsdom.
configure({ defaultHidden: true });

const base = `/api/site/${makeSite().id}`;
const at = '2026-11-20T04:00:00.000Z';
const cause: Cause = {
  path: '/tea',
  visitors: { now: 6, before: 60 },
  keywords: [{ engine: 'google', query: 'green tea', position: { now: null, before: 3.2 }, clicks: { now: 0, before: 40 } }],
  issues: [],
  redirect: { from: '/tea', to: 'https://fair.example/tea', status: 301, locations: ['https://fair.example/tea'], end: 'elsewhere', release: 4, since: at },
};
const causes = (change: Partial<DashboardCauses> = {}): Answer => ({
  data: {
    at: Date.parse(at),
    compareDay: '2026-11-19',
    visitors: { now: 20, before: 80 },
    lost: 60,
    causes: [cause],
    others: { pages: 2, lost: 6 },
    keywordDays: { from: '2026-11-12', to: '2026-11-18', compareFrom: '2026-11-05', compareTo: '2026-11-11' },
    unread: [{ source: 'issues', reason: 'failed' }],
    ...change,
  },
});
const change = {
  data: {
    at: Date.parse(at),
    day: '2026-11-20',
    compareDay: '2026-11-19',
    visitors: { now: 20, before: 80 },
    by: [],
    leftOut: { bots: { now: 0, before: 0 }, suspected: { now: 0, before: 0 }, blocked: { now: 0, before: 0 } },
  },
};
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());
const open = async (role: SiteRole, found: Answer, answers: Readonly<Record<string, Answer>> = {}): Promise<HTMLElement> => {
  app = await renderApp(`/site/${makeSite().id}/dashboard?why=yesterday`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [makeSite({ role })] }) },
      [`GET ${base}/dashboard`]: { data: dashboardCards() },
      [`GET ${base}/als/install`]: { data: install() },
      [`GET ${base}/dashboard/change`]: change,
      [`GET ${base}/dashboard/causes`]: found,
      ...answers,
    },
    messages: ['crawlRules'],
  });
  return screen.findByRole('region', { name: 'Why it changed' });
};

test('an analyst sees what happened to a page, but cannot fix it', async () => {
  const why = await open('analyst', causes());
  const list = await within(why).findByRole('region', { name: 'What happened at the same time' });
  expect(list).toHaveTextContent('3 entry pages lost visitors, 60 in all.');
  expect(list).toHaveTextContent('need not be cause and effect');
  expect(list).toHaveTextContent('“green tea”: position 3.2 → none on Google');
  expect(list).toHaveTextContent('Redirected to fair.example/tea since release 4');
  expect(list).toHaveTextContent('What crawls found could not be read just now.');
  expect(list).toHaveTextContent('2 more pages lost visitors, 6 in all.');
  expect(list).toHaveTextContent('Only administrators of the site can change redirects.');
  expect(screen.queryByRole('button', { name: /^Fix here/ })).toBeNull();
});

test('causes are read only when there are fewer visitors', async () => {
  const risen = { data: { ...change.data, visitors: { now: 90, before: 80 } } };
  const why = await open('admin', causes(), { [`GET ${base}/dashboard/change`]: risen });
  expect(await within(why).findByText(/90/)).toBeInTheDocument();
  expect(app.server.calls(`GET ${base}/dashboard/causes`)).toEqual([]);
});

test('a change of the country rule names what it concerns in words', async () => {
  const { today } = dashboardCards().cards;
  if (!today?.data) throw new Error('no card');
  const note = { index: 1, time: '14:05', kind: 'country_block', text: '', values: { rule: 'block_deny_listed', name: 'DE, XX, T1 +2' } } as const;
  const cards = dashboardCards({ today: { ...today, data: { ...today.data, notes: [note] } } });
  const why = await open('analyst', causes(), { [`GET ${base}/dashboard`]: { data: cards } });
  expect(await within(why).findByText('Country rule: visitors from Germany, unknown countries and the Tor network +2 are refused')).toBeInTheDocument();
});

test('the panel that an address opens scrolls to itself once the board shows', async () => {
  let arrive = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const visible: boolean[] = [];
  const scroll = jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    visible.push(this.closest('[style*="display: none"]') === null);
  });
  app = await renderApp(`/site/${makeSite().id}/dashboard?why=yesterday#why`, {
    answers: {
      [`GET ${base}/dashboard`]: { data: dashboardCards() },
      [`GET ${base}/als/install`]: { data: install(), wait },
      [`GET ${base}/dashboard/change`]: change,
      [`GET ${base}/dashboard/causes`]: causes(),
    },
    messages: ['crawlRules'],
  });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Refresh' })).toBeEnabled());
  arrive();
  await screen.findByRole('region', { name: 'Why it changed' });
  await waitFor(() => expect(visible).toEqual([true]));
  scroll.mockRestore();
});

test('a failure can be retried, and an unknown cause says what would help', async () => {
  const why = await open('admin', { status: 503, error: 'away', code: 'unavailable' });
  await within(why).findByText('“What happened at the same time” did not load');
  app.server.answer(`GET ${base}/dashboard/causes`, causes({ causes: [], others: { pages: 3, lost: 60 }, unread: [] }));
  await app.person.click(within(why).getByRole('button', { name: /Try again/ }));
  expect(await within(why).findByText(/Nothing else is known about the pages/)).toBeInTheDocument();
});

test('a problem that a later crawl found fixed is not shown as being checked', async () => {
  const fixed: Cause = {
    ...cause,
    redirect: null,
    issues: [
      {
        rule: 'redirect_loop',
        severity: 'error',
        state: 'fixed',
        url: 'https://tea.example/tea',
        urlId: 1,
        runId: 'r',
        foundAt: at,
        fixedAt: at,
        recheck: null,
      },
    ],
  };
  const why = await open('admin', causes({ causes: [fixed] }));
  await app.person.click(await within(why).findByRole('button', { name: 'See the fix' }));
  const steps = await screen.findByRole('region', { name: 'Going live' });
  expect(within(steps).getAllByRole('listitem')).toHaveLength(1);
  expect(steps).toHaveTextContent('Redirect loop: fixed');
});

test('a redirect that is put back has its place again', () => {
  const [first, middle, last] = ['~/a.*', '~/b.*', '~/.*'].map(
    (from) => ({ from, to: '/', status: 301, origin: 'person', note: '', expiresOn: null }) as const,
  );
  const content = [first, middle, last].flatMap((one) => one ?? []);
  const removed = replaced(content, '~/b.*', null);
  expect(removed).toEqual([first, last]);
  expect(replaced(removed, '~/b.*', middle ?? null, 1)).toEqual(content);
});
