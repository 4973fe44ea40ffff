import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { measureGroups, type Report } from '@contract/analytics/schemas';
import { site as aSite, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';
import { answerReport, install, noReport, row } from '../../../test/support/reports';
import { groupsOf, measureList } from './measures';

renderIn('zh-CN');

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const reportCall = `GET /api/site/${site}/als/report`;
/** Rows of any dimension: the fixture has only those of the overview. */
const withRows = (request: Request): { data: Report } => {
  const answer = answerReport(request);
  return new URL(request.url).searchParams.has('by') ? { data: { ...answer.data, rows: [row('search', 200), row('news.example', 40)] } } : answer;
};
const answers: Record<string, Answer> = { [reportCall]: withRows, [`GET /api/site/${site}/als/install`]: { data: install() } };

let app: Awaited<ReturnType<typeof renderApp>>;
let drawn = false;
const open = async (path: string, change: Record<string, Answer> = {}, locale: 'zh-CN' | 'en' = 'zh-CN') => {
  drawn = true;
  app = await renderApp(`/site/${site}/als/${path}`, { locale, answers: { ...answers, ...change } });
  return app;
};
const search = () => new URLSearchParams(app.router.state.location.search);
const reportQueries = () => app.server.calls(reportCall).map((call) => new URLSearchParams(call.search));
afterEach(() => {
  if (drawn) app.end();
  drawn = false;
  localStorage.clear();
});

test('measures are requested in the groups of the contract', () => {
  for (const [group, ids] of Object.entries(measureGroups)) expect(groupsOf(ids)).toEqual([group]);
  const grouped = Object.values(measureGroups).flat() as string[];
  expect(groupsOf(measureList.map(({ id }) => id).filter((id) => !grouped.includes(id)))).toEqual([]);
});

test('clicking a source type opens its sources, and "back" returns', async () => {
  const { person } = await open('source?by=sourceType');
  const table = await screen.findByRole('table', { name: '来源类型明细' });
  const [first] = within(table)
    .getAllByRole('button', { name: /./ })
    .filter((one) => one.dataset['row'] !== undefined);
  await person.click(first as HTMLElement);
  expect(await screen.findByRole('table', { name: '来源明细' })).toBeInTheDocument();
  expect(search().get('by')).toBe('sourceName');
  expect(search().getAll('filter')).toHaveLength(1);
  await act(() => app.router.navigate(-1));
  expect(await screen.findByRole('table', { name: '来源类型明细' })).toBeInTheDocument();
  expect(search().has('filter')).toBe(false);
});

test('the filter of a screen applies without appearing in the address', async () => {
  const { person } = await open('engine?filter=os%3Ais%3AiOS');
  const table = await screen.findByRole('table', { name: '来源明细' });
  for (const query of reportQueries()) expect(query.getAll('filter')).toEqual(expect.arrayContaining(['os:is:iOS', 'sourceType:is:search']));
  const [first] = within(table)
    .getAllByRole('button')
    .filter((one) => one.dataset['row'] !== undefined);
  await person.click(first as HTMLElement);
  expect(search().getAll('filter')).not.toContain('sourceType:is:search');
  expect(search().getAll('filter')).toHaveLength(2);
});

test('every figure explains itself with the filter of its row', async () => {
  const { person } = await open('external/so');
  const table = await screen.findByRole('table', { name: '来源网站明细' });
  const [first] = within(table)
    .getAllByRole('button')
    .filter((one) => one.dataset['row'] !== undefined);
  act(() => first?.focus());
  await person.keyboard('{ArrowRight}{Enter}');
  const dialog = await screen.findByRole('dialog', { name: /访问次数 · / });
  expect(dialog).toHaveTextContent('来源网站 是');
  const link = within(dialog).getByRole('link', { name: '查看组成它的访问' }).getAttribute('href') ?? '';
  expect(new URL(link, 'http://x').searchParams.getAll('filter').some((one) => one.startsWith('referrerHost:is:'))).toBe(true);
  await person.click(within(dialog).getByRole('button', { name: '关闭' }));
  const total = within(table).getByRole('row', { name: /^合计/ });
  await person.click(within(total).getAllByRole('button')[0] as HTMLElement);
  expect(await screen.findByRole('dialog', { name: /访问次数 · 合计/ })).toBeInTheDocument();
});

test('chosen columns are in the address, request and file', async () => {
  await open('entry?cols=visits,exitRate,conversions');
  const table = await screen.findByRole('table', { name: '入口页面明细' });
  const heads = within(table).getAllByRole('columnheader').slice(1);
  expect(heads.map((one) => one.textContent)).toEqual(['访问次数', '对比期', '变化', '转化次数', '对比期', '变化']);
  const file = new URL(screen.getAllByRole('link', { name: '导出 CSV' }).at(-1)?.getAttribute('href') ?? '', 'http://x').searchParams;
  expect(file.getAll('measure')).toEqual(['visits', 'conversions']);
  expect(reportQueries().some((query) => query.get('by') === 'entryPath' && query.getAll('with').join(',') === 'goals')).toBe(true);
});

test('tabs of reports keep range and filters and reset the page', async () => {
  const { person } = await open('external/so?range=last30&filter=os%3Ais%3AiOS&page=2');
  await person.click(await screen.findByRole('link', { name: '来源网址' }));
  await waitFor(() => expect(app.router.state.location.pathname).toBe(`/site/${site}/als/external/url`));
  expect([search().get('range'), search().get('filter'), search().get('page')]).toEqual(['last30', 'os:is:iOS', null]);
});

test('new and returning visitors are one switch that adds a filter', async () => {
  const { person } = await open('entry');
  await person.click(await screen.findByRole('combobox', { name: '新老访客' }));
  await person.click(await screen.findByRole('option', { name: '老访客' }));
  expect(search().getAll('filter')).toEqual(['newReturning:is:returning']);
});

test('an empty screen of one type explains why and where to look', async () => {
  await open('engine', { [reportCall]: { data: noReport() } });
  expect(await screen.findByText('没有来自搜索引擎的访问')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: '看最近 90 天' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '看全部来源' })).toHaveAttribute('href', `/site/${site}/als/source`);
});

test('without lasting ids new and returning visitors are not reported', async () => {
  await open('visitor', { 'GET /api/core/load/rpm': { data: startUp({ sites: [aSite({ identity: 'cookieless' })] }) } });
  expect(await screen.findByText(/无法统计这一项/)).toBeInTheDocument();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});
