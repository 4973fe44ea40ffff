import { configure, screen, waitFor, within } from '@testing-library/react';
import type { KeywordReport } from '@contract/imports/keywords';
import { renderApp, renderIn } from '../../../test/support/renderApp';
import { answerReport, install } from '../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });
renderIn('zh-CN');

const site = 'abcdefghijkl';
const at = (name: string): string => `GET /api/site/${site}/als/${name}`;
const values = { clicks: 10, impressions: 100, ctr: 0.1, position: 2 };
const period = { engine: 'google' as const, from: '2026-11-14', to: '2026-11-20' };
const keywords: KeywordReport = {
  from: period.from,
  to: period.to,
  compareFrom: null,
  compareTo: null,
  totals: values,
  compareTotals: null,
  rows: [{ key: 'green tea', engine: 'google', values, compare: null }],
  rowCount: 50,
  coverage: [{ ...period, days: 7, compareDays: 0 }],
  partial: [],
  imported: [period],
  pages: false,
};

test('a search in the reported keywords goes back to the first page', async () => {
  const app = await renderApp(`/site/${site}/als/keyword`, {
    answers: { [at('report')]: answerReport, [at('install')]: { data: install() }, [at('keywords')]: { data: keywords } },
  });
  const queries = () => app.server.calls(at('keywords')).map((call) => new URLSearchParams(call.search));
  const block = await screen.findByRole('region', { name: '搜索引擎提供的搜索词' });
  expect(await within(block).findByRole('table', { name: '搜索引擎提供的搜索词' })).toHaveTextContent('green tea');
  await app.person.click(within(block).getByRole('button', { name: '下一页' }));
  await waitFor(() => expect(queries().at(-1)?.get('page')).toBe('2'));
  await app.person.type(within(block).getByRole('searchbox', { name: '查找搜索词' }), 'tea');
  await waitFor(() => expect(queries().at(-1)?.get('q')).toBe('tea'));
  expect(queries().at(-1)?.get('page')).toBe('1');
  app.end();
});
