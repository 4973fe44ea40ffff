import { act, configure, screen, waitFor, within } from '@testing-library/react';
import type { Distribution, Flow, KnownShares, Movers, Outlook, Tree } from '../../../contract/analytics/schemas';
import { violationsOf } from '../../../test/support/axe';
import { site as siteOf, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';
import { answerReport, install, report, row } from '../../../test/support/reports';

renderIn('zh-CN');

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const at = (name: string): string => `GET /api/site/${site}/als/${name}`;
const flow: Flow = {
  path: '/tea',
  views: 100,
  entries: 60,
  sources: [
    { sourceType: 'search', sourceName: '百度', views: 40, share: 0.4 },
    { sourceType: 'ad', sourceName: '百度', views: 20, share: 0.2 },
  ],
  upstream: [{ path: '/', views: 40, share: 0.4 }],
  again: 0,
  exits: 70,
  downstream: [{ path: '/cart', views: 30, share: 0.3 }],
  againNext: 0,
};
const tree = (under: string): Tree => {
  const node = { pages: 1, views: 30, visitors: 20, visits: 25, avgTimeOnPage: 12 };
  return {
    under,
    views: 100,
    more: false,
    nodes:
      under === '/'
        ? [
            { ...node, path: '/docs/', kind: 'directory', pages: 3, views: 60 },
            { ...node, path: '/about', kind: 'page' },
          ]
        : [{ ...node, path: `${under}install`, kind: 'page' }],
  };
};
const shares: KnownShares = { search: 200, keyword: 14, referred: 50, referrerPath: 0 };
const movers: Movers = { fresh: [{ key: 'v2ex.com', now: 12, before: 0 }], rising: [{ key: 'zhihu.com', now: 90, before: 30 }], falling: [] };
const outlook: Outlook = { soFar: 500, forecast: { low: 900, middle: 1000, high: 1200, days: 4 }, best: { day: '2026-10-01', value: 480 } };
const distribution: Distribution = {
  of: 'views',
  visitors: 50,
  buckets: [
    { key: '1', visitors: 30, visits: 30, views: 30, share: 0.6 },
    { key: '6-10', visitors: 20, visits: 40, views: 150, share: 0.4 },
  ],
};
const rowsBy: Answer = (request) => {
  const query = new URL(request.url).searchParams;
  const base = answerReport(request);
  const rows = {
    province: [row('CN-GD', 80), row('CN-ZJ', 20), row('', 10, { share: 0.1 })],
    country: [row('CN', 90), row('US', 10), row('SM', 1)],
    pages: [row('1', 60), row('6-10', 40)],
  }[query.get('by') ?? ''];
  return rows === undefined ? base : { data: report({ ...base.data, rows, rowCount: rows.length }) };
};
const answers: Record<string, Answer> = {
  [at('report')]: rowsBy,
  [at('install')]: { data: install() },
  [at('values')]: { data: ['/tea', '/cart'] },
  [at('tree')]: (request) => ({ data: tree(new URL(request.url).searchParams.get('under') ?? '/') }),
  [at('flow')]: { data: flow },
  [at('coverage')]: { data: shares },
  [at('movers')]: { data: movers },
  [at('outlook')]: { data: outlook },
  [at('distribution')]: { data: distribution },
};

let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (path: string, change: Record<string, Answer> = {}, locale: 'zh-CN' | 'en' = 'zh-CN') => {
  app = await renderApp(`/site/${site}/als/${path}`, { locale, answers: { ...answers, ...change } });
  return app;
};
const search = () => new URLSearchParams(app.router.state.location.search);
const queriesOf = (name: string) => app.server.calls(at(name)).map((call) => new URLSearchParams(call.search));
const main = () => app.container.querySelector('main') ?? app.container;
afterEach(() => app.end());

describe('the map', () => {
  test('arrow keys read regions by rank, and Enter opens cities', async () => {
    const { person } = await open('loc/provinces');
    const map = await screen.findByRole('group', { name: /^省份分布：用方向键/ });
    expect(await screen.findByText(/位置未知，列在表中/)).toHaveTextContent('10.0%');
    act(() => map.focus());
    await person.keyboard('{ArrowDown}');
    expect(await screen.findByText(/^第 1 位、广东、访问次数 160/)).toBeInTheDocument();
    await person.keyboard('{ArrowDown}');
    expect(await screen.findByText(/^第 2 位、浙江/)).toBeInTheDocument();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(app.router.state.location.pathname).toBe(`/site/${site}/als/loc/cities`));
    expect(search().getAll('filter')).toEqual(['province:is:CN-ZJ']);
  });
  test('the table shows the same data, including unknown and outline-less regions', async () => {
    const { person } = await open('loc/countries');
    expect(await screen.findByText(/圣马力诺在地图上没有轮廓/)).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: '查看表格' }));
    const table = await screen.findByRole('table', { name: '国家/地区分布' });
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map((cell) => cell.textContent),
    ).toEqual(['合计', '中国', '美国', '圣马力诺']);
    expect(await violationsOf(main())).toEqual([]);
  });
  test('clicking China opens its provinces with the same filters', async () => {
    const { person } = await open('loc/countries?filter=os%3Ais%3AiOS');
    await screen.findByRole('group', { name: /^国家\/地区分布：用方向键/ });
    const china = app.container.querySelector('path[data-code="CN"]');
    if (china === null) throw new Error('no outline of China');
    await person.click(china);
    await waitFor(() => expect(app.router.state.location.pathname).toBe(`/site/${site}/als/loc/provinces`));
    expect(search().getAll('filter')).toEqual(['os:is:iOS', 'country:is:CN']);
  });
});

