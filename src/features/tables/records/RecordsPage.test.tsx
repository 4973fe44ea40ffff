import { configure, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentRecord } from '@contract/tables/records';
import { RecordPage } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { checkAnswers } from '@/store/contractChecks';
import { faultsOf } from '../../../../test/support/axe';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';
import { startUp, site } from '../../../../test/support/factories';
import en from '../messages.en';
import { fieldOf, pageOf, recordId, recordOf, tableOf, viewOf } from '../../../../test/support/recordsScreen';

checkAnswers();

// A whole console is drawn: on a busy machine that takes its time.
jest.setTimeout(60_000);
configure({ defaultHidden: true, asyncUtilTimeout: 8000 });

const siteId = 'abcdefghijkl';
const base = `/api/site/${siteId}/table`;
const of = `${base}/tables/t_articleaaaaa`;
const calls = { records: `GET ${of}/records`, change: `PATCH ${of}/records`, views: `GET ${of}/views`, add: `POST ${of}/records` };
const written = (change: object = {}) => ({ batchId: recordId(500), created: 0, updated: 1, unchanged: 0, records: [], ...change });
const people = {
  id: 't_authoraaaaaa',
  key: 'authors',
  title: '作者',
  aliases: [],
  primaryField: 'f_nameaaaaaaaa',
  fields: [fieldOf({ id: 'f_nameaaaaaaaa', type: 'text', title: '姓名' })],
};

/** A small server of records: filters nothing, but remembers what it was asked. */
const recordsOf =
  (list: () => readonly ContentRecord[]): Answer =>
  (request) => {
    const query = new URL(request.url).searchParams;
    const ids = query.get('ids')?.split(',');
    const from = Number(query.get('cursor') ?? query.get('offset') ?? 0);
    const rows = ids ? list().filter(({ id }) => ids.includes(id)) : list().slice(from, from + Number(query.get('limit') ?? 50));
    return { data: RecordPage.parse(pageOf(rows, { total: query.get('count') === 'none' ? null : list().length })) };
  };
let app: Awaited<ReturnType<typeof renderApp>>;
let rows: ContentRecord[] = [];
async function open(search = '', answers: Record<string, Answer> = {}, locale: 'en' | 'zh-CN' = 'zh-CN') {
  app = await renderApp(`/site/${siteId}/table/records${search}`, {
    locale,
    answers: {
      [`GET ${base}/tables`]: { data: [tableOf(), tableOf(people)] },
      [calls.views]: { data: [] },
      [calls.records]: recordsOf(() => rows),
      [`GET ${base}/tables/t_authoraaaaaa/records`]: { data: pageOf([]) },
      [`GET ${base}/tables/t_authoraaaaaa/views`]: { data: [] },
      [`GET ${base}/batches`]: { data: [] },
      [`POST ${of}/presence`]: { data: null },
      ...answers,
    },
  });
  return app;
}
const search = () => new URLSearchParams(app.router.state.location.search);
const asked = () => app.server.calls(calls.records).map((call) => new URLSearchParams(call.search));
beforeEach(() => {
  rows = [
    recordOf(1, { f_titleaaaaaaa: '春茶上市', f_statusaaaaaa: 'news' }),
    recordOf(2, { f_titleaaaaaaa: '泡茶入门', f_statusaaaaaa: 'guide' }),
    recordOf(3),
  ];
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('a site without tables offers to make one from a template, which is opened', async () => {
  const made = tableOf({ title: '常见问题', id: 't_faqaaaaaaaaa', key: 'faq' });
  let tables: unknown[] = [];
  await open('', {
    [`GET ${base}/tables`]: () => ({ data: tables }),
    [`POST ${base}/tables`]: () => {
      tables = [made];
      return { data: made };
    },
    [`GET ${base}/tables/t_faqaaaaaaaaa/views`]: { data: [] },
    [`GET ${base}/tables/t_faqaaaaaaaaa/records`]: { data: pageOf([]) },
  });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: '新建内容表' }));
  const dialog = await screen.findByRole('dialog', { name: '新建内容表' });
  await person.click(within(dialog).getByRole('radio', { name: '常见问题' }));
  // The template brings its name along.
  expect(within(dialog).getByLabelText('名称')).toHaveValue('常见问题');
  await person.click(within(dialog).getByRole('button', { name: '新建' }));
  await waitFor(() => expect(search().get('table')).toBe('t_faqaaaaaaaaa'));
  expect(app.server.calls(`POST ${base}/tables`)[0]?.body).toMatchObject({ template: 'faq', title: '常见问题', drafts: false });
  expect(await screen.findByText('还没有记录')).toBeInTheDocument();
});

