import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../test/support/axe';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';
import { answerReport, install, noReport } from '../../../test/support/reports';
import { writeColumns } from '../../ui/tableColumns';

renderIn('zh-CN');

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
// Computing visibility is slow in jsdom, and only content behind an open dialog is hidden here.
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const reportCall = `GET /api/site/${site}/als/report`;
const answers: Record<string, Answer> = {
  [reportCall]: answerReport,
  [`GET /api/site/${site}/als/install`]: { data: install() },
  [`GET /api/site/${site}/als/values`]: { data: ['direct', 'search', 'social'] },
};

let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (path: string, change: Record<string, Answer> = {}, locale: 'zh-CN' | 'en' = 'zh-CN') => {
  app = await renderApp(`/site/${site}/als/${path}`, { locale, answers: { ...answers, ...change } });
  return app;
};
const search = () => new URLSearchParams(app.router.state.location.search);
const reportQueries = () => app.server.calls(reportCall).map((call) => new URLSearchParams(call.search));
afterEach(() => app.end());

test('the overview shows figures with their change, the chart, and the lists', async () => {
  await open('overview');
  const figures = await screen.findByRole('region', { name: '关键指标' });
  expect(figures).toHaveTextContent('访客数 (UV) 400+25%');
  expect(await screen.findByRole('group', { name: /^趋势，/ })).toBeInTheDocument();
  expect(await screen.findByRole('table', { name: '页面' })).toHaveTextContent('/tea');
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('a figure chooses the line of the chart, and a small button explains it', async () => {
  const { person } = await open('overview');
  const figures = await screen.findByRole('region', { name: '关键指标' });
  const views = within(figures).getByRole('button', { name: /^浏览量 \(PV\)/, pressed: false });
  await person.click(views);
  expect(search().get('show')).toBe('views');
  expect(within(figures).getByRole('button', { name: /^浏览量 \(PV\)/, pressed: true })).toBeInTheDocument();
  await person.click(within(figures).getByRole('button', { name: /^跳出率.*说明$/ }));
  expect(await screen.findByRole('dialog')).toHaveTextContent('跳出率');
});

test('a figure compares today with yesterday when it is hovered over', async () => {
  const { person } = await open('overview');
  const figures = await screen.findByRole('region', { name: '关键指标' });
  await person.hover(within(figures).getByRole('button', { name: /^访客数/, pressed: true }));
  expect(await screen.findByRole('tooltip')).toHaveTextContent('昨天同时段');
});

test('codes are shown as names', async () => {
  await open('overview');
  expect(await screen.findByRole('button', { name: '直接访问' })).toBeInTheDocument();
  await app.person.click(screen.getByRole('button', { name: '国家/地区' }));
  expect(await screen.findByRole('button', { name: '中国' })).toBeInTheDocument();
});

test('clicking a row adds a filter, and "back" removes it', async () => {
  const { person } = await open('overview');
  await person.click(await screen.findByRole('button', { name: '/tea' }));
  expect(search().getAll('filter')).toEqual(['path:is:/tea']);
  expect(await screen.findByRole('button', { name: '移除筛选：受访页面 是 /tea' })).toBeInTheDocument();
  await waitFor(() => expect(reportQueries().some((query) => query.get('series') === '1' && query.get('filter') === 'path:is:/tea')).toBe(true));
  await act(() => app.router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole('button', { name: /移除筛选/ })).not.toBeInTheDocument());
});

test('a filter consists of a dimension, a condition and known values', async () => {
  const { person } = await open('overview');
  await screen.findByRole('region', { name: '关键指标' });
  await person.click(screen.getByRole('button', { name: '添加筛选' }));
  const dialog = await screen.findByRole('dialog', { name: '添加筛选' });
  await person.selectOptions(within(dialog).getByRole('combobox', { name: '条件' }), 'not');
  await person.click(await within(dialog).findByRole('checkbox', { name: '搜索引擎' }));
  await person.click(within(dialog).getByRole('checkbox', { name: '社交平台' }));
  await person.click(within(dialog).getByRole('button', { name: '应用' }));
  expect(search().getAll('filter')).toEqual(['sourceType:not:search|social']);
});

test('typing a name filters by the value with that name', async () => {
  const { person } = await open('overview', { [`GET /api/site/${site}/als/values`]: { data: ['Baidu', 'Bing'] } });
  await screen.findByRole('region', { name: '关键指标' });
  await person.click(screen.getByRole('button', { name: '添加筛选' }));
  const dialog = await screen.findByRole('dialog', { name: '添加筛选' });
  await person.selectOptions(within(dialog).getByRole('combobox', { name: '维度' }), 'sourceName');
  await within(dialog).findByRole('checkbox', { name: '必应' });
  await person.type(within(dialog).getByRole('textbox', { name: '值' }), '百度{Enter}');
  expect(within(dialog).getByRole('checkbox', { name: '百度' })).toBeChecked();
  await person.click(within(dialog).getByRole('button', { name: '应用' }));
  expect(search().getAll('filter')).toEqual(['sourceName:is:Baidu']);
});

test('networks and versions have names too', async () => {
  await open('overview?filter=isp%3Ais%3A%E7%94%B5%E4%BF%A1', {}, 'en');
  expect(await screen.findByRole('button', { name: 'Change filter: Network is China Telecom' })).toBeInTheDocument();
});

test('a figure explains itself and opens the visits behind it', async () => {
  const { person } = await open('overview?filter=city%3Ais%3AShenzhen&who=humans');
  await person.click(await screen.findByRole('button', { name: '跳出率 25.0%，查看说明' }));
  const dialog = await screen.findByRole('dialog', { name: /跳出率/ });
  expect(dialog).toHaveTextContent('只看了一个页面');
  expect(dialog).toHaveTextContent('城市 是 深圳');
  expect(dialog).toHaveTextContent('疑似机器人 3 次访问，机器人 41 次访问');
  expect(dialog).toHaveTextContent('精确计算');
  const behind = within(dialog).getByRole('link', { name: '查看组成它的访问' }).getAttribute('href') ?? '';
  expect(behind.split('&began=')[0]).toBe(`/site/${site}/als/latest?filter=city%3Ais%3AShenzhen`);
  expect(behind).toMatch(/&began=\d{4}-\d\d-\d\d%7E\d{4}-\d\d-\d\d$/);
});

test('the files contain what the screen shows', async () => {
  await open('trend?range=last30&gran=week&compare=none&who=all&filter=os%3Ais%3AiOS');
  const link = await screen.findByRole('link', { name: '导出 CSV' });
  const query = new URL(link.getAttribute('href') ?? '', 'http://x').searchParams;
  const seriesQuery = reportQueries().find((one) => one.get('series') === '1');
  for (const name of ['from', 'to', 'gran', 'compare', 'who', 'filter']) expect([name, query.get(name)]).toEqual([name, seriesQuery?.get(name) ?? null]);
  expect(query.get('format')).toBe('csv');
});

test('the file has the columns and order of the table', async () => {
  localStorage.removeItem('console:columns:als.trend');
  const { person } = await open('trend?range=last30');
  const table = await screen.findByRole('table', { name: '趋势明细' });
  const heads = (): (string | null)[] =>
    within(table)
      .getAllByRole('columnheader')
      .slice(1)
      .filter((one) => within(one).queryByRole('button') !== null)
      .map((one) => one.textContent);
  const query = () => new URL(screen.getByRole('link', { name: '导出 CSV' }).getAttribute('href') ?? '', 'http://x').searchParams;
  expect(query().getAll('measure')).toHaveLength(heads().length);
  expect(query().getAll('order')).toEqual(['time.desc']);
  const first = query().getAll('measure')[0] ?? '';
  await person.click(within(within(table).getAllByRole('columnheader')[1] as HTMLElement).getByRole('button'));
  expect(query().getAll('order')).toEqual([`${first}.desc`]);
  act(() => writeColumns('als.trend', ['visits', 'views']));
  expect(query().getAll('measure').toSorted()).toEqual(['views', 'visits']);
  localStorage.removeItem('console:columns:als.trend');
});

test('the trend lists steps newest first with a separate total', async () => {
  await open('trend');
  const table = await screen.findByRole('table', { name: '趋势明细' });
  const rows = within(table)
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent);
  expect(rows).toEqual(['合计', '11月20日 周五 未结束', '11月19日 周四', '11月18日 周三']);
  expect(within(table).getByRole('row', { name: /^合计/ })).toHaveTextContent('400');
});

