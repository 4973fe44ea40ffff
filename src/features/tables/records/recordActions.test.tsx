import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentRecord } from '@contract/tables/records';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import type { Answer } from '../../../../test/support/fakeServer';
import { base, calls, of, openRecords, people, recordsOf, threeRecords, written } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';
import { pageOf, recordId, tableOf, viewOf } from '../../../../test/support/recordsScreen';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: RecordsApp;
let rows: ContentRecord[] = [];
async function open(search = '', answers: Record<string, Answer> = {}, locale: 'en' | 'zh-CN' = 'en') {
  app = await openRecords(() => rows, search, answers, locale);
  return app;
}
const search = () => new URLSearchParams(app.router.state.location.search);
beforeEach(() => {
  rows = threeRecords();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('deleting selected records asks first and can be undone', async () => {
  await open('', { [`POST ${of}/records/trash`]: { data: written({ updated: 2, jobId: null }) } });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  await within(grid).findByText('春茶上市');
  const boxes = within(grid).getAllByRole('checkbox');
  await person.click(boxes[1] as HTMLElement);
  await person.click(boxes[2] as HTMLElement);
  const bar = await screen.findByRole('toolbar', { name: 'Bulk actions' });
  expect(within(bar).getByText('2 chosen')).toBeInTheDocument();
  await person.click(within(bar).getByRole('button', { name: 'Move to bin' }));
  const question = await screen.findByRole('dialog', { name: 'Move 2 records to the bin?' });
  await person.click(within(question).getByRole('button', { name: 'Move to bin' }));
  await waitFor(() => expect(app.server.calls(`POST ${of}/records/trash`)[0]?.body).toEqual({ target: { ids: [recordId(1), recordId(2)] } }));
  const notice = (await screen.findByText('2 records moved to the bin')).closest<HTMLElement>('.notice') ?? document.body;
  expect(screen.queryByRole('toolbar', { name: 'Bulk actions' })).toBeNull();
  const undo = `POST ${base}/batches/${written().batchId ?? ''}/undo`;
  app.server.answer(undo, { data: { batchId: recordId(502), undone: 2, skipped: [], skippedCount: 0 } });
  await person.click(within(notice).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(app.server.calls(undo)).toHaveLength(1));
});

test('a job on many records is shown as running, not as done', async () => {
  await open('', { [`POST ${of}/records/trash`]: { data: { ...written({ batchId: null, updated: 0 }), jobId: recordId(700) } } }, 'en');
  const grid = await screen.findByRole('grid');
  await within(grid).findByText('春茶上市');
  await app.person.click(within(grid).getAllByRole('checkbox')[1] as HTMLElement);
  await app.person.click(within(await screen.findByRole('toolbar', { name: 'Bulk actions' })).getByRole('button', { name: 'Move to bin' }));
  expect(await screen.findByText('Working on 1 record in the background, see the tasks')).toBeInTheDocument();
});

test.each([
  ['en', 'This cannot be deleted. “Tea” in the table “Shelves”: First, Untitled and others.', 'Move to bin', 'Bulk actions'],
  ['zh-CN', '不能删除。内容表“Shelves”的字段“Tea”：First、未命名 等。', '移入回收站', '批量操作'],
] as const)('the field that blocks deleting a record is named (%s)', async (locale, errorText, button, bar) => {
  const records = [
    { id: recordId(8), label: 'First' },
    { id: recordId(9), label: '' },
  ];
  const current = { blockedBy: [{ tableId: 't_shelfaaaaaaa', tableTitle: 'Shelves', fieldId: 'f_teaaaaaaaaaa', fieldTitle: 'Tea', records, more: true }] };
  const error = locale === 'en' ? 'This cannot be deleted.' : '不能删除。';
  await open('', { [`POST ${of}/records/trash`]: { error, status: 409, code: 'referenced', current } }, locale);
  const grid = await screen.findByRole('grid');
  await within(grid).findByText('春茶上市');
  await app.person.click(within(grid).getAllByRole('checkbox')[1] as HTMLElement);
  await app.person.click(within(await screen.findByRole('toolbar', { name: bar })).getByRole('button', { name: button }));
  expect(await screen.findByText(errorText)).toBeInTheDocument();
});

test('bulk editing previews the result before anything is written', async () => {
  const answer = (dryRun: boolean) => ({
    ...written({ updated: dryRun ? 0 : 1, batchId: dryRun ? null : recordId(501) }),
    matched: 2,
    state: dryRun ? '1.2.3' : null,
    unchanged: 1,
    samples: [{ id: recordId(1), label: '春茶上市', before: { f_priceaaaaaaa: null }, after: { f_priceaaaaaaa: '88' }, error: null }],
    jobId: null,
  });
  await open('', { [`POST ${of}/records/bulk`]: async (request) => ({ data: answer(((await request.clone().json()) as { dryRun: boolean }).dryRun) }) });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  await within(grid).findByText('春茶上市');
  await person.click(within(grid).getAllByRole('checkbox')[1] as HTMLElement);
  await person.click(within(await screen.findByRole('toolbar', { name: 'Bulk actions' })).getByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bulk edit' });
  await person.selectOptions(within(dialog).getByLabelText('Field'), 'f_priceaaaaaaa');
  await person.type(within(dialog).getByLabelText('价格'), '88');
  await person.click(within(dialog).getByRole('button', { name: 'Preview' }));
  expect(await within(dialog).findByText(/1 record will be changed/)).toBeInTheDocument();
  expect(within(dialog).getByRole('row', { name: /春茶上市.*88/ })).toBeInTheDocument();
  const bulk = `POST ${of}/records/bulk`;
  expect(app.server.calls(bulk).map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true]);
  await person.click(within(dialog).getByRole('button', { name: 'Change 1' }));
  await waitFor(() => expect(app.server.calls(bulk).map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true, false]));
});

test('a bulk edit of records changed since its preview is previewed again', async () => {
  const bulk = `POST ${of}/records/bulk`;
  type Body = { readonly dryRun: boolean; readonly state?: string };
  let looks = 0;
  await open(
    '',
    {
      [`GET ${base}/tables`]: { data: [tableOf({ title: 'Articles' }), tableOf(people)] },
      [bulk]: async (request) => {
        const { dryRun, state } = (await request.clone().json()) as Body;
        if (dryRun) looks += 1;
        if (!dryRun && state === '1.2000.1') return { error: 'Changed', status: 409, code: 'stale_revision', current: { changed: 3 } };
        const jobResult = dryRun ? {} : { jobId: recordId(700), updated: 0 };
        return {
          data: { ...written({ batchId: null }), matched: 2000, state: dryRun ? `1.2000.${String(looks)}` : null, samples: [], jobId: null, ...jobResult },
        };
      },
    },
    'en',
  );
  const grid = await screen.findByRole('grid', { name: 'Articles' });
  await within(grid).findByText('春茶上市');
  await app.person.click(within(grid).getAllByRole('checkbox')[1] as HTMLElement);
  await app.person.click(within(await screen.findByRole('toolbar', { name: 'Bulk actions' })).getByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bulk edit' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Preview' }));
  await app.person.click(await within(dialog).findByRole('button', { name: 'Change 2,000' }));
  expect(await within(dialog).findByText(/3 records have changed since this preview/)).toBeInTheDocument();
  expect(within(dialog).getByRole('button', { name: 'Change 2,000' })).toBeDisabled();
  await app.person.click(within(dialog).getByRole('button', { name: 'Preview again' }));
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Change 2,000' })).toBeEnabled());
  await app.person.click(within(dialog).getByRole('button', { name: 'Change 2,000' }));
  expect(await screen.findByText(/Changing 2,000 records in the background/)).toBeInTheDocument();
  expect(app.server.calls(bulk).map(({ body }) => (body as Body).state)).toEqual([undefined, '1.2000.1', undefined, '1.2000.2']);
});

