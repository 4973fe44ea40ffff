import { configure, screen, waitFor } from '@testing-library/react';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { answerReport, install, noReport, online, visit } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const reportCall = `GET /api/site/${site}/als/report`;
const latestCall = `GET /api/site/${site}/als/latest`;
const answers: Record<string, Answer> = {
  [reportCall]: answerReport,
  [latestCall]: { data: { rows: [], next: null } },
  [`GET /api/site/${site}/als/online`]: { data: online() },
  [`GET /api/site/${site}/als/install`]: { data: install() },
};
let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (path: string, change: Record<string, Answer> = {}) => {
  app = await renderApp(`/site/${site}/als/${path}`, { answers: { ...answers, ...change } });
  return app;
};
const search = () => new URLSearchParams(app.router.state.location.search);
afterEach(() => app.end());

test("the list of search engines combines the reader's filters with its own", async () => {
  const { person } = await open('overview?filter=os%3Ais%3AiOS', {
    [reportCall]: (request) => {
      const answer = answerReport(request);
      const isSearch = new URL(request.url).searchParams.getAll('filter').includes('sourceType:is:search');
      return isSearch ? { data: { ...answer.data, rows: [], rowCount: 0 } } : answer;
    },
  });
  await person.click(await screen.findByRole('button', { name: 'Search engines', pressed: false }));
  expect(await screen.findByText('No visits from search engines')).toBeInTheDocument();
  const filtersOf = (by: string) =>
    app.server
      .calls(reportCall)
      .map((call) => new URLSearchParams(call.search))
      .filter((query) => query.get('by') === by)
      .map((query) => query.getAll('filter'));
  expect(filtersOf('sourceName').at(-1)).toEqual(['os:is:iOS', 'sourceType:is:search']);
  expect(filtersOf('path')[0]).toEqual(['os:is:iOS']);
  await person.click(screen.getByRole('button', { name: 'See all Sources' }));
  expect(search().getAll('filter')).toEqual(['os:is:iOS', 'sourceType:is:search']);
});

test.each([
  [{ suspected: 0, bots: 3 }, 'Excluded as bots: 3 visits.'],
  [{ suspected: 2, bots: 0 }, 'Excluded as suspected bots: 2 visits.'],
  [{ suspected: 2, bots: 3 }, 'Excluded as bots or suspected bots: 5 visits.'],
])('a report without people offers to show the excluded visits %o', async (excluded, text) => {
  const { person } = await open('overview', { [reportCall]: { data: { ...noReport(), explain: { ...noReport().explain, excluded } } } });
  expect(await screen.findByText(text)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Show them' }));
  expect(search().get('who')).toBe('all');
});

test('the live list offers excluded visits only when there are any', async () => {
  const { person } = await open('latest', {
    [latestCall]: (request) => ({ data: { rows: new URL(request.url).searchParams.get('who') === 'all' ? [visit('a', { verdict: 'bot' })] : [], next: null } }),
  });
  expect(await screen.findByText('All visits so far were excluded as bots or suspected bots.')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Show them' }));
  expect(await screen.findByRole('table', { name: 'Visits' })).toBeInTheDocument();
  app.end();
  await open('latest');
  await waitFor(() => expect(screen.getByText('No visits yet')).toBeInTheDocument());
  expect(screen.queryByRole('button', { name: 'Show them' })).not.toBeInTheDocument();
});
