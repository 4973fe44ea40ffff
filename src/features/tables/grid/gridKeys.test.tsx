import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { gridColumn, loadGridMessages, renderGrid } from '../../../../test/support/gridScreen';

beforeAll(loadGridMessages);

test('undo applies to the screen, or to text while typing', async () => {
  const { activate, user, onUndo, onRedo } = renderGrid();
  activate(0, 'a');
  await user.keyboard('{Control>}z{/Control}{Control>}{Shift>}z{/Shift}{/Control}{Control>}y{/Control}');
  expect([onUndo.mock.calls.length, onRedo.mock.calls.length]).toEqual([1, 2]);
  await user.keyboard('x{Control>}z{/Control}');
  expect(onUndo).toHaveBeenCalledTimes(1);
});

test('columns move by keyboard within pinned or unpinned ones', async () => {
  const { activate, user, onMoveColumn, activeText } = renderGrid();
  activate(0, 'n');
  await user.keyboard('{ArrowUp}');
  expect(activeText()).toContain('字段 n');
  await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(onMoveColumn).toHaveBeenLastCalledWith('n', 'x', false);
  activate(0, 'a');
  await user.keyboard('{ArrowUp}{Alt>}{ArrowRight}{/Alt}');
  expect(onMoveColumn).toHaveBeenCalledTimes(1);
});

test('a column head has a menu', async () => {
  const onSort = jest.fn();
  const onHide = jest.fn();
  const { user, activate } = renderGrid(5, { onSort, onHide });
  activate(0, 'n');
  await user.keyboard('{ArrowUp}{Enter}');
  await user.click(within(await screen.findByRole('menu', { name: 'Menu of “字段 n”' })).getByRole('menuitem', { name: 'Sort descending' }));
  expect(onSort).toHaveBeenCalledWith('n', 'desc', false);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('Tab moves through the cells, and after Escape leaves the grid', async () => {
  const { activate, user, activeText, keyField } = renderGrid(5);
  activate(0, 'a');
  await user.tab();
  expect(activeText()).toBe('"0"');
  await user.keyboard('{Escape}');
  await user.tab();
  expect(keyField()).not.toHaveFocus();
});

test('a long touch ticks a row head or opens the menu', async () => {
  jest.useFakeTimers();
  try {
    const onCheck = jest.fn();
    const { onOpen } = renderGrid(10, { onCheck, checked: new Set() });
    const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    const touch = async (target: Element, ms: number, move = 0): Promise<void> => {
      await user.pointer({ keys: '[TouchA>]', target, coords: { clientX: 60, clientY: 60 } });
      if (move > 0) await user.pointer({ pointerName: 'TouchA', target, coords: { clientX: 60, clientY: 60 + move } });
      act(() => jest.advanceTimersByTime(ms));
      await user.pointer({ keys: '[/TouchA]', target, coords: { clientX: 60, clientY: 60 + move } });
    };
    const head = screen.getAllByRole('button', { name: 'Open record' })[2] as HTMLElement;
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
    const menu = screen.getByRole('menu', { name: 'Cell menu' });
    fireEvent.click(within(menu).getByRole('menuitem', { name: 'Select record' }));
    expect(onCheck.mock.calls[1]).toEqual([['r4'], true]);
  } finally {
    jest.useRealTimers();
  }
});

test('check boxes toggle one row, or a range with Shift', async () => {
  const onCheck = jest.fn();
  const { user } = renderGrid(10, { onCheck, checked: new Set() });
  await user.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
  expect(onCheck).toHaveBeenLastCalledWith(['r1'], true);
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select row 4' }));
  expect(onCheck).toHaveBeenLastCalledWith(['r1', 'r2', 'r3'], true);
});

test('F2 in a column head renames the field', async () => {
  const onRenameField = jest.fn();
  const { user, activate, keyField } = renderGrid(5, { onRenameField });
  activate(0, 'n');
  await user.keyboard('{ArrowUp}{F2}');
  await user.clear(screen.getByRole('textbox', { name: 'Rename “字段 n”' }));
  await user.keyboard('价格{Enter}');
  expect(onRenameField).toHaveBeenCalledWith('n', '价格');
  expect(keyField()).toHaveFocus();
});

test('Escape leaves the title of a column as it was', async () => {
  const onRenameField = jest.fn();
  const { user, activate } = renderGrid(5, { onRenameField });
  activate(0, 'n');
  await user.keyboard('{ArrowUp}{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: 'Rename field' }));
  await user.keyboard('其他{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Rename “字段 n”' })).toBeNull();
  expect(onRenameField).not.toHaveBeenCalled();
});

test('a system column is neither renamed nor a permanent one hidden', async () => {
  const columns = [gridColumn('a', { alwaysVisible: true, system: true })];
  const { user, activate } = renderGrid(5, { columns, onRenameField: jest.fn(), onHide: jest.fn(), onSort: jest.fn() });
  activate(0, 'a');
  await user.keyboard('{ArrowUp}{Enter}');
  await screen.findByRole('menu');
  expect(screen.queryByRole('menuitem', { name: 'Rename field' })).toBeNull();
  expect(screen.queryByRole('menuitem', { name: 'Hide field' })).toBeNull();
});