test('a view is saved as shown, and updated with its revision', async () => {
  const kanban = viewOf({ title: '进度', kind: 'grid' });
  await open(`?view=${kanban.id}&sort=-$n`, { [calls.views]: { data: [kanban] }, [`PATCH ${of}/views/${kanban.id}`]: { data: { ...kanban, revision: 2 } } });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: 'Save to view' }));
  await waitFor(() => expect(app.server.calls(`PATCH ${of}/views/${kanban.id}`)).toHaveLength(1));
  const [call] = app.server.calls(`PATCH ${of}/views/${kanban.id}`);
  expect(call?.headers.get('if-match')).toBe('"1"');
  expect(call?.body).toMatchObject({ query: { sort: [{ field: '$n', descending: true }] } });
  await waitFor(() => expect(search().get('sort')).toBeNull());
});

test('deleting a view can be undone', async () => {
  const view = viewOf({ kind: 'grid' });
  let views = [view];
  const restoring = `POST ${of}/views/${view.id}/restore`;
  await open(`?view=${view.id}`, {
    [calls.views]: () => ({ data: views }),
    [`DELETE ${of}/views/${view.id}`]: () => {
      views = [];
      return { data: null };
    },
    [restoring]: () => {
      views = [view];
      return { data: view };
    },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Actions of the view “看板”' }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Delete view' }));
  await app.person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete view' }));
  const notice = (await screen.findByText('View “看板” deleted')).closest<HTMLElement>('.notice') ?? document.body;
  expect(screen.queryByRole('button', { name: '看板' })).toBeNull();
  await app.person.click(within(notice).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: '看板' })).toBeInTheDocument();
  expect(app.server.calls(restoring)).toHaveLength(1);
});

