import { api } from '@/store/api';
import { makeStore } from '@/store';
import type { Answer } from '../../../test/support/fakeServer';
import { fakeServer } from '../../../test/support/fakeServer';
import { analyticsApi } from './analyticsApi';
import { reportTogether } from './reportsTogether';

const range = { from: '2026-11-20', to: '2026-11-20' } as const;
const one = 'GET /api/site/tea/als/report';
const named = (by: string | null): Answer => ({ data: { rows: [by] } });
/** Answers with the dimension that was asked for, and refuses one of them. */
const echo = (request: Request): Answer => {
  const by = new URL(request.url).searchParams.get('by');
  return by === 'isp' ? { error: 'Not these days', status: 422, code: 'range_not_allowed' } : named(by);
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  server = fakeServer({ [one]: echo });
});
afterEach(() => server.restore());

test('reports needed together fill their own entries, and fail alone', async () => {
  const { dispatch } = makeStore();
  const results = await Promise.all(
    (['path', 'isp', 'browser'] as const).map((by) => dispatch(analyticsApi.endpoints.report.initiate({ siteId: 'tea', ...range, by }))),
  );
  expect(results.map(({ data, error }) => data?.rows ?? error)).toEqual([
    ['path'],
    expect.objectContaining({ kind: 'api', status: 422, code: 'range_not_allowed', message: 'Not these days' }),
    ['browser'],
  ]);
  dispatch(api.util.resetApiState());
});

describe('requests', () => {
  const ask = async (items: readonly { readonly siteId: string; readonly filter?: string }[]) => {
    const sent: string[] = [];
    const all = items.map(({ siteId, filter }) =>
      reportTogether({ siteId, ...range, ...(filter === undefined ? {} : { filter }) }, (request) => {
        sent.push(request.url);
        const { q } = request.params ?? {};
        return { data: Array.isArray(q) ? q.map(() => ({ data: {} })) : {} };
      }),
    );
    await Promise.all(all);
    return sent;
  };

  test('one alone is a call of its own', async () => {
    expect(await ask([{ siteId: 'tea' }])).toEqual(['/api/site/tea/als/report']);
  });

  test('several of one site are one call, other sites another', async () => {
    expect(await ask([{ siteId: 'tea' }, { siteId: 'port' }, { siteId: 'tea' }])).toEqual(['/api/site/tea/als/reports', '/api/site/port/als/report']);
  });

  test('more than twelve, or long ones, are several calls', async () => {
    expect(await ask(Array.from({ length: 13 }, () => ({ siteId: 'tea' })))).toHaveLength(2);
    const filter = `path:is:/${'x'.repeat(500)}`;
    expect(await ask(Array.from({ length: 12 }, () => ({ siteId: 'tea', filter })))).toHaveLength(2);
  });

  const failed = (status: number) => ({ kind: 'api', method: 'GET', url: '/', status, message: '' }) as const;
  test.each([
    ['after a refusal, each report is sent alone', () => ({ error: failed(403) }), 2],
    ['a report that failed in passing is sent alone', () => ({ data: [{ data: {} }, { error: 'busy', status: 503 }] }), 1],
    ['another failure of the call is that of each report', () => ({ error: failed(500) }), 0],
  ] as const)('%s', async (_what, together, alone) => {
    const sent: string[] = [];
    const results = await Promise.all(
      ['tea', 'tea'].map((siteId) =>
        reportTogether({ siteId, ...range }, (request) => {
          sent.push(request.url);
          return request.params?.['q'] === undefined ? { data: {} } : together();
        }),
      ),
    );
    expect(sent).toEqual(['/api/site/tea/als/reports', ...Array.from({ length: alone }, () => '/api/site/tea/als/report')]);
    expect(results.map(({ error }) => error?.status)).toEqual(alone === 0 ? [500, 500] : [undefined, undefined]);
  });
});
