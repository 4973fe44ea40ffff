import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ensureMessages, startI18n } from '@/i18n';
import { violationsOf } from '../../test/support/axe';
import { DataTable } from './DataTable';
import type { Column } from './tableColumns';
import type { DataTableProps } from './tableProps';

type Row = { id: string; visits: number; rate: number };
const rows: Row[] = [
  { id: '/b', visits: 5, rate: 0.2 },
  { id: '/a', visits: 9, rate: 0.1 },
  { id: '/c', visits: 5, rate: 0.5 },
];
const columns: Column<Row>[] = [
  { id: 'page', name: '页面', sortable: true, value: (row) => row.id, cell: (row) => row.id },
  {
    id: 'visits',
    name: '访问',
    numeric: true,
    sortable: true,
    value: (row) => row.visits,
    cell: (row) => row.visits,
    total: '19',
    share: (row) => row.visits / 19,
  },
  { id: 'rate', name: '跳出率', numeric: true, sortable: true, value: (row) => row.rate, cell: (row) => row.rate },
  { id: 'more', name: '时长', numeric: true, extra: true, cell: () => '1 分' },
];

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['chart']);
});
beforeEach(() => localStorage.clear());

const show = (change: Partial<DataTableProps<Row>> = {}) => ({
  ...render(<DataTable label="页面" columns={columns} rows={rows} rowKey={(row) => row.id} {...change} />),
  person: userEvent.setup(),
});
const order = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);

test('a header sorts, a second click reverses, Shift adds a column', async () => {
  const { person } = show();
  await person.click(screen.getByRole('button', { name: '访问' }));
  expect(order()).toEqual(['/a', '/b', '/c']);
  expect(screen.getByRole('columnheader', { name: '访问' })).toHaveAttribute('aria-sort', 'descending');
  await person.keyboard('{Shift>}');
  await person.click(screen.getByRole('button', { name: '跳出率' }));
  await person.keyboard('{/Shift}');
  expect(order()).toEqual(['/a', '/c', '/b']);
});

test('with server sorting a click requests it and keeps the rows', async () => {
  const sortRequests: unknown[] = [];
  const { person } = show({ sort: [{ id: 'visits', dir: 'desc' }], onSort: (sort) => sortRequests.push(sort) });
  await person.click(screen.getByRole('button', { name: '跳出率' }));
  expect(sortRequests).toEqual([[{ id: 'rate', dir: 'desc' }]]);
  expect(order()).toEqual(['/b', '/a', '/c']);
});

test('Tab enters once, arrows move through the rows, Enter acts', async () => {
  const chosen: string[] = [];
  const { person } = show({ onRow: (row) => chosen.push(row.id) });
  act(() => screen.getByRole('button', { name: '/b' }).focus());
  await person.keyboard('{ArrowDown}');
  await act(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => done());
      }),
  );
  expect(screen.getByRole('button', { name: '/a' })).toHaveFocus();
  await person.keyboard('{Enter}');
  expect(chosen).toEqual(['/a']);
  expect(screen.getAllByRole('button', { name: /^\// }).filter((one) => one.tabIndex === 0)).toHaveLength(1);
});

test('a row opens its details by pointer and keyboard', async () => {
  const { person } = show({ detail: (row) => <p>Detail of {row.id}</p> });
  const first = screen.getByRole('button', { name: '/b' });
  expect(first).toHaveAttribute('aria-expanded', 'false');
  act(() => first.focus());
  await person.keyboard('{ArrowRight}');
  expect(screen.getByText('Detail of /b')).toBeVisible();
  await person.keyboard('{ArrowLeft}');
  expect(screen.queryByText('Detail of /b')).not.toBeInTheDocument();
  await person.click(screen.getByText('/c'));
  expect(screen.getByText('Detail of /c')).toBeVisible();
});

test('totals come from the caller, never from adding rows', () => {
  show({ totalLabel: '合计' });
  const total = screen.getByRole('row', { name: /^合计/ });
  expect(within(total).getByText('19')).toBeVisible();
});

test('the selected columns are remembered', async () => {
  const { person, unmount } = show({ remember: 'test' });
  await person.click(screen.getByRole('button', { name: 'Choose columns' }));
  await person.click(screen.getByRole('menuitemcheckbox', { name: '时长' }));
  await person.click(screen.getByRole('menuitemcheckbox', { name: '跳出率' }));
  unmount();
  show({ remember: 'test' });
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['页面', '访问', '时长']);
});

test('only the visible rows of ten thousand are rendered', () => {
  const height = jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(640);
  const many = Array.from({ length: 10_000 }, (_, at) => ({ id: `/page-${at}`, visits: at, rate: 0 }));
  show({ rows: many });
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10000');
  expect(screen.getAllByRole('rowheader').length).toBeLessThan(100);
  expect(screen.getByText('/page-3')).toBeVisible();
  height.mockRestore();
});

test('an empty table says why, and axe finds nothing', async () => {
  const { container, rerender } = show({ totalLabel: '合计', onRow: () => undefined, actions: () => <a href="/x">访问</a> });
  expect(await violationsOf(container)).toEqual([]);
  rerender(<DataTable label="页面" columns={columns} rows={[]} rowKey={(row) => row.id} empty="No data in this range" />);
  expect(screen.getByText('No data in this range')).toBeVisible();
});
