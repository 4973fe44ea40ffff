import { act, fireEvent, screen } from '@testing-library/react';
import { loadGridMessages, renderGrid } from '../../../../test/support/gridScreen';

beforeAll(loadGridMessages);

test('Enter saves and moves down, Escape cancels, unchanged values are skipped', async () => {
  const { activate, user, onWrite, activeText, keyField } = renderGrid();
  activate(2, 'a');
  await user.keyboard('新标题{Enter}');
  expect(onWrite).toHaveBeenCalledWith([{ rowId: 'r2', index: 2, column: 'a', value: '新标题' }], 'edit');
  expect(activeText()).toBe('"t3"');
  await user.keyboard('不要{Escape}');
  expect(keyField()).toHaveValue('');
  await user.keyboard('{F2}');
  expect(keyField()).toHaveValue('t3');
  await user.keyboard('{Enter}');
  expect(onWrite).toHaveBeenCalledTimes(1);
  expect(activeText()).toBe('"t4"');
});

test('an invalid value stays in the cell with the reason', async () => {
  const { activate, user, onWrite, keyField } = renderGrid();
  activate(1, 'n');
  await user.keyboard('abc{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('要填数字');
  expect(keyField()).toBeInvalid();
  await user.click(screen.getByText('"t5"'));
  expect(keyField()).toHaveValue('abc');
  await user.clear(keyField());
  await user.keyboard('7{Tab}');
  expect(onWrite.mock.calls).toEqual([[[{ rowId: 'r1', index: 1, column: 'n', value: '7' }], 'edit']]);
});

test('a value being typed is saved when the screen closes', async () => {
  const { activate, user, onWrite, rendered } = renderGrid();
  activate(1, 'a');
  await user.keyboard('半句');
  rendered.unmount();
  expect(onWrite).toHaveBeenCalledWith([{ rowId: 'r1', index: 1, column: 'a', value: '半句' }], 'edit');
});

test('an input method composes in the cell and keeps its Enter', async () => {
  const { activate, keyField, onWrite } = renderGrid();
  activate(0, 'a');
  const field = keyField();
  fireEvent.compositionStart(field);
  fireEvent.input(field, { target: { value: 'ni hao' } });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(onWrite).not.toHaveBeenCalled();
  fireEvent.input(field, { target: { value: '你好' } });
  fireEvent.compositionEnd(field);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onWrite.mock.lastCall?.[0]).toEqual([{ rowId: 'r0', index: 0, column: 'a', value: '你好' }]);
});

test('Space toggles a switch or opens the record, except computed cells', async () => {
  const { activate, user, onWrite, onOpen, onNotice, keyField } = renderGrid();
  activate(4, 's');
  await user.keyboard(' ');
  expect(onWrite).toHaveBeenLastCalledWith([{ rowId: 'r4', index: 4, column: 's', value: true }], 'toggle');
  activate(4, 'a');
  await user.keyboard(' ');
  expect(onOpen.mock.lastCall?.[1]).toBe(4);
  activate(4, 'x');
  await user.keyboard('q');
  expect(onNotice).toHaveBeenLastCalledWith('This cannot be changed here');
  expect(keyField()).toHaveValue('');
});

test('an edit is written with the revision its editor opened with', async () => {
  const { activate, user, keyField, onWrite, putRow, row } = renderGrid();
  act(() => putRow(2, { ...row(2), revision: 3 }));
  activate(2, 'a');
  await user.click(keyField());
  await user.keyboard('{F2}！');
  act(() => putRow(2, { ...row(2), revision: 4, values: { ...row(2).values, a: '别人写的' } }));
  await user.keyboard('{Enter}');
  expect(onWrite).toHaveBeenCalledWith([expect.objectContaining({ rowId: 'r2', column: 'a', value: 't2！', revision: 3 })], 'edit');
});
