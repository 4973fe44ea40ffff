import { configure, screen, waitFor, within } from '@testing-library/react';
import type { Funnel, Goal } from '@contract/insights/schemas';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../../test/support/renderApp';
import { answerReport, install } from '../../../../test/support/reports';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });
renderIn('zh-CN');

const site = 'abcdefghijkl';
const path = `/api/site/${site}/als`;
const id = '11111111-1111-4111-8111-111111111111';
const page = { kind: 'page', match: 'is', path: '/thanks' } as const;
const created = { id, createdAt: '2026-11-01T00:00:00Z', author: 'Ann', revision: 1 };
const goal: Goal = { ...created, name: '下单', condition: page, worth: { kind: 'none' } };
const funnel: Funnel = { ...created, name: '购买', steps: [page, page], within: 7 * 24 * 60, scope: 'visitor' };
const step = { visitors: 10, rate: 1, stepRate: null, dropped: 0, medianSeconds: null };

let app: Awaited<ReturnType<typeof renderApp>>;
const open = async (screenPath: string, answers: Record<string, Answer>) => {
  app = await renderApp(`/site/${site}/als/${screenPath}`, {
    answers: {
      [`GET ${path}/report`]: answerReport,
      [`GET ${path}/install`]: { data: install() },
      [`GET ${path}/goals`]: { data: [goal] },
      [`GET ${path}/segments`]: { data: [] },
      [`GET ${path}/annotations`]: { data: [] },
      ...answers,
    },
  });
};
afterEach(() => app.end());

test('a goal is removed only after a confirmation', async () => {
  const removal = `DELETE ${path}/goals/${id}`;
  await open('goal', { [removal]: { data: null } });
  await app.person.click(await screen.findByRole('button', { name: '删除 下单' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '取消' }));
  expect(app.server.calls(removal)).toHaveLength(0);
  await app.person.click(screen.getByRole('button', { name: '删除 下单' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('已删除目标“下单”')).toBeInTheDocument();
  expect(app.server.calls(removal)).toHaveLength(1);
});

test('removing a goal can be undone', async () => {
  const restoring = `POST ${path}/goals/${id}/restore`;
  await open('goal', { [`DELETE ${path}/goals/${id}`]: { data: null }, [restoring]: { data: goal } });
  await app.person.click(await screen.findByRole('button', { name: '删除 下单' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }));
  await app.person.click(await screen.findByRole('button', { name: '撤销' }));
  await waitFor(() => expect(app.server.calls(restoring)).toHaveLength(1));
});

test('the time limit of a funnel is in its largest whole unit', async () => {
  await open('funnel', {
    [`GET ${path}/funnels`]: { data: [funnel] },
    [`GET ${path}/funnels/${id}/result`]: { data: { steps: [step, { ...step, visitors: 4, rate: 0.4, stepRate: 0.4, dropped: 6 }] } },
  });
  expect(await screen.findByText(/^7 天内完成/)).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('list', { name: '购买' })).toHaveTextContent('/thanks'));
});

test('the total of retention leaves out unfinished periods', async () => {
  const cohorts = [
    { from: '2026-11-02', to: '2026-11-02', visitors: 100, returned: [30, 10], closed: 2 },
    { from: '2026-11-03', to: '2026-11-03', visitors: 300, returned: [10, 3], closed: 1 },
  ];
  await open('retention', { [`GET ${path}/retention`]: { data: { known: true, unit: 'day', periods: 2, cohorts } } });
  const total = await screen.findByRole('row', { name: /^合计/ });
  expect(
    within(total)
      .getAllByRole('cell')
      .map((one) => one.textContent),
  ).toEqual(['400', '10.0%', '10.0%']);
  expect(screen.getByRole('row', { name: /^11月3日 周二/ })).toHaveTextContent('1.0%');
});
