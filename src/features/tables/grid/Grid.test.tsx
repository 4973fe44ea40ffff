import { act, createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { faultsOf } from '../../../../test/support/axe';
import { ensureMessages, startI18n } from '@/i18n';
import { Grid } from './Grid';
import { clipType } from './gestures';
import type { CellViewProps, GridColumn, GridGroup, GridHandle, GridProps, GridRow, RowSource } from './types';

beforeAll(async () => {
  await startI18n('zh-CN');
  await ensureMessages(['tableGrid']);
});

const View = ({ value }: CellViewProps) => <span>{value === null ? '' : JSON.stringify(value)}</span>;
const column = (id: string, more: Partial<GridColumn> = {}): GridColumn => ({
  id,
  title: `字段 ${id}`,
  width: 120,
  edit: 'text',
  kind: 'text',
  View,
  toText: String,
  ...more,
});
const columns = [
  column('a', { pinned: true }),
  column('n', { kind: 'number', series: 'number', parse: (text) => (/^\d+$/.test(text) ? { value: text } : { fault: '要填数字' }) }),
  column('s', { edit: 'toggle', kind: 'switch' }),
  column('x', { edit: 'none' }),
];
/** A list of any length, of which only some rows are known; `load` and `want` make others known. */
function makeSource(count: number, known = count) {
  const rows = new Map<number, GridRow>();
  const hearers = new Set<() => void>();
  let version = 0;
  const row = (index: number): GridRow => ({ id: `r${String(index)}`, values: { a: `t${String(index)}`, n: String(index), s: false, x: 'fix' } });
  const learn = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) if (!rows.has(index)) rows.set(index, row(index));
    version += 1;
    for (const hear of hearers) hear();
  };
  learn(0, known);
  const source = {
    count: () => count,
    row: (index) => rows.get(index),
    want: jest.fn(),
    load: jest.fn((from: number, to: number) => Promise.resolve(Array.from({ length: to - from }, (_, place) => row(from + place)))),
    subscribe: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    version: () => version,
  } satisfies RowSource;
  const put = (index: number, next: GridRow): void => {
    rows.set(index, next);
    version += 1;
    for (const hear of hearers) hear();
  };
  return { source, learn, put, row };
}
function open(count = 20, more: Partial<GridProps> = {}, made = makeSource(count)) {
  const calls = {
    onWrite: jest.fn(),
    onPaste: jest.fn(),
    onOpen: jest.fn(),
    onNotice: jest.fn(),
    onUndo: jest.fn(),
    onRedo: jest.fn(),
    onMoveColumn: jest.fn(),
  };
  const handle: { current: GridHandle | null } = { current: null };
  const person = userEvent.setup();
  const shown = render(
    <div>
      <Grid label="文章" columns={columns} source={made.source} handle={handle} {...calls} {...more} />
      <button type="button">后面</button>
    </div>,
  );
  const focus = (): HTMLElement => screen.getByRole('textbox');
  const active = (): string => {
    const id = focus().getAttribute('aria-activedescendant');
    return (id === null ? null : document.getElementById(id))?.textContent ?? '';
  };
  /** Makes a cell active. */
  const go = (index: number, id: string) => act(() => handle.current?.show(index, id));
  return { ...calls, ...made, handle, person, focus, active, go, shown };
}
/** What a copy, cut or paste of the browser carries. */
function clip(kind: 'copy' | 'cut' | 'paste', target: HTMLElement, data: Record<string, string> = {}): Record<string, string> {
  const kept = { ...data };
  const event = createEvent[kind](target, {
    clipboardData: { getData: (type: string) => kept[type] ?? '', setData: (type: string, text: string) => (kept[type] = text) },
  });
  fireEvent(target, event);
  return kept;
}