describe('the directory tree', () => {
  test('levels load when opened by keyboard and are in the address', async () => {
    const { person } = await open('path?view=tree');
    const grid = await screen.findByRole('treegrid');
    const docs = within(grid).getByRole('row', { name: /^docs\// });
    expect(queriesOf('tree').map((query) => query.get('under'))).toEqual(['/']);
    act(() => docs.focus());
    await person.keyboard('{ArrowRight}');
    expect(await within(grid).findByRole('row', { name: /^install/ })).toHaveAttribute('aria-level', '2');
    expect(search().get('at')).toBe('/docs/');
    await person.keyboard('{ArrowRight}');
    expect(document.activeElement).toHaveAttribute('data-path', '/docs/install');
    await person.keyboard('{ArrowLeft}{ArrowLeft}');
    await waitFor(() => expect(search().has('at')).toBe(false));
    expect(within(grid).queryByRole('row', { name: /^install/ })).not.toBeInTheDocument();
    await person.keyboard('{End}{Enter}');
    await waitFor(() => expect([search().get('view'), search().get('at')]).toEqual(['flow', '/about']));
  });
  test('a link opens the same levels, and a failed one retries', async () => {
    let broken = true;
    const { person } = await open('path?view=tree&at=%2Fdocs%2F', {
      [at('tree')]: (request) => {
        const under = new URL(request.url).searchParams.get('under') ?? '/';
        return under === '/docs/' && broken ? { error: 'x', status: 500, code: 'internal', requestId: 'req-3' } : { data: tree(under) };
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('req-3');
    expect(screen.getByRole('row', { name: /^about/ })).toBeInTheDocument();
    broken = false;
    await person.click(screen.getByRole('button', { name: '重试' }));
    expect(await screen.findByRole('row', { name: /^install/ })).toBeInTheDocument();
    expect(await violationsOf(main())).toEqual([]);
  });
});

describe('the flow around a page', () => {
  test('neighbours open their own flow, and a source filters', async () => {
    const { person } = await open('path?view=flow&at=%2Ftea');
    const drawing = await screen.findByRole('group', { name: '“/tea”的上下游流向图' });
    expect(within(drawing).getByRole('button', { name: /^百度 · 广告/ })).toBeInTheDocument();
    expect(screen.getByText('离开网站')).toBeInTheDocument();
    expect(await violationsOf(main())).toEqual([]);
    await person.click(within(drawing).getByRole('button', { name: /^\/cart/ }));
    await waitFor(() => expect(search().get('at')).toBe('/cart'));
    await waitFor(() => expect(queriesOf('flow').at(-1)?.get('path')).toBe('/cart'));
    await act(() => app.router.navigate(-1));
    await waitFor(() => expect(search().get('at')).toBe('/tea'));
    await person.click(await screen.findByRole('button', { name: /^百度 · 广告/ }));
    expect(search().getAll('filter')).toEqual(['sourceType:is:ad', 'sourceName:is:百度']);
  });
  test('without a page it asks for one and accepts a URL', async () => {
    const { person } = await open('path?view=flow');
    expect(await screen.findByRole('table', { name: '选择一个页面' })).toHaveTextContent('/tea');
    await person.type(screen.getByRole('combobox', { name: '页面' }), 'https://shop.example/cart?x=1');
    await person.click(screen.getByRole('button', { name: '查看' }));
    await waitFor(() => expect(search().get('at')).toBe('/cart'));
  });
  test('a page without views shows a message', async () => {
    await open('path?view=flow&at=%2Fnowhere', {
      [at('flow')]: { data: { ...flow, views: 0, entries: 0, sources: [], upstream: [], exits: 0, downstream: [] } },
    });
    expect(await screen.findByText('这段时间没有浏览过这个页面。')).toBeInTheDocument();
  });
});

describe('distributions', () => {
  test('every bucket has a row, and a click filters by it', async () => {
    const { person } = await open('character/pv');
    const table = await screen.findByRole('table', { name: '访问页数' });
    const names = within(table)
      .getAllByRole('rowheader')
      .map((cell) => cell.textContent);
    expect(names).toEqual(['合计', '1 页', '2 页', '3 页', '4 页', '5 页', '6–10 页', '11–20 页', '21–50 页', '51–100 页', '超过 100 页']);
    await person.click(within(table).getByRole('button', { name: '6–10 页' }));
    expect(search().getAll('filter')).toEqual(['pages:is:6-10']);
  });
  test('every bucket shows its share as a bar', async () => {
    await open('character/pv');
    const table = await screen.findByRole('table', { name: '访问页数' });
    expect(within(table).getByRole('columnheader', { name: '占比' })).toBeInTheDocument();
    expect(within(table).getByRole('row', { name: /^6–10 页/ })).toHaveTextContent('%');
  });
  test('the counting unit is in the address, request and file', async () => {
    const { person } = await open('character/upv');
    await person.click(await screen.findByRole('button', { name: '人均浏览量' }));
    expect(search().get('view')).toBe('perViews');
    const table = await screen.findByRole('table', { name: '人均浏览量' });
    expect(within(table).getByRole('row', { name: /^6–10 页/ })).toHaveTextContent('40.0%');
    expect(queriesOf('distribution')[0]?.get('of')).toBe('views');
    const [link] = screen.getAllByRole('link', { name: '导出 CSV' });
    expect(link?.getAttribute('href')).toContain('/als/distribution/export?');
  });
});

describe('a site without visitor ids', () => {
  const cookieless: Record<string, Answer> = { 'GET /api/core/load/rpm': { data: startUp({ sites: [siteOf({ identity: 'cookieless' })] }) } };
  test.each(['character/ago', 'visitor', 'character/fr?range=last30'])('explains why %s is unavailable and links to the setting', async (path) => {
    await open(path, cookieless);
    expect(await screen.findByText('当前的访客识别方式无法统计这一项')).toBeInTheDocument();
    expect(screen.queryByText('首次访问')).not.toBeInTheDocument();
    expect(queriesOf('distribution')).toEqual([]);
  });
  test('still splits visits by page count and by visitor within a day', async () => {
    await open('character/fr?range=yesterday', cookieless);
    expect(await screen.findByRole('table', { name: '时段内访问次数' })).toBeInTheDocument();
  });
});

test('coverage is a meter with its reason', async () => {
  const { person } = await open('keyword');
  const meter = await screen.findByRole('meter', { name: '搜索词覆盖率' });
  expect(meter).toHaveAttribute('aria-valuenow', '7');
  expect(screen.getByText('搜索词已知 7%')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: /为什么？$/ }));
  expect(await screen.findByRole('dialog', { name: '搜索词覆盖率' })).toHaveTextContent('2015 年');
});

test('rising and new sources are listed when there is a comparison', async () => {
  const { person } = await open('external/so?compare=none');
  expect(await screen.findByText(/选择对比期后/)).toBeInTheDocument();
  expect(queriesOf('movers')).toEqual([]);
  await person.click(screen.getByRole('button', { name: '对比上一周期' }));
  expect(await screen.findByRole('table', { name: '变化最大、新增' })).toHaveTextContent('v2ex.com');
  expect(screen.getByRole('table', { name: '变化最大、上升' })).toHaveTextContent('+60');
  expect(screen.getByText('没有下降。')).toBeInTheDocument();
});

test('the chart reads the forecast for the day in progress', async () => {
  const { person } = await open('overview');
  const chart = await screen.findByRole('group', { name: /^趋势，/ });
  await waitFor(() => expect(queriesOf('outlook')).toHaveLength(1));
  act(() => chart.focus());
  await person.keyboard('{End}');
  expect(await screen.findByText('900 – 1,200')).toBeInTheDocument();
});

test('a range that ended before today has no forecast', async () => {
  await open('overview?from=2026-11-01&to=2026-11-07');
  await screen.findByRole('group', { name: /^趋势，/ });
  expect(queriesOf('outlook')).toHaveLength(0);
});

test('everything exists in English too', async () => {
  await open('loc/provinces', {}, 'en');
  expect(await screen.findByRole('group', { name: /^Provinces: arrow keys/ })).toBeInTheDocument();
  app.end();
  await open('character/pv', {}, 'en');
  expect(await screen.findByRole('table', { name: 'Pages per visit' })).toHaveTextContent('over 100 pages');
});
