import type { Conflict, Written } from '@contract/tables/records';
import { makeCellWrites } from './cellWrites';
import type { Refusal, WritesEnvironment } from './cellWrites';
import { recordId, recordOf } from '../../../../test/support/recordsScreen';

type Change = { readonly id: string; readonly revision?: number; readonly values: Record<string, unknown> };
const title = 'f_titleaaaaaaa';
const cell = (n: number, value: unknown, column = title) => ({ rowId: recordId(n), column, value });
const nothing: Refusal = { cells: [], conflicts: [], message: '没有网络', passing: true };

function setUp(answer: (changes: readonly Change[]) => Refusal | null = () => null) {
  const sent: Change[][] = [];
  const gestures: Parameters<WritesEnvironment['onGesture']>[0][] = [];
  const revisions = new Map<string, number>();
  const state = { answer };
  const writes = makeCellWrites({
    save: async (changes) => {
      sent.push(changes);
      await Promise.resolve();
      const refusal = state.answer(changes);
      if (refusal) return { refusal };
      const records = changes.map(({ id }) => ({ id, n: 1, revision: (revisions.get(id) ?? 1) + 1 }));
      return { written: { batchId: `b${String(sent.length)}`, created: 0, updated: changes.length, unchanged: 0, records } satisfies Written };
    },
    revisionOf: (id) => revisions.get(id) ?? 1,
    onSaved: ({ records }) => records.forEach(({ id, revision }) => revisions.set(id, revision)),
    onGesture: (gesture) => gestures.push(gesture),
    onConflict: ({ record }) => revisions.set(record.id, record.revision),
    onMarks: () => undefined,
  });
  return { writes, sent, batches: () => gestures.map((gesture) => gesture.batches), gestures, state, revisions };
}

test('a gesture is one call and one undo step with current revisions', async () => {
  const { writes, sent, batches } = setUp();
  void writes.write([cell(1, 'a'), cell(2, 'b')]);
  expect(writes.marks(recordId(1), { conflict: '' })).toEqual({ [title]: { saving: true } });
  await writes.write([cell(1, 'c')]);
  expect(sent.map((changes) => changes.map(({ revision, values }) => [revision, values[title]]))).toEqual([
    [
      [1, 'a'],
      [1, 'b'],
    ],
    [[2, 'c']],
  ]);
  expect(batches()).toEqual([['b1'], ['b2']]);
  expect(writes.list()).toEqual([]);
});

test('one invalid cell keeps its text and does not block the others', async () => {
  const bad: Refusal = { ...nothing, cells: [{ at: 1, column: title, message: '必填' }] };
  const { writes, sent, state } = setUp((changes) => (changes.length === 3 ? bad : null));
  await writes.write([cell(1, 'a'), cell(2, ''), cell(3, 'c')]);
  expect(sent.map((changes) => changes.map(({ id }) => id))).toEqual([
    [recordId(1), recordId(2), recordId(3)],
    [recordId(1), recordId(3)],
  ]);
  expect(writes.list()).toEqual([expect.objectContaining({ rowId: recordId(2), value: '', state: 'refused', message: '必填' })]);
  state.answer = () => null;
  await writes.retry(writes.list());
  expect(writes.list()).toEqual([]);
});

test('offline edits are kept and saved when retried', async () => {
  const { writes, state } = setUp(() => nothing);
  await writes.write([cell(1, '长长的标题')]);
  expect(writes.list()).toEqual([expect.objectContaining({ value: '长长的标题', state: 'refused', message: '没有网络', passing: true })]);
  state.answer = () => null;
  await writes.retry(writes.list());
  expect(writes.list()).toEqual([]);
});

test('a conflict shows both versions, and mine overwrites only on request', async () => {
  const conflict: Conflict = {
    revision: 5,
    record: recordOf(1, { [title]: '对方' }, { revision: 5 }),
    fields: { [title]: { base: '旧', theirs: '对方', yours: '我的' } },
    by: '林晓雨',
  };
  const { writes, sent, state } = setUp(() => ({ ...nothing, conflicts: [conflict] }));
  await writes.write([cell(1, '我的')]);
  expect(writes.list()).toEqual([expect.objectContaining({ state: 'conflict', value: '我的', theirs: '对方', by: '林晓雨' })]);
  state.answer = () => null;
  await writes.retry(writes.list());
  expect(sent.at(-1)).toEqual([{ id: recordId(1), revision: 5, values: { [title]: '我的' } }]);
  expect(writes.list()).toEqual([]);
});