test('a kanban card moves by keyboard and announces its column', async () => {
  const view = viewOf({ query: { ...viewOf().query, stack: 'f_statusaaaaaa' } });
  await open(`?view=${view.id}`, {
    [calls.views]: { data: [view] },
    [`GET ${of}/aggregate`]: {
      data: { count: 3, values: {}, groups: [{ keys: ['news'], count: 1, values: {} }], more: false, labels: { records: {}, people: {} } },
    },
    [calls.records]: (request) => {
      const filter = new URL(request.url).searchParams.get('filter') ?? '';
      return {
        data: pageOf(
          rows.filter((row) =>
            filter.includes('news') ? row.n === 1 : filter.includes('guide') ? row.n === 2 : filter.includes('empty') ? row.n === 3 : true,
          ),
        ),
      };
    },
    [calls.change]: { data: written() },
  });
  const card = await screen.findByRole('button', { name: /^春茶上市/ });
  expect(screen.getByRole('region', { name: '新闻, 1' })).toBeInTheDocument();
  fireEvent.keyDown(card, { key: 'ArrowRight', altKey: true });
  await waitFor(() =>
    expect(app.server.calls(calls.change)[0]?.body).toEqual({
      changes: [{ id: recordId(1), revision: 1, values: { f_statusaaaaaa: 'guide' } }],
      origin: 'console',
    }),
  );
  expect(await screen.findByText('“春茶上市” moved to “教程”')).toBeInTheDocument();
});

test('a form lists missing fields, keeps refused input, and confirms success', async () => {
  const view = viewOf({ kind: 'form', title: '投稿', query: { ...viewOf().query, formTitle: '投稿', formThanks: '收到了' } });
  let refuse = true;
  await open(`?view=${view.id}`, {
    [calls.views]: { data: [view] },
    [calls.add]: () =>
      refuse
        ? { error: '有的内容不对', status: 422, code: 'invalid_fields', fields: { 'records.0.f_titleaaaaaaa': { code: 'taken' } } }
        : { data: written({ created: 1, updated: 0, records: [{ id: recordId(9), n: 9, revision: 1 }] }) },
  });
  const { person } = app;
  expect(await screen.findByRole('heading', { name: '投稿' })).toBeInTheDocument();
  await person.type(screen.getByLabelText('标题'), '春茶上市');
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('In use, choose another')).toBeInTheDocument();
  expect(screen.getByLabelText('标题')).toHaveValue('春茶上市');
  refuse = false;
  await person.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('收到了')).toBeInTheDocument();
});

test('a list requested again while loading is still shown', async () => {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let turn = 0;
  await open('', {
    [calls.records]: (request) => {
      turn += 1;
      const answer = recordsOf(() => rows);
      return turn === 1 ? held.then(() => (typeof answer === 'function' ? answer(request) : answer)) : answer;
    },
  });
  await waitFor(() => expect(turn).toBe(1));
  await app.person.click(await screen.findByRole('button', { name: 'More tools' }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Refresh' }));
  expect(await screen.findByText('春茶上市')).toBeInTheDocument();
  go();
});

test('axe finds nothing in the records screen', async () => {
  await open();
  await screen.findByRole('grid', { name: '文章' });
  expect(await violationsOf(app.container)).toEqual([]);
});