test('a million rows are as light as thirty, are counted aloud, and only what is seen is asked for', async () => {
  const { source } = open(1_000_000, {}, makeSource(1_000_000, 0));
  expect(screen.getByRole('grid', { name: '文章' })).toHaveAttribute('aria-rowcount', '1000001');
  expect(screen.getAllByRole('row').length).toBeLessThan(40);
  await act(() => Promise.resolve());
  const [from, to] = source.want.mock.lastCall ?? [];
  expect(from).toBe(0);
  expect(to).toBeGreaterThan(15);
  expect(to).toBeLessThan(40);
});

test('rows that arrive replace their placeholders, and rows that did not change are not drawn again', async () => {
  const views = jest.fn();
  const Counted = ({ value }: CellViewProps) => {
    views();
    return <span>{String(value)}</span>;
  };
  const made = makeSource(10, 5);
  open(10, { columns: [column('a', { View: Counted })] }, made);
  expect(views).toHaveBeenCalledTimes(5);
  act(() => made.learn(5, 10));
  expect(screen.getByText('t9')).toBeInTheDocument();
  expect(views).toHaveBeenCalledTimes(10);
  act(() => made.put(3, { ...made.row(3), values: { a: '新' } }));
  expect(views).toHaveBeenCalledTimes(11);
});

test('typing replaces, Enter keeps and goes down; Escape gives up; what is unchanged is not written', async () => {
  const { go, person, onWrite, active, focus } = open();
  go(2, 'a');
  await person.keyboard('新标题{Enter}');
  expect(onWrite).toHaveBeenCalledWith([{ rowId: 'r2', index: 2, column: 'a', value: '新标题' }], 'edit');
  expect(active()).toBe('"t3"');
  await person.keyboard('不要{Escape}');
  expect(focus()).toHaveValue('');
  await person.keyboard('{F2}');
  expect(focus()).toHaveValue('t3');
  await person.keyboard('{Enter}');
  expect(onWrite).toHaveBeenCalledTimes(1);
  expect(active()).toBe('"t4"');
});

test('what cannot be kept stays in the cell with the reason, also when one presses elsewhere', async () => {
  const { go, person, onWrite, focus } = open();
  go(1, 'n');
  await person.keyboard('abc{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('要填数字');
  expect(focus()).toBeInvalid();
  await person.click(screen.getByText('"t5"'));
  expect(focus()).toHaveValue('abc');
  await person.clear(focus());
  await person.keyboard('7{Tab}');
  expect(onWrite.mock.calls).toEqual([[[{ rowId: 'r1', index: 1, column: 'n', value: '7' }], 'edit']]);
});

test('a word that is being typed when the screen is left is kept', async () => {
  const { go, person, onWrite, shown } = open();
  go(1, 'a');
  await person.keyboard('半句');
  shown.unmount();
  expect(onWrite).toHaveBeenCalledWith([{ rowId: 'r1', index: 1, column: 'a', value: '半句' }], 'edit');
});

test('an input method composes into the cell; its Enter is its own', async () => {
  const { go, focus, onWrite } = open();
  go(0, 'a');
  const field = focus();
  fireEvent.compositionStart(field);
  fireEvent.input(field, { target: { value: 'ni hao' } });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(onWrite).not.toHaveBeenCalled();
  fireEvent.input(field, { target: { value: '你好' } });
  fireEvent.compositionEnd(field);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onWrite.mock.lastCall?.[0]).toEqual([{ rowId: 'r0', index: 0, column: 'a', value: '你好' }]);
});

test('space turns a switch and opens the record elsewhere; what is computed says that it cannot be changed', async () => {
  const { go, person, onWrite, onOpen, onNotice, focus } = open();
  go(4, 's');
  await person.keyboard(' ');
  expect(onWrite).toHaveBeenLastCalledWith([{ rowId: 'r4', index: 4, column: 's', value: true }], 'toggle');
  go(4, 'a');
  await person.keyboard(' ');
  expect(onOpen.mock.lastCall?.[1]).toBe(4);
  go(4, 'x');
  await person.keyboard('q');
  expect(onNotice).toHaveBeenLastCalledWith('这里不能修改');
  expect(focus()).toHaveValue('');
});

