import { act, screen } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { fireClipboard, gridColumn, loadGridMessages, makeRowSource, renderGrid } from '../../../../test/support/gridScreen';
import type { CellViewProps, GridGroup } from './types';

beforeAll(loadGridMessages);

test('a million rows render few elements and request only visible pages', async () => {
  const { source } = renderGrid(1_000_000, {}, makeRowSource(1_000_000, 0));
  expect(screen.getByRole('grid', { name: '文章' })).toHaveAttribute('aria-rowcount', '1000001');
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  await act(() => Promise.resolve());
  const [from, to] = source.want.mock.lastCall ?? [];
  expect(from).toBe(0);
  expect(to).toBeGreaterThan(15);
  expect(to).toBeLessThan(40);
});

test('loaded rows replace placeholders and unchanged rows are not rendered again', async () => {
  const views = jest.fn();
  const Counted = ({ value }: CellViewProps) => {
    views();
    return <span>{String(value)}</span>;
  };
  const list = makeRowSource(10, 5);
  renderGrid(10, { columns: [gridColumn('a', { View: Counted })] }, list);
  expect(views).toHaveBeenCalledTimes(5);
  act(() => list.addRows(5, 10));
  expect(screen.getByText('t9')).toBeInTheDocument();
  expect(views).toHaveBeenCalledTimes(10);
  act(() => list.putRow(3, { ...list.row(3), values: { a: '新' } }));
  expect(views).toHaveBeenCalledTimes(11);
});

test('groups fold by click and key, and folded rows are skipped', async () => {
  const groups: GridGroup[] = [
    { id: 'g1', depth: 0, label: '草稿', name: '草稿', first: 0, count: 2 },
    { id: 'g2', depth: 0, label: '已发布', name: '已发布', first: 2, count: 3 },
  ];
  const onFold = jest.fn();
  const { user, activate, activeText, onPaste, keyField } = renderGrid(5, { groups, folded: new Set(['g1']), onFold });
  expect(screen.queryByText('"t0"')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Expand “草稿”' }));
  expect(onFold).toHaveBeenLastCalledWith('g1', false);
  activate(2, 'a');
  await user.keyboard('{ArrowUp}{ArrowLeft}');
  expect(onFold).toHaveBeenLastCalledWith('g2', true);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(activeText()).toBe('"t3"');
  fireClipboard('paste', keyField(), { 'text/plain': 'p\nq\nr' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({ rows: [3, 4] });
});

test('the active cell stays with its row when rows are inserted', async () => {
  const list = makeRowSource(10);
  const { activate, activeText } = renderGrid(10, {}, list);
  activate(4, 'a');
  act(() => {
    for (let index = 9; index > 2; index -= 1) list.putRow(index, list.source.row(index - 1) ?? list.row(0));
    list.putRow(2, { id: 'new', values: { a: '别人的' } });
  });
  expect(activeText()).toBe('"t4"');
});

test('an error mark has its message, and a pending value is busy', () => {
  const list = makeRowSource(5);
  list.putRow(1, { ...list.row(1), marks: { a: { error: '已有相同的标题' }, n: { saving: true } } });
  renderGrid(5, {}, list);
  const cell = screen.getByText('已有相同的标题').closest('[role=gridcell]');
  expect(cell).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getByText('"1"').closest('[role=gridcell]')).toHaveAttribute('aria-busy', 'true');
});

test('axe finds nothing', async () => {
  const { activate, rendered } = renderGrid(5, { onCheck: jest.fn(), onCheckAll: jest.fn(), onAddRow: jest.fn(), onAddField: jest.fn(), onFooter: jest.fn() });
  activate(1, 'a');
  expect(await violationsOf(rendered.container)).toEqual([]);
});
