import { configure, screen, waitFor, within } from '@testing-library/react';
import type { ImportedHistory } from '@contract/imports/schemas';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { answerReport, install, report, values } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const at = (name: string): string => `GET /api/site/${site}/als/${name}`;
const sums = { visitors: 5, visits: 7, views: 50, bounces: 2, seconds: 8640, events: 0 };
const history = (measuredFrom: string | null): ImportedHistory => ({
  from: '2026-09-01',
  to: '2026-09-03',
  measuredFrom,
  totals: { ...sums },
  days: ['2026-09-01', '2026-09-02', '2026-09-03'].map((day) => ({ ...sums, day })),
  rows: [],
  rowCount: 0,
});

let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (imported: Answer, search = '', change: Record<string, Answer> = {}) => {
  app = await renderApp(`/site/${site}/als/trend?from=2026-09-01&to=2026-09-03${search}`, {
    answers: { [at('report')]: answerReport, [at('install')]: { data: install() }, [at('imported')]: imported, ...change },
  });
};
const block = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Imported from Plausible' });
const importsRequested = async (): Promise<void> => waitFor(() => expect(app.server.calls(at('imported')).length).toBeGreaterThan(0));
afterEach(() => app.end());

test('only imported days before the first measured visit are shown', async () => {
  await open({ data: history('2026-09-03') });
  expect(within(await block()).getByText(/^2026-09-01 to 2026-09-02, before the first visit measured here/)).toBeInTheDocument();
  expect(await block()).toHaveTextContent('Page views100');
});

test('imported days are shown where there is no other data', async () => {
  await open({ data: history(null) }, '', { [at('report')]: { data: report({ totals: values(), rows: [], rowCount: 0 }) } });
  expect(await block()).toHaveTextContent('Page views150');
});

test('imported days are hidden when measured, filtered or not permitted', async () => {
  await open({ data: history('2026-09-01') });
  await importsRequested();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Imported from Plausible' })).not.toBeInTheDocument());
  app.end();
  await open({ data: history(null) }, '&filter=os%3Ais%3AiOS');
  expect(await screen.findAllByText(/Visitors/)).not.toHaveLength(0);
  expect(app.server.calls(at('imported'))).toHaveLength(0);
  app.end();
  await open({ error: 'no', status: 404, code: 'not_found' });
  await importsRequested();
  expect(screen.queryByText(/from Plausible/i)).not.toBeInTheDocument();
});