test('whoever may not design tables is not offered to make one', async () => {
  await open('', { [`GET ${base}/tables`]: { data: [] }, 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(await screen.findByText('还没有内容表')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: '新建内容表' })).toBeNull();
});

test('the address says everything: table by its key, filter, sort, search and group are asked as they stand there', async () => {
  const filter = JSON.stringify({ field: 'f_statusaaaaaa', op: 'in', value: ['news'] });
  await open(`?table=posts&q=${encodeURIComponent('春茶')}&sort=-f_priceaaaaaaa&filter=${encodeURIComponent(filter)}`);
  expect(await screen.findByRole('heading', { level: 1, name: '文章' })).toBeInTheDocument();
  await waitFor(() => expect(asked().length).toBeGreaterThan(0));
  const [first] = asked();
  expect(Object.fromEntries(first ?? [])).toMatchObject({ q: '春茶', sort: '-f_priceaaaaaaa', filter, count: 'capped', names: 'id', limit: '100' });
  expect(screen.getByRole('searchbox', { name: '搜索记录' })).toHaveValue('春茶');
  expect(screen.getByText('视图有未保存的更改')).toBeInTheDocument();
});

test('a condition is built in words, asked once it is complete, and can be cleared where nothing is found', async () => {
  await open();
  const { person } = app;
  await screen.findByRole('grid', { name: '文章' });
  await person.click(screen.getByRole('button', { name: '筛选' }));
  const panel = await screen.findByRole('dialog', { name: '筛选' });
  await person.click(within(panel).getByRole('button', { name: '添加条件' }));
  expect(within(panel).getByText('没有填完的条件暂不生效')).toBeInTheDocument();
  expect(search().get('filter')).toBeNull();
  rows = [];
  await person.type(within(panel).getByLabelText('值'), '龙井');
  await waitFor(() => expect(search().get('filter')).toBe(JSON.stringify({ field: 'f_titleaaaaaaa', op: 'contains', value: '龙井' })));
  expect(await screen.findByText('没有符合条件的记录')).toBeInTheDocument();
  await person.click(screen.getAllByRole('button', { name: '清除搜索和筛选' })[0] as HTMLElement);
  await waitFor(() => expect(search().get('filter')).toBeNull());
});

test('a condition on people offers everybody of the site, found by name, and keeps who is chosen in sight', async () => {
  const who = fieldOf({ id: 'f_whoaaaaaaaaa', key: 'who', type: 'user', title: '负责人' });
  const all = [
    { id: recordId(901), name: '周明远' },
    { id: recordId(902), name: '林晓' },
  ];
  const filter = JSON.stringify({ field: who.id, op: 'in', value: [recordId(902)] });
  await open(`?filter=${encodeURIComponent(filter)}`, {
    [`GET ${base}/tables`]: { data: [tableOf({ fields: [...tableOf().fields, who] })] },
    [`GET ${base}/people`]: ({ url }) => ({ data: all.filter(({ name }) => name.includes(new URL(url).searchParams.get('q') ?? '')) }),
  });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: /^筛选/ }));
  const panel = await screen.findByRole('dialog', { name: '筛选' });
  expect(await within(panel).findByRole('checkbox', { name: '林晓' })).toBeChecked();
  await person.type(within(panel).getByRole('searchbox', { name: '搜索成员' }), '周');
  await waitFor(() => expect(app.server.calls(`GET ${base}/people`).at(-1)?.search).toContain('q='));
  await person.click(within(panel).getByRole('checkbox', { name: '周明远' }));
  await waitFor(() => expect(JSON.parse(search().get('filter') ?? '')).toEqual({ field: who.id, op: 'in', value: [recordId(902), recordId(901)] }));
});