test('a cell is saved with the revision its editor opened with', async () => {
  const { writes, sent, revisions } = setUp();
  revisions.set(recordId(1), 7);
  await writes.write([{ ...cell(1, 'a'), revision: 4 }]);
  expect(sent).toEqual([[{ id: recordId(1), revision: 4, values: { [title]: 'a' } }]]);
});

test('a retry keeps the revision on which the value was typed', async () => {
  const { writes, sent, state, revisions } = setUp(() => nothing);
  await writes.write([{ ...cell(1, 'a'), revision: 4 }]);
  revisions.set(recordId(1), 7);
  state.answer = () => null;
  await writes.retry(writes.list());
  await writes.write([{ ...cell(2, 'b'), revision: 2 }]);
  expect(sent.slice(1).map(([change]) => change?.revision)).toEqual([4, 2]);
});

test('a value over an unsaved one keeps the first revision', async () => {
  const { writes, sent, state } = setUp(() => nothing);
  await writes.write([{ ...cell(1, 'a'), revision: 4 }]);
  state.answer = () => null;
  await writes.write([{ ...cell(1, 'ab'), revision: 6 }]);
  expect(sent.at(-1)).toEqual([{ id: recordId(1), revision: 4, values: { [title]: 'ab' } }]);
});

test("an editor opened during its cell's save does not conflict", async () => {
  const { writes, sent } = setUp();
  void writes.write([{ ...cell(1, 'a'), revision: 1 }]);
  await writes.write([{ ...cell(1, 'ab'), revision: 1 }]);
  expect(sent.map(([change]) => change?.revision)).toEqual([1, 2]);
});

test('cells of one record with different revisions are separate changes', async () => {
  const { writes, sent } = setUp();
  await writes.write([{ ...cell(1, 'a'), revision: 1 }]);
  await writes.write([
    { ...cell(1, 'b'), revision: 1 },
    { ...cell(1, 'c', 'f_otheraaaaaaa'), revision: 1 },
  ]);
  expect(sent.at(-1)).toEqual([
    { id: recordId(1), revision: 2, values: { [title]: 'b' } },
    { id: recordId(1), revision: 1, values: { f_otheraaaaaaa: 'c' } },
  ]);
});

test('a failed first save does not affect a newer value', async () => {
  const { writes } = setUp((changes) => (changes[0]?.values[title] === 'a' ? { ...nothing, cells: [{ at: 0, column: title, message: '不对' }] } : null));
  void writes.write([cell(1, 'a')]);
  await writes.write([cell(1, 'b')]);
  expect(writes.list()).toEqual([]);
});

test('thousands of rows go in calls of a thousand, one undo step', async () => {
  const { writes, sent, batches } = setUp();
  await writes.write(Array.from({ length: 2300 }, (_, n) => cell(n, 'x')));
  expect(sent.map((changes) => changes.length)).toEqual([1000, 1000, 300]);
  expect(batches()).toEqual([['b1', 'b2', 'b3']]);
});

test('discarding restores the saved value', async () => {
  const { writes } = setUp(() => nothing);
  await writes.write([cell(1, 'a')]);
  writes.discard(writes.list());
  expect(writes.of(recordId(1))).toBeUndefined();
});

test('refused cells of a paste are listed and can be edited', async () => {
  const bad: Refusal = { ...nothing, cells: [{ at: 1, column: title, message: '必填' }] };
  const { writes, gestures, sent } = setUp((changes) => (changes.some(({ values }) => values[title] === '') ? bad : null));
  await writes.write([cell(1, 'a'), cell(2, '')]);
  expect(gestures).toEqual([{ batches: ['b2'], refused: expect.anything() }]);
  const refused = gestures[0]?.refused;
  expect(refused?.count()).toBe(1);
  refused?.discard();
  expect([writes.list(), refused?.count()]).toEqual([[], 0]);
  await refused?.restore();
  expect(sent.at(-1)).toEqual([{ id: recordId(2), revision: 1, values: { [title]: '' } }]);
});

test('typing over a refused value keeps the new text', async () => {
  const { writes, gestures, state } = setUp(() => nothing);
  await writes.write([cell(1, 'a')]);
  await writes.write([cell(1, 'b')]);
  expect(gestures[0]?.refused?.count()).toBe(0);
  gestures[0]?.refused?.discard();
  expect(writes.list()).toEqual([expect.objectContaining({ value: 'b' })]);
  state.answer = () => null;
  await writes.retry(writes.list());
  expect(gestures[1]?.refused?.count()).toBe(0);
});