test('a range is copied as text, HTML and values, emptied in one call, and read out', async () => {
  const { go, person, onWrite, focus } = open();
  go(1, 'a');
  await person.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
  expect(screen.getByText('已选 2 行 × 2 列')).toHaveAttribute('role', 'status');
  expect(screen.getAllByRole('gridcell', { selected: true })).toHaveLength(4);
  const kept = clip('copy', focus());
  expect(kept['text/plain']).toBe('t1\t1\nt2\t2');
  expect(kept['text/html']).toContain('<td>t2</td>');
  expect(JSON.parse(kept[clipType] ?? '')).toEqual({
    values: [
      ['t1', '1'],
      ['t2', '2'],
    ],
    kinds: ['text', 'number'],
  });
  await person.keyboard('{Delete}');
  expect(onWrite.mock.lastCall?.[0]).toHaveLength(4);
  expect(onWrite.mock.lastCall?.[1]).toBe('clear');
});

test('a paste is one call: over the end with rows to add, one value over the range, values where they are ours', async () => {
  const { go, person, onPaste, focus } = open(5);
  go(3, 'a');
  clip('paste', focus(), { 'text/plain': 'p\t1\nq\t2\nr\t3' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({
    rows: [3, 4],
    columns: ['a', 'n'],
    texts: [
      ['p', '1'],
      ['q', '2'],
      ['r', '3'],
    ],
    values: null,
  });
  go(0, 'a');
  await person.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  clip('paste', focus(), { 'text/plain': 'same', [clipType]: '{"values":[["same"]],"kinds":["text"]}' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({
    rows: [0, 1, 2],
    texts: [['same'], ['same'], ['same']],
    values: [['same'], ['same'], ['same']],
    kinds: ['text'],
  });
  go(0, 'n');
  clip('paste', focus(), { 'text/plain': '1\t2\t3\t4\t5', [clipType]: '{"values":"hostile"}' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({ columns: ['n', 's', 'x'], cutOff: 2, values: null });
});

describe('an empty grid', () => {
  const text = { 'text/plain': 'p\t1\ttrue\nq\t2\tfalse' };

  test('turns a paste into new rows, in the columns that can be written', () => {
    const readOnlyFirst = [column('x', { edit: 'none' }), ...columns.slice(0, 3)];
    const { onPaste, focus } = open(0, { columns: readOnlyFirst, onAddRow: jest.fn() });
    clip('paste', focus(), text);
    expect(onPaste.mock.lastCall?.[0]).toMatchObject({
      rows: [],
      columns: ['a', 'n', 's'],
      texts: [
        ['p', '1', 'true'],
        ['q', '2', 'false'],
      ],
      cutOff: 0,
    });
  });

  test('takes a paste from anywhere on the page but from a field', () => {
    const { onPaste, shown } = open(0, { onAddRow: jest.fn(), empty: <input aria-label="other" /> });
    clip('paste', screen.getByLabelText('other'), text);
    expect(onPaste).not.toHaveBeenCalled();
    clip('paste', document.body, text);
    expect(onPaste).toHaveBeenCalledTimes(1);
    shown.unmount();
    clip('paste', document.body, text);
    expect(onPaste).toHaveBeenCalledTimes(1);
  });

  test('takes no paste where no row may be added', () => {
    const { onPaste, focus } = open(0);
    clip('paste', focus(), text);
    clip('paste', document.body, text);
    expect(onPaste).not.toHaveBeenCalled();
  });

  test('undoes and redoes by key', async () => {
    const { person, onUndo, onRedo, focus } = open(0);
    act(() => focus().focus());
    await person.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
    expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 1]);
  });
});

test('more than ten thousand rows are no gesture', async () => {
  const { go, person, onWrite, onNotice, focus } = open(50_000, {}, makeSource(50_000, 30));
  go(0, 'a');
  await person.keyboard('{Control>}a{/Control}{Delete}');
  expect(onNotice).toHaveBeenLastCalledWith('一次最多处理 10,000 行，请缩小选区');
  clip('copy', focus());
  expect(onNotice).toHaveBeenCalledTimes(2);
  expect(onWrite).not.toHaveBeenCalled();
});

test('rows that are not known are fetched before they are emptied; a failure empties nothing', async () => {
  const made = makeSource(100, 10);
  const { go, person, onWrite, onNotice, source } = open(100, {}, made);
  go(8, 'a');
  await person.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}{Delete}');
  await act(() => Promise.resolve());
  expect(source.load.mock.lastCall?.slice(0, 2)).toEqual([10, 12]);
  expect(onWrite.mock.lastCall?.[0].map((one: { rowId: string }) => one.rowId)).toEqual(['r8', 'r9', 'r10', 'r11']);
  source.load.mockRejectedValueOnce(new Error('网络断开'));
  await person.keyboard('{Delete}');
  await act(() => Promise.resolve());
  expect(onNotice).toHaveBeenLastCalledWith('有些行没有取到，什么都没有改：网络断开');
  expect(onWrite).toHaveBeenCalledTimes(1);
});

test('undo and redo are the screen’s, and while something is typed the browser’s', async () => {
  const { go, person, onUndo, onRedo } = open();
  go(0, 'a');
  await person.keyboard('{Control>}z{/Control}{Control>}{Shift>}z{/Shift}{/Control}{Control>}y{/Control}');
  expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 2]);
  await person.keyboard('x{Control>}z{/Control}');
  expect(onUndo).toHaveBeenCalledTimes(1);
});

test('columns are moved by keyboard from their heads, within the pinned ones or the others', async () => {
  const { go, person, onMoveColumn, active } = open();
  go(0, 'n');
  await person.keyboard('{ArrowUp}');
  expect(active()).toContain('字段 n');
  await person.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(onMoveColumn).toHaveBeenLastCalledWith('n', 'x', false);
  go(0, 'a');
  await person.keyboard('{ArrowUp}{Alt>}{ArrowRight}{/Alt}');
  expect(onMoveColumn).toHaveBeenCalledTimes(1);
});

test('the head of a column has its menu', async () => {
  const onSort = jest.fn();
  const onHide = jest.fn();
  const { person, go } = open(5, { onSort, onHide });
  go(0, 'n');
  await person.keyboard('{ArrowUp}{Enter}');
  await person.click(within(await screen.findByRole('menu', { name: '“字段 n”的菜单' })).getByRole('menuitem', { name: '降序排列' }));
  expect(onSort).toHaveBeenCalledWith('n', 'desc', false);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('groups are folded by press and by key, and folded rows are passed over', async () => {
  const groups: GridGroup[] = [
    { id: 'g1', depth: 0, label: '草稿', name: '草稿', first: 0, count: 2 },
    { id: 'g2', depth: 0, label: '已发布', name: '已发布', first: 2, count: 3 },
  ];
  const onFold = jest.fn();
  const { person, go, active, onPaste, focus } = open(5, { groups, folded: new Set(['g1']), onFold });
  expect(screen.queryByText('"t0"')).toBeNull();
  await person.click(screen.getByRole('button', { name: '展开“草稿”' }));
  expect(onFold).toHaveBeenLastCalledWith('g1', false);
  go(2, 'a');
  await person.keyboard('{ArrowUp}{ArrowLeft}');
  expect(onFold).toHaveBeenLastCalledWith('g2', true);
  await person.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe('"t3"');
  clip('paste', focus(), { 'text/plain': 'p\nq\nr' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({ rows: [3, 4] });
});

test('Tab walks through the cells; after Escape it leaves the grid', async () => {
  const { go, person, active, focus } = open(5);
  go(0, 'a');
  await person.tab();
  expect(active()).toBe('"0"');
  await person.keyboard('{Escape}');
  await person.tab();
  expect(focus()).not.toHaveFocus();
});

test('the active cell stays with its row when a row comes in above it', async () => {
  const made = makeSource(10);
  const { go, active } = open(10, {}, made);
  go(4, 'a');
  act(() => {
    for (let index = 9; index > 2; index -= 1) made.put(index, made.source.row(index - 1) ?? made.row(0));
    made.put(2, { id: 'new', values: { a: '别人的' } });
  });
  expect(active()).toBe('"t4"');
});

test('a mark of a fault is said with its words; a value on its way is busy', () => {
  const made = makeSource(5);
  made.put(1, { ...made.row(1), marks: { a: { fault: '已有相同的标题' }, n: { saving: true } } });
  open(5, {}, made);
  const cell = screen.getByText('已有相同的标题').closest('[role=gridcell]');
  expect(cell).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getByText('"1"').closest('[role=gridcell]')).toHaveAttribute('aria-busy', 'true');
});

test('a finger that stays on the head of a row ticks it, on a cell it opens the menu, which ticks too; one that moves does neither', async () => {
  jest.useFakeTimers();
  try {
    const onCheck = jest.fn();
    const { onOpen } = open(10, { onCheck, checked: new Set() });
    const person = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    const touch = async (target: Element, ms: number, move = 0): Promise<void> => {
      await person.pointer({ keys: '[TouchA>]', target, coords: { clientX: 60, clientY: 60 } });
      if (move > 0) await person.pointer({ pointerName: 'TouchA', target, coords: { clientX: 60, clientY: 60 + move } });
      act(() => jest.advanceTimersByTime(ms));
      await person.pointer({ keys: '[/TouchA]', target, coords: { clientX: 60, clientY: 60 + move } });
    };
    const head = screen.getAllByRole('button', { name: '打开记录' })[2] as HTMLElement;
    await touch(head, 500);
    expect(onCheck.mock.calls).toEqual([[['r2'], true]]);
    expect(onOpen).not.toHaveBeenCalled();
    await touch(head, 100);
    expect([onCheck.mock.calls.length, onOpen.mock.calls.length]).toEqual([1, 1]);
    await touch(head, 500, 30);
    const cell = screen.getByText('"t4"').closest('[role="gridcell"]') as HTMLElement;
    await touch(cell, 500, 30);
    expect([onCheck.mock.calls.length, screen.queryByRole('menu')]).toEqual([1, null]);
    await touch(cell, 500);
    const menu = screen.getByRole('menu', { name: '单元格菜单' });
    fireEvent.click(within(menu).getByRole('menuitem', { name: '选择记录' }));
    expect(onCheck.mock.calls[1]).toEqual([['r4'], true]);
  } finally {
    jest.useRealTimers();
  }
});

test('check boxes: one, and with Shift all between', async () => {
  const onCheck = jest.fn();
  const { person } = open(10, { onCheck, checked: new Set() });
  await person.click(screen.getByRole('checkbox', { name: '选中第 2 行' }));
  expect(onCheck).toHaveBeenLastCalledWith(['r1'], true);
  await person.keyboard('{Shift>}');
  await person.click(screen.getByRole('checkbox', { name: '选中第 4 行' }));
  expect(onCheck).toHaveBeenLastCalledWith(['r1', 'r2', 'r3'], true);
});

test('axe finds nothing', async () => {
  const { go, shown } = open(5, { onCheck: jest.fn(), onCheckAll: jest.fn(), onAddRow: jest.fn(), onAddField: jest.fn(), onFooter: jest.fn() });
  go(1, 'a');
  expect(await faultsOf(shown.container)).toEqual([]);
});

test('what is typed is written with the revision that the editor opened with, though the row has changed since', async () => {
  const { go, person, focus, onWrite, put, row } = open();
  act(() => put(2, { ...row(2), revision: 3 }));
  go(2, 'a');
  await person.click(focus());
  await person.keyboard('{F2}！');
  act(() => put(2, { ...row(2), revision: 4, values: { ...row(2).values, a: '别人写的' } }));
  await person.keyboard('{Enter}');
  expect(onWrite).toHaveBeenCalledWith([expect.objectContaining({ rowId: 'r2', column: 'a', value: 't2！', revision: 3 })], 'edit');
});
