import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../../test/support/axe';
import { site, startUp } from '../../../../../test/support/factories';
import type { Answer } from '../../../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../../../test/support/renderApp';
import { fieldOf, tableOf } from '../../../../../test/support/recordsScreen';

renderIn('zh-CN');

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
let app: Awaited<ReturnType<typeof renderApp>>;
let table: ContentTable = tableOf();
const put = (change: Partial<ContentTable>): Answer => {
  table = { ...table, revision: table.revision + 1, ...change };
  return { data: table };
};
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/abcdefghijkl/table/table_fields${search}`, {
    answers: { [`GET ${base}/tables`]: () => ({ data: [table] }), [`GET ${of}/deleted-fields`]: { data: [] }, ...answers },
  });
  return app.person;
}
const search = () => new URLSearchParams(app.router.state.location.search);
const editor = (name: string) => screen.findByRole('form', { name });
beforeEach(() => {
  table = tableOf();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('arrow keys move a field, and a refusal moves it back', async () => {
  await open('', {
    [`PUT ${of}/order`]: () => put({ fields: [1, 0, 2, 3, 4, 5].flatMap((i) => table.fields[i] ?? []) }),
  });
  const titles = () =>
    within(screen.getByRole('list', { name: '字段列表' }))
      .getAllByRole('listitem')
      .map((row) => row.querySelector('b')?.textContent);
  await screen.findByRole('list', { name: '字段列表' });
  expect(titles().slice(0, 3)).toEqual(['标题', '分类', '价格']);
  expect(await violationsOf(document.body)).toEqual([]);
  fireEvent.keyDown(screen.getByRole('button', { name: /^移动“标题”/ }), { key: 'ArrowDown' });
  await waitFor(() => expect(titles().slice(0, 2)).toEqual(['分类', '标题']));
  const call = app.server.calls(`PUT ${of}/order`)[0];
  expect(call?.headers.get('if-match')).toBe('"1"');
  expect((call?.body as { fields: string[] } | undefined)?.fields.slice(0, 2)).toEqual(['f_statusaaaaaa', 'f_titleaaaaaaa']);
  app.server.answer(`PUT ${of}/order`, { error: '已被修改', status: 409, code: 'stale_revision', current: table });
  fireEvent.keyDown(screen.getByRole('button', { name: /^移动“价格”/ }), { key: 'ArrowUp' });
  expect(await screen.findByText('顺序没有保存，已恢复')).toBeInTheDocument();
  expect(titles().slice(0, 3)).toEqual(['分类', '标题', '价格']);
});

test('a type chosen in the palette becomes a field with an address', async () => {
  const person = await open('', {
    [`POST ${of}/fields`]: () => put({ fields: [...table.fields, fieldOf({ id: 'f_newaaaaaaaaa', type: 'select', title: '优先级' })] }),
  });
  await person.click(await screen.findByRole('button', { name: '新建字段' }));
  await person.type(screen.getByRole('searchbox', { name: '搜索字段类型' }), '单选');
  await person.click(screen.getByRole('button', { name: /^单选/ }));
  expect(search().get('type')).toBe('select');
  const form = await editor('新字段');
  await person.type(within(form).getByLabelText('名称'), '优先级');
  await person.click(within(form).getByRole('button', { name: '添加选项' }));
  const first = within(form).getByRole('textbox', { name: '第 1 个选项' });
  await waitFor(() => expect(first).toHaveFocus());
  fireEvent.paste(first, { clipboardData: { getData: () => '高\n中\n低\n高' } });
  await waitFor(() => expect(within(form).getByRole('textbox', { name: '第 3 个选项' })).toHaveValue('低'));
  await person.click(within(form).getByRole('button', { name: '新建字段' }));
  await waitFor(() => expect(search().get('field')).toBe('f_newaaaaaaaaa'));
  const body = app.server.calls(`POST ${of}/fields`)[0]?.body as { options: { choices: { title: string }[] } };
  expect(body).toMatchObject({ type: 'select', title: '优先级', required: false });
  expect(body.options.choices.map(({ title }) => title)).toEqual(['高', '中', '低']);
});

test('focus moves into an opened pane and returns when it closes', async () => {
  const person = await open('');
  const add = await screen.findByRole('button', { name: '新建字段' });
  await person.click(add);
  expect(screen.getByRole('searchbox', { name: '搜索字段类型' })).toHaveFocus();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(search().get('field')).toBeNull());
  expect(add).toHaveFocus();
  await person.click(screen.getByRole('button', { name: /^标题/ }));
  const form = await editor('标题');
  await person.click(within(form).getByRole('button', { name: '返回字段列表' }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^标题/ })).toHaveFocus());
});

test('a save sends only changes, and a conflict keeps the input', async () => {
  const person = await open('?field=title', {
    [`PATCH ${of}/fields/f_titleaaaaaaa`]: () => {
      const [first, ...rest] = table.fields;
      // Another user has renamed it meanwhile.
      table = { ...table, revision: 7, fields: [...(first ? [{ ...first, title: '题目' }] : []), ...rest] };
      return { error: '已被修改', status: 409, code: 'stale_revision', current: table };
    },
  });
  const form = await editor('标题');
  expect(within(form).getByText('headline')).toBeInTheDocument();
  const name = within(form).getByLabelText('名称');
  await person.clear(name);
  await person.type(name, '大标题');
  await person.click(within(form).getByRole('checkbox', { name: '必填' }));
  await person.click(within(form).getByRole('button', { name: '保存' }));
  expect(await screen.findByText('这张表刚被别人改过')).toBeInTheDocument();
  const call = () => app.server.calls(`PATCH ${of}/fields/f_titleaaaaaaa`).at(-1);
  expect(call()?.body).toEqual({ title: '大标题', required: true });
  expect(await screen.findByText('你和对方都改了：名称。再保存会用你的内容覆盖。')).toBeInTheDocument();
  const again = await editor('题目');
  expect(within(again).getByLabelText('名称')).toHaveValue('大标题');
  app.server.answer(`PATCH ${of}/fields/f_titleaaaaaaa`, () => {
    const [first, ...rest] = table.fields;
    return put({ fields: [...(first ? [{ ...first, title: '大标题', required: true }] : []), ...rest] });
  });
  await person.click(within(again).getByRole('button', { name: '保存' }));
  expect(await screen.findByText('已保存“大标题”')).toBeInTheDocument();
  expect(call()?.headers.get('if-match')).toBe('"7"');
  await waitFor(() => expect(screen.queryByText('这张表刚被别人改过')).toBeNull());
});

test('unsaved input of a field survives visiting another until discarded', async () => {
  const person = await open('?field=f_priceaaaaaaa');
  await person.type(within(await editor('价格')).getByLabelText(/^单位/), '元');
  await person.click(screen.getByRole('button', { name: /^分类/ }));
  await editor('分类');
  await person.click(screen.getByRole('button', { name: /^价格/ }));
  const form = await editor('价格');
  expect(within(form).getByLabelText(/^单位/)).toHaveValue('元');
  expect(within(form).getByText('已恢复上次没有保存的内容。')).toBeInTheDocument();
  await person.click(within(form).getByRole('button', { name: '放弃修改' }));
  expect(within(form).getByLabelText(/^单位/)).toHaveValue('');
  expect(within(form).getByRole('button', { name: '保存' })).toBeDisabled();
});

test('server errors show at their controls and focus moves to the summary', async () => {
  const person = await open('?field=f_titleaaaaaaa', {
    [`PATCH ${of}/fields/f_titleaaaaaaa`]: {
      error: '不对',
      status: 422,
      code: 'invalid_fields',
      fields: { 'options.maxLength': { code: 'out_of_range', min: 9 } },
    },
  });
  const form = await editor('标题');
  await person.type(within(form).getByLabelText(/^最多字数/), '3');
  await person.click(within(form).getByRole('button', { name: '保存' }));
  expect(await within(form).findByText('选项 · 超出范围')).toBeInTheDocument();
  expect(within(form).getByLabelText(/^最多字数/)).toHaveAttribute('aria-invalid', 'true');
  expect(within(form).getByLabelText(/^最多字数/)).toHaveValue(3);
});

test('a pattern can be tried, and an invalid one shows an error', async () => {
  const person = await open('?field=title');
  const form = await editor('标题');
  fireEvent.change(within(form).getByLabelText(/^格式/), { target: { value: '[A-Z]{2}\\d' } });
  await person.type(within(form).getByLabelText('试一试'), 'AB1');
  expect(within(form).getByText('符合')).toBeInTheDocument();
  await person.type(within(form).getByLabelText('试一试'), 'x');
  expect(within(form).getByText('不符合')).toBeInTheDocument();
  fireEvent.change(within(form).getByLabelText(/^格式/), { target: { value: '(a' } });
  expect(within(form).getByText('表达式无法使用')).toBeInTheDocument();
});

test('a formula offers fields and functions and is tried on records', async () => {
  const person = await open('?field=new&type=formula', {
    [`POST ${of}/formula`]: {
      data: {
        formula: '{f_priceaaaaaaa}*2',
        yields: 'number',
        problem: null,
        error: null,
        samples: [{ id: '0193a000-0000-7000-8000-000000000001', label: '春茶', value: '24' }],
      },
    },
  });
  const form = await editor('新字段');
  const box = within(form).getByLabelText('公式');
  await person.type(box, 'RO');
  expect(await within(form).findByRole('option', { name: 'ROUND' })).toHaveAttribute('aria-selected', 'true');
  await person.keyboard('{Enter}');
  expect(box).toHaveValue('ROUND(');
  fireEvent.change(box, { target: { value: '{价' } });
  await person.click(await within(form).findByRole('option', { name: '价格' }));
  expect(box).toHaveValue('{价格}');
  expect(await within(form).findByText('春茶')).toBeInTheDocument();
  app.server.answer(`POST ${of}/formula`, {
    data: { formula: '{x}', yields: null, problem: 'missing_field', error: { code: 'unknown_field', at: 0, length: 3, name: 'x' }, samples: [] },
  });
  fireEvent.change(box, { target: { value: '{x}' } });
  expect(await within(form).findByText('没有“x”这个字段')).toBeInTheDocument();
});

test('deleting a field shows its usage first and can be undone', async () => {
  const price = table.fields[2];
  const person = await open('?field=price', {
    [`GET ${of}/fields/f_priceaaaaaaa/usage`]: { data: [{ kind: 'formula', id: 'f_x', name: '总价', tableId: table.id }] },
    [`DELETE ${of}/fields/f_priceaaaaaaa`]: () => put({ fields: table.fields.filter(({ key }) => key !== 'price') }),
    [`GET ${of}/deleted-fields`]: () => ({
      data: table.fields.some(({ key }) => key === 'price') ? [] : [{ ...price, deletedAt: '2026-11-20T08:00:00.000Z' }],
    }),
    [`POST ${of}/fields/f_priceaaaaaaa/restore`]: () => put({ fields: [...table.fields, ...(price ? [price] : [])] }),
  });
  await person.click(within(await editor('价格')).getByRole('button', { name: '删除字段' }));
  const dialog = await screen.findByRole('dialog', { name: '删除字段“价格”？' });
  expect(await within(dialog).findByText('公式 · 总价')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '删除' }));
  await waitFor(() => expect(search().get('field')).toBeNull());
  await person.click(screen.getByRole('button', { name: '已删除的字段' }));
  const bin = await screen.findByRole('dialog', { name: '已删除的字段' });
  await person.click(await within(bin).findByRole('button', { name: '恢复' }));
  expect(await screen.findByText('已恢复“价格”')).toBeInTheDocument();
  expect(await within(bin).findByText('没有已删除的字段')).toBeInTheDocument();
});

test('people who may not design see fields read-only', async () => {
  await open('?field=title', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  const form = await editor('标题');
  expect(within(form).getByLabelText('名称')).toHaveAttribute('readonly');
  expect(screen.queryByRole('button', { name: '新建字段' })).toBeNull();
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull();
  expect(screen.getByText(/只有站点管理员能修改/)).toBeInTheDocument();
});

test('removing a used choice asks what happens to its records', async () => {
  const status = table.fields.find(({ type }) => type === 'select');
  const { fields } = table;
  const [first, second] = status?.options.choices ?? [];
  if (!status || !first || !second) throw new Error('no selection');
  const at = `${of}/fields/${status.id}`;
  const person = await open(`?field=${status.id}`, {
    [`GET ${at}/choices`]: {
      data: [
        { id: first.id, records: 12 },
        { id: second.id, records: 0 },
      ],
    },
    [`POST ${base}/batches/00000000-0000-7000-8000-000000000001/undo`]: () => {
      put({ fields });
      return { data: { batchId: null, undone: 12, skipped: [], skippedCount: 0 } };
    },
    [`POST ${at}/choices/${first.id}/remove`]: () => {
      put({ fields: fields.map((one) => (one.id === status.id ? { ...one, options: { choices: one.options.choices?.slice(1) ?? [] } } : one)) });
      return { data: { batchId: '00000000-0000-7000-8000-000000000001', moved: 12, jobId: null, table } };
    },
  });
  const form = await editor('分类');
  await person.click(within(form).getByRole('button', { name: `删除选项“${first.title}”` }));
  const dialog = await screen.findByRole('dialog', { name: `删除选项“${first.title}”` });
  expect(within(dialog).getByText(/有 12 条记录选了它/)).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '删除选项' }));
  await waitFor(() => expect(app.server.calls(`POST ${at}/choices/${first.id}/remove`)[0]?.body).toEqual({ to: second.id }));
  expect(await screen.findByText(`已删除选项“${first.title}”，改动 12 条记录`)).toBeInTheDocument();
  await waitFor(() => expect(within(form).getByRole('textbox', { name: '第 1 个选项' })).toHaveValue(second.title));
  // Nothing remains to be saved, and a choice that no record uses is removed without a question.
  expect(within(form).getByRole('button', { name: '保存' })).toBeDisabled();
  await person.click(within(form).getByRole('button', { name: `删除选项“${second.title}”` }));
  await waitFor(() => expect(within(form).getByRole('button', { name: '保存' })).toBeEnabled());
  expect(screen.queryByRole('dialog')).toBeNull();
  // Restored records have their values again.
  await person.click(screen.getByRole('button', { name: '撤销' }));
  expect(await screen.findByText('已撤销，涉及 12 条记录')).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/batches/00000000-0000-7000-8000-000000000001/undo`)).toHaveLength(1);
});