test('a record that the address names is found far down the list, brought into sight and chosen', async () => {
  rows = Array.from({ length: 400 }, (_, at) => recordOf(at + 1, { f_titleaaaaaaa: `茶 ${String(at + 1)}` }));
  const id = recordId(351);
  await open(`?record=${id}&sort=f_priceaaaaaaa`, {
    // Counted as far as a hundred.
    [calls.records]: ({ url }) => {
      const { offset, limit, ids } = Object.fromEntries(new URL(url).searchParams);
      const [from, most] = [Number(offset ?? 0), Number(limit)];
      const some = ids === undefined ? rows.slice(from, from + most) : rows.filter((row) => row.id === ids);
      return { data: RecordPage.parse(pageOf(some, { next: from + most < rows.length ? String(from + most) : null, total: 100, more: true })) };
    },
    [`GET ${of}/records/${id}/position`]: { data: { before: 350 } },
    [`GET ${of}/records/${id}`]: { data: { ...rows[350], labels: { records: {}, people: {} } } },
    [`GET ${of}/records/${id}/comments`]: { data: [] },
    [`GET ${of}/records/${id}/history`]: { data: [] },
    [`GET ${of}/records/${id}/links`]: { data: [] },
  });
  const grid = await screen.findByRole('grid', { name: '文章' });
  expect(await within(grid).findByText('茶 351')).toBeInTheDocument();
  await waitFor(() => expect(within(grid).getByText('茶 351').closest('[role="gridcell"]')).toHaveAttribute('aria-selected', 'true'));
  expect(app.server.calls(`GET ${of}/records/${id}/position`)[0]?.search).toContain('sort=f_priceaaaaaaa');
  // With the record open, the one before it is a step away.
  expect(await screen.findByRole('button', { name: '上一条' })).toBeEnabled();
});

