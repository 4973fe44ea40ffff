import { act, screen } from '@testing-library/react';
import { fireClipboard, gridColumn, gridColumns, loadGridMessages, makeRowSource, renderGrid } from '../../../../test/support/gridScreen';
import { clipType } from './clipboardBlock';

beforeAll(loadGridMessages);

test('a range is copied in three formats, emptied and announced', async () => {
  const { activate, user, onWrite, keyField } = renderGrid();
  activate(1, 'a');
  await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
  expect(screen.getByText('2 rows × 2 columns selected')).toHaveAttribute('role', 'status');
  expect(screen.getAllByRole('gridcell', { selected: true })).toHaveLength(4);
  const stored = fireClipboard('copy', keyField());
  expect(stored['text/plain']).toBe('t1\t1\nt2\t2');
  expect(stored['text/html']).toContain('<td>t2</td>');
  expect(JSON.parse(stored[clipType] ?? '')).toEqual({
    values: [
      ['t1', '1'],
      ['t2', '2'],
    ],
    kinds: ['text', 'number'],
  });
  await user.keyboard('{Delete}');
  expect(onWrite.mock.lastCall?.[0]).toHaveLength(4);
  expect(onWrite.mock.lastCall?.[1]).toBe('clear');
});

test('a paste is one call that adds rows or fills ranges', async () => {
  const { activate, user, onPaste, keyField } = renderGrid(5);
  activate(3, 'a');
  fireClipboard('paste', keyField(), { 'text/plain': 'p\t1\nq\t2\nr\t3' });
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
  activate(0, 'a');
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  fireClipboard('paste', keyField(), { 'text/plain': 'same', [clipType]: '{"values":[["same"]],"kinds":["text"]}' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({
    rows: [0, 1, 2],
    texts: [['same'], ['same'], ['same']],
    values: [['same'], ['same'], ['same']],
    kinds: ['text'],
  });
  activate(0, 'n');
  fireClipboard('paste', keyField(), { 'text/plain': '1\t2\t3\t4\t5', [clipType]: '{"values":"hostile"}' });
  expect(onPaste.mock.lastCall?.[0]).toMatchObject({ columns: ['n', 's', 'x'], cutOff: 2, values: null });
});

describe('an empty grid', () => {
  const text = { 'text/plain': 'p\t1\ttrue\nq\t2\tfalse' };

  test('turns a paste into new rows in the writable columns', () => {
    const readOnlyFirst = [gridColumn('x', { edit: 'none' }), ...gridColumns.slice(0, 3)];
    const { onPaste, keyField } = renderGrid(0, { columns: readOnlyFirst, onAddRow: jest.fn() });
    fireClipboard('paste', keyField(), text);
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

  test('accepts a paste anywhere except in a field', () => {
    const { onPaste, rendered } = renderGrid(0, { onAddRow: jest.fn(), empty: <input aria-label="other" /> });
    fireClipboard('paste', screen.getByLabelText('other'), text);
    expect(onPaste).not.toHaveBeenCalled();
    fireClipboard('paste', document.body, text);
    expect(onPaste).toHaveBeenCalledTimes(1);
    rendered.unmount();
    fireClipboard('paste', document.body, text);
    expect(onPaste).toHaveBeenCalledTimes(1);
  });

  test('refuses a paste where rows may not be added', () => {
    const { onPaste, keyField } = renderGrid(0);
    fireClipboard('paste', keyField(), text);
    fireClipboard('paste', document.body, text);
    expect(onPaste).not.toHaveBeenCalled();
  });

  test('undoes and redoes by keyboard', async () => {
    const { user, onUndo, onRedo, keyField } = renderGrid(0);
    act(() => keyField().focus());
    await user.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
    expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 1]);
  });
});

test('a gesture is limited to ten thousand rows', async () => {
  const { activate, user, onWrite, onNotice, keyField } = renderGrid(50_000, {}, makeRowSource(50_000, 30));
  activate(0, 'a');
  await user.keyboard('{Control>}a{/Control}{Delete}');
  expect(onNotice).toHaveBeenLastCalledWith('At most 10,000 rows at once; select fewer');
  fireClipboard('copy', keyField());
  expect(onNotice).toHaveBeenCalledTimes(2);
  expect(onWrite).not.toHaveBeenCalled();
});

test('unloaded rows load before emptying, and a failure empties nothing', async () => {
  const list = makeRowSource(100, 10);
  const { activate, user, onWrite, onNotice, source } = renderGrid(100, {}, list);
  activate(8, 'a');
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}{Delete}');
  await act(() => Promise.resolve());
  expect(source.load.mock.lastCall?.slice(0, 2)).toEqual([10, 12]);
  expect(onWrite.mock.lastCall?.[0].map((one: { rowId: string }) => one.rowId)).toEqual(['r8', 'r9', 'r10', 'r11']);
  source.load.mockRejectedValueOnce(new Error('网络断开'));
  await user.keyboard('{Delete}');
  await act(() => Promise.resolve());
  expect(onNotice).toHaveBeenLastCalledWith('Some rows could not be fetched, nothing was changed: 网络断开');
  expect(onWrite).toHaveBeenCalledTimes(1);
});
