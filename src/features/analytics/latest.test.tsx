import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { phone } from '@/lib/useMedia';
import { violationsOf } from '../../../test/support/axe';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';
import { install, online, visit } from '../../../test/support/reports';

renderIn('zh-CN');

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
// Computing visibility is slow in jsdom, and only content behind an open dialog is hidden here.
configure({ defaultHidden: true });

const site = 'abcdefghijkl';
const call = `GET /api/site/${site}/als/latest`;
const answers: Record<string, Answer> = {
  [call]: {
    data: {
      rows: [
        visit('a'),
        visit('b', {
          last: visit('a').last - 5000,
          isNew: false,
          visitNo: 7,
          verdict: 'suspected',
          botReasons: ['datacentre'],
          city: 'Beijing',
          province: 'CN-BJ',
        }),
      ],
      next: 'c1',
    },
  },
  [`GET /api/site/${site}/als/online`]: { data: online() },
  [`GET /api/site/${site}/als/install`]: { data: install() },
};
let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (path: string, change: Record<string, Answer> = {}) => {
  app = await renderApp(`/site/${site}/als/${path}`, { answers: { ...answers, ...change } });
  return app;
};
afterEach(() => app.end());

test("it shows who is online and each visit's source and device", async () => {
  await open('latest');
  const table = await screen.findByRole('table', { name: '访问列表' });
  expect(screen.getByRole('region', { name: '当前在线' })).toHaveTextContent('3');
  const [first, second] = within(table).getAllByRole('row').slice(1);
  expect(first).toHaveTextContent('广东 深圳');
  expect(first).toHaveTextContent('百度 “龙井”');
  expect(first).toHaveTextContent('新访客');
  // A municipality is not named twice.
  expect(second).toHaveTextContent(/(?<!北京 )北京(?! 北京)/);
  expect(second).toHaveTextContent('第 7 次访问 疑似机器人');
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('on a phone page, source and device are below time and place', async () => {
  const { matchMedia } = window;
  const media = jest.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(matchMedia(query), { matches: query === phone }));
  await open('latest');
  const table = await screen.findByRole('table', { name: '访问列表' });
  const [, first] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent(/广东 深圳.*\/about.*百度.*iOS · Safari/);
  media.mockRestore();
});

test('the list keeps the days and segments of the figure', async () => {
  const segment = '0b8f9f5e-5a34-4a53-9d3c-0c7f6a1d2e3f';
  const { person, server } = await open(`latest?segment=${segment}&began=2026-11-01~2026-11-20`);
  await screen.findByRole('table', { name: '访问列表' });
  const lastQuery = () =>
    new URLSearchParams(
      server
        .calls(call)
        .map((one) => one.search)
        // The frame requests whether there are any visits.
        .filter((search) => !search.includes('size=1'))
        .at(-1),
    );
  expect([lastQuery().get('from'), lastQuery().get('to'), lastQuery().get('segment')]).toEqual(['2026-11-01', '2026-11-20', segment]);
  await person.click(screen.getByRole('button', { name: '显示全部时间' }));
  await waitFor(() => expect(lastQuery().has('from')).toBe(false));
  expect(screen.queryByText(/只列出/)).toBeNull();
});

test('a visit opens to its pages with times, then to events', async () => {
  const { person } = await open('latest?filter=city%3Ais%3AShenzhen');
  const table = await screen.findByRole('table', { name: '访问列表' });
  const [open1] = within(table).getAllByRole('button', { expanded: false });
  await person.click(open1 as HTMLElement);
  expect(table).toHaveTextContent('有效停留 30 秒 · 看到 80%');
  expect(table).toHaveTextContent('1 个事件');
  expect(within(table).getByRole('link', { name: /\/about/ })).toHaveAttribute(
    'href',
    `/site/${site}/als/latest/events/00000000000000a2?filter=city%3Ais%3AShenzhen`,
  );
});

test('older visits are added below until all are shown', async () => {
  const { person } = await open('latest', {
    [call]: (request) => ({
      data: new URL(request.url).searchParams.get('cursor') === 'c1' ? { rows: [visit('z', { last: 1 })], next: null } : { rows: [visit('a')], next: 'c1' },
    }),
  });
  await person.click(await screen.findByRole('button', { name: '加载更早的访问' }));
  expect(await screen.findByText('已显示全部访问')).toBeInTheDocument();
  expect(within(screen.getByRole('table', { name: '访问列表' })).getAllByRole('rowheader')).toHaveLength(2);
});

test('filters of the address apply to the list and online visitors', async () => {
  await open('latest?filter=city%3Ais%3AShenzhen&who=bots');
  await screen.findByRole('table', { name: '访问列表' });
  for (const endpoint of [call, `GET /api/site/${site}/als/online`]) {
    const query = new URLSearchParams(app.server.calls(endpoint)[0]?.search);
    expect([endpoint, query.get('filter'), query.get('who')]).toEqual([endpoint, 'city:is:Shenzhen', 'bots']);
  }
});

test('a page view shows its timeline, properties and neighbours', async () => {
  const events = `GET /api/site/${site}/als/events/00000000000000a2`;
  const at = visit('a').start;
  const event = { url: '', title: '', name: '', engagedMs: 0, scroll: 0, props: {} };
  await open('latest/events/00000000000000a2', {
    [events]: {
      data: {
        visit: visit('a'),
        pageId: '00000000000000a2',
        previous: '00000000000000a1',
        next: null,
        events: [
          { ...event, seq: 0, at, kind: 'view', url: 'https://tea.example/about' },
          { ...event, seq: 1, at: at + 9000, kind: 'event', name: '预订', props: { 人数: 2 } },
        ],
      },
    },
  });
  const item = (await screen.findByText('事件 预订')).closest('li');
  expect(item).toHaveTextContent('+9 秒');
  expect(item).toHaveTextContent('人数2');
  expect(screen.getByRole('link', { name: '上一页' })).toHaveAttribute('href', `/site/${site}/als/latest/events/00000000000000a1`);
  expect(screen.getByRole('button', { name: '下一页' })).toBeDisabled();
  expect(await violationsOf(app.container.querySelector('main') ?? app.container)).toEqual([]);
});

test('an unknown page view shows a message and a link back', async () => {
  await open('latest/events/00000000000000ff');
  expect(await screen.findByText('没有这次页面浏览')).toBeInTheDocument();
  await waitFor(() => expect(screen.getAllByRole('link', { name: '返回实时访问' }).length).toBeGreaterThan(0));
});

describe('with a stream', () => {
  type Stream = { readyState: number; onopen?: () => void; onerror?: () => void; close: () => void };
  const streams: Stream[] = [];
  beforeEach(() => {
    streams.length = 0;
    const pretended = function pretended() {
      const stream: Stream = { readyState: 1, close: () => undefined };
      streams.push(stream);
      return stream;
    };
    Object.defineProperty(globalThis, 'EventSource', { configurable: true, value: pretended });
  });
  afterEach(() => {
    app.end();
    Reflect.deleteProperty(globalThis, 'EventSource');
  });

  test('"live" is shown only while the stream is open', async () => {
    await open('latest');
    await screen.findByRole('table', { name: '访问列表' });
    await waitFor(() => expect(streams.length).toBeGreaterThan(0));
    act(() => streams.at(-1)?.onopen?.());
    expect(await screen.findByText('实时更新')).toBeInTheDocument();
    // The server is killed.
    act(() => {
      const stream = streams.at(-1) as Stream;
      stream.readyState = 0;
      stream.onerror?.();
    });
    expect(await screen.findByText('正在重新连接…', undefined, { timeout: 5000 })).toBeInTheDocument();
    expect(screen.queryByText('实时更新')).not.toBeInTheDocument();
    act(() => streams.at(-1)?.onopen?.());
    expect(await screen.findByText('实时更新')).toBeInTheDocument();
  });
});
