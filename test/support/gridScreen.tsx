import { act, createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ensureMessages, startI18n } from '@/i18n';
import { Grid } from '@/features/tables/grid/Grid';
import type { CellViewProps, GridColumn, GridHandle, GridProps, GridRow, RowSource } from '@/features/tables/grid/types';

/** For `beforeAll` of tests that render the grid. */
export async function loadGridMessages(): Promise<void> {
  await startI18n('en');
  await ensureMessages(['tableGrid']);
}

const View = ({ value }: CellViewProps) => <span>{value === null ? '' : JSON.stringify(value)}</span>;
/** A text column; a test sets only what it is about. */
export const gridColumn = (id: string, change: Partial<GridColumn> = {}): GridColumn => ({
  id,
  title: `字段 ${id}`,
  width: 120,
  edit: 'text',
  kind: 'text',
  View,
  toText: String,
  ...change,
});
/** Text (pinned), number, switch, and a read-only column. */
export const gridColumns: readonly GridColumn[] = [
  gridColumn('a', { pinned: true }),
  gridColumn('n', { kind: 'number', series: 'number', parse: (text) => (/^\d+$/.test(text) ? { value: text } : { error: '要填数字' }) }),
  gridColumn('s', { edit: 'toggle', kind: 'switch' }),
  gridColumn('x', { edit: 'none' }),
];

/** A list of any length, of which only the first `known` rows are loaded initially. */
export function makeRowSource(count: number, known = count) {
  const rows = new Map<number, GridRow>();
  const listeners = new Set<() => void>();
  let version = 0;
  const row = (index: number): GridRow => ({ id: `r${String(index)}`, values: { a: `t${String(index)}`, n: String(index), s: false, x: 'fix' } });
  const notify = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  /** Loads the rows from `from` up to but not including `to`. */
  const addRows = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1) if (!rows.has(index)) rows.set(index, row(index));
    notify();
  };
  addRows(0, known);
  const source = {
    count: () => count,
    row: (index) => rows.get(index),
    want: jest.fn(),
    load: jest.fn((from: number, to: number) => Promise.resolve(Array.from({ length: to - from }, (_, place) => row(from + place)))),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  } satisfies RowSource;
  const putRow = (index: number, next: GridRow): void => {
    rows.set(index, next);
    notify();
  };
  return { source, addRows, putRow, row };
}

/** A grid of `count` rows with all callbacks mocked, and a button after it. */
export function renderGrid(count = 20, change: Partial<GridProps> = {}, list = makeRowSource(count)) {
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
  const user = userEvent.setup();
  const rendered = render(
    <div>
      <Grid label="文章" columns={gridColumns} source={list.source} handle={handle} {...calls} {...change} />
      <button type="button">后面</button>
    </div>,
  );
  const keyField = (): HTMLElement => screen.getByRole('textbox');
  const activeText = (): string => {
    const id = keyField().getAttribute('aria-activedescendant');
    return (id === null ? null : document.getElementById(id))?.textContent ?? '';
  };
  const activate = (index: number, id: string) => act(() => handle.current?.show(index, id));
  return { ...calls, ...list, handle, user, keyField, activeText, activate, rendered };
}

/** Fires a copy, cut or paste event, and returns the clipboard's content afterwards. */
export function fireClipboard(kind: 'copy' | 'cut' | 'paste', target: HTMLElement, data: Record<string, string> = {}): Record<string, string> {
  const stored = { ...data };
  const event = createEvent[kind](target, {
    clipboardData: { getData: (type: string) => stored[type] ?? '', setData: (type: string, text: string) => (stored[type] = text) },
  });
  fireEvent(target, event);
  return stored;
}