test('"see all" opens the whole table, sorted by the server', async () => {
  const { person } = await open('overview');
  await person.click(await screen.findByRole('button', { name: '查看全部 页面' }));
  const table = await screen.findByRole('table', { name: '受访页面明细' });
  expect(search().get('by')).toBe('path');
  await person.click(within(table).getByRole('button', { name: '跳出率 (%)' }));
  await waitFor(() => expect(reportQueries().some((query) => query.get('sort') === 'bounceRate' && query.get('dir') === 'desc')).toBe(true));
});

test('a preset range is one choice, with the time zone beside it', async () => {
  const { person } = await open('overview');
  await person.click(await screen.findByRole('button', { name: /^时段：最近 7 天/ }));
  const dialog = await screen.findByRole('dialog', { name: '时段' });
  expect(dialog).toHaveTextContent('站点时区 Asia/Shanghai');
  await person.click(within(dialog).getByRole('button', { name: '昨天' }));
  expect(search().get('range')).toBe('yesterday');
});

describe('with nothing to show', () => {
  test('before the first hit it links to the installation', async () => {
    await open('overview', { [reportCall]: { data: noReport() }, [`GET /api/site/${site}/als/install`]: { data: install({ firstHitAt: null }) } });
    expect(await screen.findByText('还没有访问数据')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '检查安装' })).toHaveAttribute('href', `/site/${site}/dashboard`);
  });
  test('with filters it offers to clear them', async () => {
    const { person } = await open('overview?filter=os%3Ais%3ABeOS', { [reportCall]: { data: noReport() } });
    expect(await screen.findByText('没有符合筛选条件的访问')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: '清除筛选' }));
    expect(search().has('filter')).toBe(false);
  });
  test('otherwise it offers another range', async () => {
    const { person } = await open('overview?range=today', { [reportCall]: { data: noReport() } });
    await person.click(await screen.findByRole('button', { name: '看最近 30 天' }));
    expect(search().get('range')).toBe('last30');
  });
});

