import { screen, waitFor, within } from '@testing-library/react';
import type { DeliveredDay } from '@contract/publishing/preview';
import type { Site } from '@contract/sites/schemas';
import { violationsOf } from '../../../../test/support/axe';
import { openSettings, settingPath } from '../../../../test/support/publishingScreen';

const call = `GET ${settingPath}/requests`;
const day = (change: Partial<DeliveredDay> = {}): DeliveredDay => ({
  day: '2026-11-20',
  pages: 0,
  measured: 0,
  programs: 0,
  notFound: 0,
  errors: 0,
  bytes: 0,
  medianMs: null,
  ...change,
});

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(days: readonly DeliveredDay[], change: Partial<Site> = {}) {
  app = await openSettings(
    '/releases',
    {
      [`GET ${settingPath}/releases`]: { data: { rows: [], more: false } },
      [`GET ${settingPath}/releases/preview`]: { data: { working: 'w1', parts: [], tables: [] } },
      [call]: { data: days },
    },
    change,
  );
}
afterEach(() => app.end());

test('each day has its requests beside the page views', async () => {
  await open([day(), day({ day: '2026-11-19', pages: 1204, measured: 981, programs: 77, notFound: 5, errors: 1, bytes: 52_428_800, medianMs: 38 })]);
  const table = await screen.findByRole('table', { name: 'Page requests' });
  const rows = within(table).getAllByRole('row').slice(1);
  const texts = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
  expect(texts).toEqual([
    ['0', '0', '0', '0', '0', '0 B', '–'],
    ['1,204', '981', '77', '5', '1', '50 MB', '38 ms'],
  ]);
  expect(within(rows[1] as HTMLElement).getByRole('rowheader')).toHaveTextContent('2026-11-19');
  expect(await violationsOf(screen.getByRole('region', { name: 'Page requests' }))).toEqual([]);
});

test('a longer period is requested and stays in the address', async () => {
  await open([day({ pages: 3 })]);
  await app.person.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), 'Last 30 days');
  await waitFor(() => expect(app.server.calls(call).map(({ search }) => search)).toEqual(['?days=7', '?days=30']));
  expect(app.router.state.location.search).toBe('?days=30');
});

test('a site without requests says so', async () => {
  await open([day(), day({ day: '2026-11-19' })]);
  expect(await screen.findByText('No requests in this period')).toBeVisible();
});

test('people who may not see reports get no counts', async () => {
  await open([day({ pages: 3 })], { role: 'support' });
  expect(await screen.findByRole('region', { name: 'Releases' })).toBeVisible();
  expect(app.server.calls(call)).toEqual([]);
});