test('a cell is saved with the revision that was read; undo takes the batch back', async () => {
  await open('', {
    [calls.change]: ({ url: _url }) => {
      rows = rows.map((row) => (row.n === 2 ? { ...row, revision: 2, values: { ...row.values, f_titleaaaaaaa: '泡茶' } } : row));
      return { data: written({ records: [{ id: recordId(2), n: 2, revision: 2 }] }) };
    },
    [`POST ${base}/batches/${recordId(500)}/undo`]: { data: { batchId: recordId(501), undone: 1, skipped: [], skippedCount: 0 } },
  });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  const cell = await within(grid).findByText('泡茶入门');
  await person.dblClick(cell);
  const box = document.activeElement as HTMLInputElement;
  await person.clear(box);
  await person.keyboard('泡茶{Enter}');
  await waitFor(() =>
    expect(app.server.calls(calls.change)[0]?.body).toEqual({
      changes: [{ id: recordId(2), revision: 1, values: { f_titleaaaaaaa: '泡茶' } }],
      door: 'console',
    }),
  );
  await waitFor(() => expect(screen.getByRole('button', { name: '撤销' })).toBeEnabled());
  await person.click(screen.getByRole('button', { name: '撤销' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/batches/${recordId(500)}/undo`)).toHaveLength(1));
  expect(await screen.findByText('已撤销，涉及 1 条记录')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: '重做' })).toBeEnabled());
});

test('what the server refuses stays in the cell with its reason; a conflict asks which side stays', async () => {
  let turn = 0;
  const conflict = {
    revision: 7,
    record: recordOf(1, { f_titleaaaaaaa: '夏茶上市' }, { revision: 7 }),
    fields: { f_titleaaaaaaa: { base: '春茶上市', theirs: '夏茶上市', yours: '秋茶' } },
    by: '周明远',
  };
  await open('', {
    [calls.change]: () => {
      turn += 1;
      return turn === 1
        ? { error: '别人刚改过', status: 409, code: 'stale_revision', current: conflict }
        : { data: written({ records: [{ id: recordId(1), n: 1, revision: 8 }] }) };
    },
  });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  await person.dblClick(await within(grid).findByText('春茶上市'));
  await person.clear(document.activeElement as HTMLInputElement);
  await person.keyboard('秋茶{Enter}');
  expect(await screen.findByText(/1 处与别人的修改冲突/)).toBeInTheDocument();
  expect(within(grid).getByText('秋茶')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '查看' }));
  const dialog = await screen.findByRole('dialog', { name: '没有保存的修改' });
  expect(within(dialog).getByText('夏茶上市')).toBeInTheDocument();
  expect(within(dialog).getByText('周明远 的')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '用我的' }));
  await waitFor(() => expect(app.server.calls(calls.change)).toHaveLength(2));
  expect(app.server.calls(calls.change)[1]?.body).toEqual({ changes: [{ id: recordId(1), revision: 7, values: { f_titleaaaaaaa: '秋茶' } }], door: 'console' });
  await waitFor(() => expect(screen.queryByText(/处与别人的修改冲突/)).toBeNull());
});

describe('Ctrl+Z after an edit that was refused', () => {
  const type = async (from: string, to: string): Promise<HTMLElement> => {
    const grid = await screen.findByRole('grid', { name: 'Articles' });
    await app.person.dblClick(await within(grid).findByText(from));
    await app.person.clear(document.activeElement as HTMLInputElement);
    await app.person.keyboard(`${to}{Enter}`);
    return grid;
  };
  const refusedOnce = async (refusal: Extract<Answer, { readonly error: string }>) => {
    let turn = 0;
    const undo = `POST ${base}/batches/${recordId(500)}/undo`;
    await open(
      '',
      {
        [`GET ${base}/tables`]: { data: [tableOf({ title: 'Articles' }), tableOf(people)] },
        [calls.change]: () => {
          turn += 1;
          if (turn > 1) return refusal;
          rows = rows.map((row) => (row.n === 2 ? { ...row, revision: 2, values: { ...row.values, f_titleaaaaaaa: 'Brewing' } } : row));
          return { data: written({ records: [{ id: recordId(2), n: 2, revision: 2 }] }) };
        },
        [undo]: { data: { batchId: recordId(501), undone: 1, skipped: [], skippedCount: 0 } },
      },
      'en',
    );
    await type('泡茶入门', 'Brewing');
    const grid = await type('春茶上市', 'Refused');
    return { grid, undone: () => app.server.calls(undo).length };
  };

  test('shows the stored value again and leaves the edit before it alone', async () => {
    const { grid, undone } = await refusedOnce({
      error: 'Check the fields',
      status: 400,
      code: 'invalid_fields',
      fields: { 'changes.0.values.f_titleaaaaaaa': { code: 'too_long', max: 5 } },
    });
    expect(await screen.findByText(/1 change/)).toBeInTheDocument();
    await app.person.keyboard('{Control>}z{/Control}');
    expect(await within(grid).findByText('春茶上市')).toBeInTheDocument();
    expect(within(grid).queryByText('Refused')).toBeNull();
    expect(undone()).toBe(0);
    await app.person.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(undone()).toBe(1));
  });

  test('shows the value that somebody else has stored meanwhile', async () => {
    const { grid, undone } = await refusedOnce({
      error: 'Changed meanwhile',
      status: 409,
      code: 'stale_revision',
      current: {
        revision: 7,
        record: recordOf(1, { f_titleaaaaaaa: 'Theirs' }, { revision: 7 }),
        fields: { f_titleaaaaaaa: { base: '春茶上市', theirs: 'Theirs', yours: 'Refused' } },
        by: 'Lin',
      },
    });
    expect(await screen.findByText(/1 conflict/)).toBeInTheDocument();
    rows = rows.map((row) => (row.n === 1 ? recordOf(1, { f_titleaaaaaaa: 'Theirs' }, { revision: 7 }) : row));
    await app.person.keyboard('{Control>}z{/Control}');
    expect(await within(grid).findByText('Theirs')).toBeInTheDocument();
    expect(undone()).toBe(0);
  });
});

describe('a new record', () => {
  const required = fieldOf({ id: 'f_titleaaaaaaa', key: 'title', type: 'text', title: 'Name', required: true });
  const newRecord = async (table: object, answers: Record<string, Answer> = {}) => {
    rows = [];
    await open('', { [`GET ${base}/tables`]: { data: [tableOf(table), tableOf(people)] }, ...answers }, 'en');
    await app.person.click((await screen.findAllByRole('button', { name: en.record.add }))[0] as HTMLElement);
  };

  test('that needs a value opens the form at its first field without asking the server to fail', async () => {
    await newRecord({ drafts: false, fields: [required] });
    const dialog = await screen.findByRole('dialog', { name: en.record.add });
    await waitFor(() => expect(within(dialog).getByRole('textbox', { name: /Name/ })).toHaveFocus());
    expect(app.server.calls(calls.add)).toHaveLength(0);
  });

  test.each([
    ['begins as a draft', { drafts: true, fields: [required] }],
    ['has a default for what is required', { drafts: false, fields: [{ ...required, default: { kind: 'value', value: 'x' } }] }],
    ['requires nothing', { drafts: false, fields: [{ ...required, required: false }] }],
  ])('that %s is made at once', async (_why, table) => {
    await newRecord(table, { [calls.add]: { data: written({ created: 1, records: [{ id: recordId(9), n: 9, revision: 1 }] }) } });
    await waitFor(() => expect(app.server.calls(calls.add).map(({ body }) => body)).toEqual([{ records: [{}] }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('that only the server knows to need more opens the form at its first field', async () => {
    const answer = { error: 'no', status: 422, code: 'invalid_fields', fields: { 'records.0.title': { code: 'required', message: 'no' } } };
    await newRecord({ drafts: false, fields: [{ ...required, required: false }] }, { [calls.add]: answer });
    const dialog = await screen.findByRole('dialog', { name: en.record.add });
    await waitFor(() => expect(within(dialog).getByRole('textbox', { name: /Name/ })).toHaveFocus());
  });
});

describe('a paste into an empty table', () => {
  const paste = (text: string): void => {
    const event = createEvent.paste(document.body, { clipboardData: { getData: (type: string) => (type === 'text/plain' ? text : '') } });
    fireEvent(document.body, event);
  };
  const plan = (created: number, batchId: string | null) => ({ batchId, created, updated: 0, unchanged: 0, rows: [], failed: 0, newChoices: {}, ids: [] });

  test('makes records that can be undone', async () => {
    let turn = 0;
    rows = [];
    await open(
      '',
      {
        [`POST ${of}/records/paste`]: () => {
          turn += 1;
          if (turn === 1) return { data: plan(2, null) };
          rows = [recordOf(1, { f_titleaaaaaaa: 'Spring' }), recordOf(2, { f_titleaaaaaaa: 'Autumn' })];
          return { data: plan(2, recordId(500)) };
        },
        [`POST ${base}/batches/${recordId(500)}/undo`]: () => {
          rows = [];
          return { data: { batchId: recordId(501), undone: 2, skipped: [], skippedCount: 0 } };
        },
      },
      'en',
    );
    await screen.findByText(en.empty.text);
    paste('Spring\tnews\t3\nAutumn\tguide\t4');
    const dialog = await screen.findByRole('dialog', { name: en.paste.title });
    await app.person.click(await within(dialog).findByRole('button', { name: en.paste.go }));
    expect(await screen.findByText('Spring')).toBeInTheDocument();
    // The state of a draft is shown in a column of its own, into which nothing is pasted.
    expect(app.server.calls(`POST ${of}/records/paste`).at(-1)?.body).toMatchObject({
      fields: ['f_titleaaaaaaa', 'f_statusaaaaaa', 'f_priceaaaaaaa'],
      rows: [
        { id: null, cells: ['Spring', 'news', '3'] },
        { id: null, cells: ['Autumn', 'guide', '4'] },
      ],
    });
    await app.person.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText(en.empty.text)).toBeInTheDocument();
  });

  test('is offered to whoever may only add records, and to nobody else', async () => {
    rows = [];
    const answers = (may: ContentTable['may']) => ({ [`GET ${base}/tables`]: { data: [tableOf({ may }), tableOf(people)] } });
    await open('', { ...answers(['read', 'create']), [`POST ${of}/records/paste`]: { data: plan(1, null) } }, 'en');
    await screen.findByText(en.empty.text);
    paste('Spring');
    expect(await screen.findByRole('dialog', { name: en.paste.title })).toBeInTheDocument();
    app.end();
    await open('', answers(['read', 'update']), 'en');
    await screen.findByText(en.empty.title);
    expect(screen.queryByText(en.empty.text)).toBeNull();
    paste('Spring');
    expect(screen.queryByRole('dialog', { name: en.paste.title })).toBeNull();
  });
});

test('chosen records are thrown away after a question, and the table says so', async () => {
  await open('', { [`POST ${of}/records/trash`]: { data: written({ updated: 2, jobId: null }) } });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  await within(grid).findByText('春茶上市');
  const boxes = within(grid).getAllByRole('checkbox');
  await person.click(boxes[1] as HTMLElement);
  await person.click(boxes[2] as HTMLElement);
  const bar = await screen.findByRole('toolbar', { name: '批量操作' });
  expect(within(bar).getByText('已选 2 条')).toBeInTheDocument();
  await person.click(within(bar).getByRole('button', { name: '移入回收站' }));
  const question = await screen.findByRole('dialog', { name: '把 2 条记录移入回收站？' });
  await person.click(within(question).getByRole('button', { name: '移入回收站' }));
  await waitFor(() => expect(app.server.calls(`POST ${of}/records/trash`)[0]?.body).toEqual({ target: { ids: [recordId(1), recordId(2)] } }));
  expect(await screen.findByText('已把 2 条移入回收站')).toBeInTheDocument();
  expect(screen.queryByRole('toolbar', { name: '批量操作' })).toBeNull();
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
] as const)('what keeps a record from being thrown away is named with its field (%s)', async (locale, words, button, bar) => {
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
  expect(await screen.findByText(words)).toBeInTheDocument();
});

test('bulk editing shows what would become of the records before anything is written', async () => {
  const answer = (dryRun: boolean) => ({
    ...written({ updated: dryRun ? 0 : 1, batchId: dryRun ? null : recordId(501) }),
    matched: 2,
    state: dryRun ? '1.2.3' : null,
    unchanged: 1,
    samples: [{ id: recordId(1), label: '春茶上市', before: { f_priceaaaaaaa: null }, after: { f_priceaaaaaaa: '88' }, fault: null }],
    jobId: null,
  });
  await open('', { [`POST ${of}/records/bulk`]: async (request) => ({ data: answer(((await request.clone().json()) as { dryRun: boolean }).dryRun) }) });
  const { person } = app;
  const grid = await screen.findByRole('grid', { name: '文章' });
  await within(grid).findByText('春茶上市');
  await person.click(within(grid).getAllByRole('checkbox')[1] as HTMLElement);
  await person.click(within(await screen.findByRole('toolbar', { name: '批量操作' })).getByRole('button', { name: '批量修改' }));
  const dialog = await screen.findByRole('dialog', { name: '批量修改' });
  await person.selectOptions(within(dialog).getByLabelText('字段'), 'f_priceaaaaaaa');
  await person.type(within(dialog).getByLabelText('价格'), '88');
  await person.click(within(dialog).getByRole('button', { name: '预览' }));
  expect(await within(dialog).findByText(/会修改 1 条记录/)).toBeInTheDocument();
  expect(within(dialog).getByRole('row', { name: /春茶上市.*88/ })).toBeInTheDocument();
  const bulk = `POST ${of}/records/bulk`;
  expect(app.server.calls(bulk).map(({ body }) => (body as { dryRun: boolean }).dryRun)).toEqual([true]);
  await person.click(within(dialog).getByRole('button', { name: '修改 1 条' }));
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
        const made = dryRun ? {} : { jobId: recordId(700), updated: 0 };
        return { data: { ...written({ batchId: null }), matched: 2000, state: dryRun ? `1.2000.${String(looks)}` : null, samples: [], jobId: null, ...made } };
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

test('a view is saved with what is on the screen, and its change is saved under its revision', async () => {
  const kanban = viewOf({ title: '进度', kind: 'grid' });
  await open(`?view=${kanban.id}&sort=-$n`, { [calls.views]: { data: [kanban] }, [`PATCH ${of}/views/${kanban.id}`]: { data: { ...kanban, revision: 2 } } });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: '保存到视图' }));
  await waitFor(() => expect(app.server.calls(`PATCH ${of}/views/${kanban.id}`)).toHaveLength(1));
  const [call] = app.server.calls(`PATCH ${of}/views/${kanban.id}`);
  expect(call?.headers.get('if-match')).toBe('"1"');
  expect(call?.body).toMatchObject({ query: { sort: [{ field: '$n', descending: true }] } });
  await waitFor(() => expect(search().get('sort')).toBeNull());
});

test('a kanban moves a card with the keyboard and says where it went', async () => {
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
  expect(screen.getByRole('region', { name: '新闻，1 条' })).toBeInTheDocument();
  fireEvent.keyDown(card, { key: 'ArrowRight', altKey: true });
  await waitFor(() =>
    expect(app.server.calls(calls.change)[0]?.body).toEqual({
      changes: [{ id: recordId(1), revision: 1, values: { f_statusaaaaaa: 'guide' } }],
      door: 'console',
    }),
  );
  expect(await screen.findByText('“春茶上市”已移到“教程”')).toBeInTheDocument();
});

test('a form says what is missing, keeps what was typed when it is refused, and thanks', async () => {
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
  await person.click(screen.getByRole('button', { name: '提交' }));
  expect(await screen.findByText('已被使用，换一个')).toBeInTheDocument();
  expect(screen.getByLabelText('标题')).toHaveValue('春茶上市');
  refuse = false;
  await person.click(screen.getByRole('button', { name: '提交' }));
  expect(await screen.findByText('收到了')).toBeInTheDocument();
});

test('a list that is asked for again before it has come is read all the same', async () => {
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
  await app.person.click(await screen.findByRole('button', { name: '刷新' }));
  expect(await screen.findByText('春茶上市')).toBeInTheDocument();
  go();
});

test('the bench has no fault that a machine can find', async () => {
  await open();
  await screen.findByRole('grid', { name: '文章' });
  expect(await faultsOf(app.container)).toEqual([]);
});