describe('when something fails', () => {
  test('a failed block shows its request id and can retry alone', async () => {
    let broken = true;
    const { person } = await open('overview', {
      [reportCall]: (request) =>
        broken && new URL(request.url).searchParams.get('by') === 'path'
          ? { error: '内部错误', status: 500, code: 'internal', requestId: 'req-77' }
          : answerReport(request),
    });
    const list = await screen.findByRole('region', { name: '页面' });
    expect(await within(list).findByRole('alert')).toHaveTextContent('req-77');
    expect(screen.getByRole('table', { name: '来源' })).toBeInTheDocument();
    broken = false;
    await person.click(within(list).getByRole('button', { name: '重试' }));
    expect(await within(list).findByRole('table')).toHaveTextContent('/tea');
  });
  test('a refused range explains what to do and offers no retry', async () => {
    await open('trend', { [reportCall]: { error: 'x', status: 422, code: 'range_not_allowed', requestId: 'req-9' } });
    const [alert] = await screen.findAllByRole('alert');
    expect(alert).toHaveTextContent('时段无法查询');
    expect(within(alert as HTMLElement).queryByRole('button', { name: '重试' })).not.toBeInTheDocument();
  });
});

test('everything exists in English too', async () => {
  await open('overview', {}, 'en');
  expect(await screen.findByRole('region', { name: 'Key figures' })).toHaveTextContent('Visitors 400+25%');
  await app.person.click(screen.getByRole('button', { name: 'Country/region' }));
  expect(await screen.findByRole('button', { name: 'China' })).toBeInTheDocument();
});
