import { configure, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentRecord } from '@contract/tables/records';
import { RecordPage } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../test/support/checkedResponses';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderIn } from '../../../../test/support/renderApp';
import { startUp, site } from '../../../../test/support/factories';
import { base, calls, of, openRecords, people, threeRecords, written } from '../../../../test/support/recordsPage';
import type { RecordsApp } from '../../../../test/support/recordsPage';
import { fieldOf, pageOf, recordId, recordOf, tableOf } from '../../../../test/support/recordsScreen';
import en from '../messages.en';

renderIn('zh-CN');

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: RecordsApp;
let rows: ContentRecord[] = [];
async function open(search = '', answers: Record<string, Answer> = {}, locale: 'en' | 'zh-CN' = 'zh-CN') {
  app = await openRecords(() => rows, search, answers, locale);
  return app;
}
const search = () => new URLSearchParams(app.router.state.location.search);
const recordQueries = () => app.server.calls(calls.records).map((call) => new URLSearchParams(call.search));
beforeEach(() => {
  rows = threeRecords();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('a site without tables offers to create one from a template', async () => {
  const createdTable = tableOf({ title: '常见问题', id: 't_faqaaaaaaaaa', key: 'faq' });
  let tables: unknown[] = [];
  await open('', {
    [`GET ${base}/tables`]: () => ({ data: tables }),
    [`POST ${base}/tables`]: () => {
      tables = [createdTable];
      return { data: createdTable };
    },
    [`GET ${base}/tables/t_faqaaaaaaaaa/views`]: { data: [] },
    [`GET ${base}/tables/t_faqaaaaaaaaa/records`]: { data: pageOf([]) },
  });
  const { person } = app;
  await person.click(await screen.findByRole('button', { name: '新建内容表' }));
  const dialog = await screen.findByRole('dialog', { name: '新建内容表' });
  await person.click(within(dialog).getByRole('radio', { name: '常见问题' }));
  // The template sets its name.
  expect(within(dialog).getByLabelText('名称')).toHaveValue('常见问题');
  await person.click(within(dialog).getByRole('button', { name: '新建' }));
  await waitFor(() => expect(search().get('table')).toBe('t_faqaaaaaaaaa'));
  expect(app.server.calls(`POST ${base}/tables`)[0]?.body).toMatchObject({ template: 'faq', title: '常见问题', drafts: false });
  expect(await screen.findByText('还没有记录')).toBeInTheDocument();
});

test('people who may not design tables are not offered to create one', async () => {
  await open('', { [`GET ${base}/tables`]: { data: [] }, 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(await screen.findByText('还没有内容表')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: '新建内容表' })).toBeNull();
});

test('the address determines table, filter, sort, search and group', async () => {
  const filter = JSON.stringify({ field: 'f_statusaaaaaa', op: 'in', value: ['news'] });
  await open(`?table=posts&q=${encodeURIComponent('春茶')}&sort=-f_priceaaaaaaa&filter=${encodeURIComponent(filter)}`);
  expect(await screen.findByRole('heading', { level: 1, name: '文章' })).toBeInTheDocument();
  await waitFor(() => expect(recordQueries().length).toBeGreaterThan(0));
  const [first] = recordQueries();
  expect(Object.fromEntries(first ?? [])).toMatchObject({ q: '春茶', sort: '-f_priceaaaaaaa', filter, count: 'capped', names: 'id', limit: '100' });
  expect(screen.getByRole('searchbox', { name: '搜索记录' })).toHaveValue('春茶');
  expect(screen.getByText('视图有未保存的修改')).toBeInTheDocument();
});

test('a condition applies when complete and can be cleared without results', async () => {
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

test('a condition on people finds them by name, keeping selected ones visible', async () => {
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

test('a record in the address is scrolled to and selected', async () => {
  rows = Array.from({ length: 400 }, (_, at) => recordOf(at + 1, { f_titleaaaaaaa: `茶 ${String(at + 1)}` }));
  const id = recordId(351);
  await open(`?record=${id}&sort=f_priceaaaaaaa`, {
    // Counts end at one hundred.
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
  // From an open record a button leads to the previous one.
  expect(await screen.findByRole('button', { name: '上一条' })).toBeEnabled();
});

test('a cell is saved with its revision, and undo reverts the batch', async () => {
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
      origin: 'console',
    }),
  );
  await waitFor(() => expect(screen.getByRole('button', { name: '撤销' })).toBeEnabled());
  await person.click(screen.getByRole('button', { name: '撤销' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/batches/${recordId(500)}/undo`)).toHaveLength(1));
  expect(await screen.findByText('已撤销，涉及 1 条记录')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '更多工具' }));
  expect(screen.getByRole('menuitem', { name: '重做' })).toBeEnabled();
});

test('a refused value keeps its reason, and a conflict offers both versions', async () => {
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
  expect(app.server.calls(calls.change)[1]?.body).toEqual({
    changes: [{ id: recordId(1), revision: 7, values: { f_titleaaaaaaa: '秋茶' } }],
    origin: 'console',
  });
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

  test('restores the stored value and keeps the previous edit', async () => {
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

  test('shows the value that another person has stored meanwhile', async () => {
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

  test('with a required value opens the form without a failing request', async () => {
    await newRecord({ drafts: false, fields: [required] });
    const dialog = await screen.findByRole('dialog', { name: en.record.add });
    await waitFor(() => expect(within(dialog).getByRole('textbox', { name: /Name/ })).toHaveFocus());
    expect(app.server.calls(calls.add)).toHaveLength(0);
  });

  test.each([
    ['begins as a draft', { drafts: true, fields: [required] }],
    ['has a default for what is required', { drafts: false, fields: [{ ...required, default: { kind: 'value', value: 'x' } }] }],
    ['requires nothing', { drafts: false, fields: [{ ...required, required: false }] }],
  ])('that %s is created at once', async (_why, table) => {
    await newRecord(table, { [calls.add]: { data: written({ created: 1, records: [{ id: recordId(9), n: 9, revision: 1 }] }) } });
    await waitFor(() => expect(app.server.calls(calls.add).map(({ body }) => body)).toEqual([{ records: [{}] }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('that the server finds incomplete opens the form at that field', async () => {
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

  test('creates records that can be undone', async () => {
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
    // The draft state has its own column, into which nothing is pasted.
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

  test('adds text fields for columns that have none', async () => {
    let table = tableOf({ fields: [fieldOf({ id: 'f_titleaaaaaaa', key: 'title', type: 'text', title: 'Name' })] });
    const added = fieldOf({ id: 'f_newaaaaaaaaa', key: 'column_2', type: 'text', title: 'Column 2' });
    rows = [];
    await open(
      '',
      {
        [`GET ${base}/tables`]: () => ({ data: [table, tableOf(people)] }),
        [`POST ${of}/fields`]: () => {
          table = { ...table, revision: 2, fields: [...table.fields, added] };
          return { data: table };
        },
        [`POST ${of}/records/paste`]: { data: plan(1, null) },
      },
      'en',
    );
    await screen.findByText(en.empty.text);
    paste('Spring\tnews');
    const dialog = await screen.findByRole('dialog', { name: en.paste.title });
    expect(within(dialog).getByRole('checkbox', { name: 'Add a text field for 1 column that has none' })).toBeChecked();
    await app.person.click(await within(dialog).findByRole('button', { name: en.paste.go }));
    await waitFor(() =>
      expect(app.server.calls(`POST ${of}/records/paste`).at(-1)?.body).toMatchObject({
        dryRun: false,
        fields: ['f_titleaaaaaaa', added.id],
        rows: [{ id: null, cells: ['Spring', 'news'] }],
      }),
    );
    expect(app.server.calls(`POST ${of}/fields`)[0]?.body).toMatchObject({ type: 'text', title: 'Column 2' });
  });

  test('is offered only to people who may add records', async () => {
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
