import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { analyticsApi } from '@/features/analytics/analyticsApi';
import { violationsOf } from '../../../test/support/axe';
import { site as makeSite, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';
import { answerReport, install, online } from '../../../test/support/reports';

// A whole console is drawn: on a busy machine that takes its time.
jest.setTimeout(60_000);
// Working out what is hidden takes most of the time in jsdom, and nothing is hidden here but behind an open dialog.
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
  const live = await screen.findByRole('region', { name: '实时' });
  await waitFor(() => expect(live).toHaveTextContent('当前在线 3'));
  const today = await screen.findByRole('region', { name: '今天' });
  await waitFor(() => expect(today).toHaveTextContent('访客数 (UV) 400+25%'));
  expect(await screen.findByRole('table', { name: '热门页面' })).toHaveTextContent('/tea');
  expect(await screen.findByRole('table', { name: '来源' })).toHaveTextContent('直接访问');
  expect(screen.queryByText('安装统计代码')).not.toBeInTheDocument();
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('each section links to its screen', async () => {
  await open();
  expect(await screen.findByRole('link', { name: '查看全部 实时' })).toHaveAttribute('href', `/site/${site}/als/latest`);
  expect(screen.getByRole('link', { name: '查看全部 热门页面' })).toHaveAttribute('href', `/site/${site}/als/overview?by=path&sort=views.desc`);
});

test('a failed section does not affect the others', async () => {
  await open({ [`GET /api/site/${site}/als/online`]: { error: '统计数据库暂时不可用', status: 500, code: 'internal', requestId: 'req-5' } });
  const live = await screen.findByRole('region', { name: '实时' });
  expect(await within(live).findByRole('alert')).toHaveTextContent('req-5');
  expect(await screen.findByRole('table', { name: '热门页面' })).toBeInTheDocument();
});

describe('before the first hit', () => {
  const waiting: Record<string, Answer> = {
    [installCall]: { data: install({ firstHitAt: null, scriptLoads: 2, refusals: [{ code: 'wrong_host', count: 3, lastAt: 0, host: 'other.example' }] }) },
  };

  test('the tag can be copied, with its address and refused hits', async () => {
    await open(waiting);
    expect(await screen.findByText('等待第一次访问…')).toBeInTheDocument();
    expect(screen.getByText(/data-site="abcdefghijkl"/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: '复制代码' })).toBeInTheDocument();
    expect(screen.getByText(/other\.example：域名不属于这个站点，3 次/)).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: '今天' })).not.toBeInTheDocument();
    expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
  });

  test('the page updates when the first hit arrives', async () => {
    await open(waiting);
    await screen.findByText('等待第一次访问…');
    app.server.answer(installCall, { data: install({ firstHitAt: Date.now() }) });
    act(() => {
      app.store.dispatch(analyticsApi.util.invalidateTags([{ type: 'Install', id: site }]));
    });
    expect(await screen.findByText('已收到第一次访问')).toBeInTheDocument();
    expect(await screen.findByRole('region', { name: '今天' })).toBeInTheDocument();
  });

  test('a check reports what is wrong and what to do', async () => {
    const { person } = await open({
      ...waiting,
      [`POST /api/site/${site}/als/install/check`]: {
        data: { url: 'https://tea.example/', at: 0, findings: [{ code: 'csp_blocks_script', level: 'bad', detail: "script-src 'self'" }] },
      },
    });
    await person.click(await screen.findByRole('button', { name: '立即检查' }));
    const result = await screen.findByRole('status', { name: '检查结果' });
    expect(result).toHaveTextContent('内容安全策略拦截了统计脚本');
    expect(result).toHaveTextContent('在 script-src 中加入 https://console.example。');
    expect(app.server.calls(`POST /api/site/${site}/als/install/check`)[0]?.body).toEqual({ url: 'https://tea.example' });
  });

  test('a site published here needs no tag, only a visit', async () => {
    await open({
      ...waiting,
      'GET /api/core/load/rpm': { data: startUp({ sites: [makeSite({ purpose: 'built', url: null, systemHost: 'http://tea.localhost:3001' })] }) },
    });
    expect(await screen.findByText(/不需要安装/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '打开网站' })).toHaveAttribute('href', 'http://tea.localhost:3001/');
    expect(screen.queryByRole('button', { name: '复制代码' })).not.toBeInTheDocument();
  });
});
