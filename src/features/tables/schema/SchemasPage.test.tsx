import { act, configure, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable } from '@contract/tables/schemas';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { site, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../../test/support/renderApp';
import { fieldOf, tableOf } from '../../../../test/support/recordsScreen';
import { tablesApi } from '@/features/tables/tablesApi';

renderIn('zh-CN');

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const authors = tableOf({
  id: 't_authoraaaaaa',
  key: 'authors',
  title: '作者',
  aliases: [],
  primaryField: 'f_nameaaaaaaaa',
  fields: [fieldOf({ id: 'f_nameaaaaaaaa', type: 'text', title: '姓名' })],
});
let app: Awaited<ReturnType<typeof renderApp>>;
let tables: ContentTable[] = [];
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/abcdefghijkl/table/schemas${search}`, {
    messages: ['tableAdmin'],
    answers: { [`GET ${base}/tables`]: () => ({ data: tables }), ...answers },
  });
  return app.person;
}
const search = () => new URLSearchParams(app.router.state.location.search);
beforeEach(() => {
  tables = [tableOf(), authors];
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('every table has a card with its size and links', async () => {
  await open();
  const list = await screen.findByRole('list', { name: '内容表' });
  const [articles, people] = within(list).getAllByRole('listitem');
  expect(articles).toHaveTextContent('6 个字段 · 约 3 条记录');
  expect(articles).toHaveTextContent('指向 作者');
  expect(people).toHaveTextContent('被指向 文章');
  expect(screen.getByRole('img', { name: '内容表之间的关联' })).toBeInTheDocument();
  expect(await violationsOf(document.body)).toEqual([]);
});

test('conflicting settings are overwritten only after a warning', async () => {
  const person = await open('?show=settings&table=articles');
  const dialog = await screen.findByRole('dialog', { name: '“文章”的设置' });
  const name = within(dialog).getByLabelText('名称');
  await person.clear(name);
  await person.type(name, '新闻');
  tables = [tableOf({ revision: 5, title: '报道' }), authors];
  act(() => void app.store.dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: 'abcdefghijkl' }])));
  await screen.findByRole('dialog', { name: '“报道”的设置' });
  await person.click(within(dialog).getByRole('button', { name: '保存' }));
  expect(await within(dialog).findByText(/这张表刚被别人改过/)).toBeInTheDocument();
  expect(app.server.calls(`PATCH ${of}`)).toEqual([]);
  app.server.answer(`PATCH ${of}`, { data: tableOf({ revision: 6, title: '新闻' }) });
  await person.click(within(dialog).getByRole('button', { name: '保存' }));
  await waitFor(() => expect(app.server.calls(`PATCH ${of}`).map(({ body }) => body)).toEqual([{ title: '新闻' }]));
});

test('settings send only changes and keep the input after a conflict', async () => {
  const person = await open('?show=settings&table=articles', {
    [`PATCH ${of}`]: () => {
      tables = [tableOf({ revision: 5, note: '别人写的' }), authors];
      return { error: '已被修改', status: 409, code: 'stale_revision', current: tables[0] };
    },
  });
  const dialog = await screen.findByRole('dialog', { name: '“文章”的设置' });
  const name = within(dialog).getByLabelText('名称');
  await person.clear(name);
  await person.type(name, '新闻');
  await person.click(within(dialog).getByRole('button', { name: '保存' }));
  expect(await within(dialog).findByText(/这张表刚被别人改过/)).toBeInTheDocument();
  expect(name).toHaveValue('新闻');
  app.server.answer(`PATCH ${of}`, () => {
    tables = [tableOf({ revision: 6, note: '别人写的', title: '新闻' }), authors];
    return { data: tables[0] };
  });
  await waitFor(() => expect(app.server.calls(`GET ${base}/tables`).length).toBeGreaterThan(1));
  await person.click(within(dialog).getByRole('button', { name: '保存' }));
  expect(await screen.findByText('已保存“新闻”的设置')).toBeInTheDocument();
  const last = app.server.calls(`PATCH ${of}`).at(-1);
  // The other person's note is not overwritten.
  expect(last?.body).toEqual({ title: '新闻' });
  expect(last?.headers.get('if-match')).toBe('"5"');
});

test('deleting a table lists what links to it and can be undone', async () => {
  const all = tables;
  const restoring = `POST ${base}/tables/t_authoraaaaaa/restore`;
  const person = await open('', {
    [`DELETE ${base}/tables/t_authoraaaaaa`]: () => {
      tables = tables.slice(0, 1);
      return { data: null };
    },
    [restoring]: () => {
      tables = all;
      return { data: all[1] };
    },
  });
  await person.click(await screen.findByRole('button', { name: '“作者”的操作' }));
  await person.click(await screen.findByRole('menuitem', { name: '删除' }));
  const dialog = await screen.findByRole('dialog', { name: '删除内容表“作者”？' });
  expect(within(dialog).getByText('文章 · 作者')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '删除' }));
  expect(await screen.findByText('已删除内容表“作者”')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: '“作者”的操作' })).toBeNull());
  await person.click(screen.getByRole('button', { name: '撤销' }));
  expect(await screen.findByRole('button', { name: '“作者”的操作' })).toBeInTheDocument();
  expect(app.server.calls(restoring)).toHaveLength(1);
});

test('a definition change shows before and after and can be undone', async () => {
  const change = {
    id: 'c1',
    revision: 2,
    op: 'field_changed',
    at: '2026-11-20T08:00:00.000Z',
    by: '林晓',
    name: '标题',
    fieldId: 'f_titleaaaaaaa',
    before: { help: '' },
    after: { help: '写清楚' },
    revertible: true,
    reverted: false,
  };
  let reverted = false;
  const person = await open('?show=history&table=articles', {
    [`GET ${of}/history`]: () => ({ data: [{ ...change, reverted }] }),
    [`POST ${of}/history/c1/revert`]: () => {
      reverted = true;
      return { data: tables[0] };
    },
  });
  const dialog = await screen.findByRole('dialog', { name: '“文章”的变更历史' });
  expect(await within(dialog).findByText(/（空） → 写清楚/)).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '撤回这次变更' }));
  const undoQuestion = await screen.findByText('撤回“修改字段 标题”？');
  expect(reverted).toBe(false);
  await person.click(
    within(undoQuestion.closest<HTMLElement>('dialog, [role="dialog"], [role="alertdialog"]') ?? document.body).getByRole('button', { name: '撤回这次变更' }),
  );
  expect(await within(dialog).findByText('已撤回')).toBeInTheDocument();
});

test('an access change is described by role, field and record names', async () => {
  await open('?show=history&table=articles', {
    [`GET ${of}/history`]: () => ({
      data: [
        {
          id: 'c9',
          revision: 9,
          op: 'rules_changed',
          at: '2026-11-20T08:00:00.000Z',
          by: '李雷',
          name: '文章',
          fieldId: null,
          before: { 'viewer.read': null },
          after: {
            'viewer.read': {
              allowed: true,
              fields: [tables[0]?.fields[0]?.id],
              filter: {
                or: [
                  { field: '$createdBy', op: 'eq', value: '$user' },
                  { field: '$state', op: 'in', value: ['published'] },
                ],
              },
            },
          },
          revertible: true,
          reverted: false,
        },
      ],
    }),
  });
  const dialog = await screen.findByRole('dialog', { name: '“文章”的变更历史' });
  expect(await within(dialog).findByText(/只读 · 查看：默认（允许） → 允许；只限字段 标题；只限记录 创建者 等于 我自己 或 状态 是 已发布/)).toBeInTheDocument();
  expect(within(dialog).getByText('修改权限')).toBeInTheDocument();
});

test('access rules come with a new table, for others only on request', async () => {
  const rights = (table: string, change: string) => ({
    table,
    field: '$rights',
    change,
    before: {},
    after: { 'viewer.read': { allowed: false, fields: null, filter: null } },
  });
  const person = await open('?show=files', {
    [`POST ${base}/schema/compare`]: {
      data: [{ table: 'faq', field: null, change: 'add', before: {}, after: {} }, rights('faq', 'add'), rights('articles', 'change')],
    },
    [`POST ${base}/schema/apply`]: { data: [] },
  });
  const dialog = await screen.findByRole('dialog', { name: '导出和对比' });
  const file = { format: 'sitewright-tables', version: 1, tables: [{ key: 'faq' }] };
  await person.upload(within(dialog).getByLabelText('定义文件'), new File([JSON.stringify(file)], 'y.json', { type: 'application/json' }));
  await waitFor(() => expect(within(dialog).getByRole('button', { name: '对比' })).toBeEnabled());
  await person.click(within(dialog).getByRole('button', { name: '对比' }));
  expect(await within(dialog).findByRole('checkbox', { name: '添加 “faq”的权限' })).toBeChecked();
  expect(await within(dialog).findAllByText('只读 · 查看：默认（允许） → 不允许')).toHaveLength(2);
  const here = within(dialog).getByRole('checkbox', { name: '修改 “文章”的权限' });
  expect(here).not.toBeChecked();
  await person.click(here);
  await person.click(within(dialog).getByRole('checkbox', { name: '添加 faq' }));
  expect(within(dialog).getByRole('checkbox', { name: '添加 “faq”的权限' })).toBeDisabled();
  await person.click(within(dialog).getByRole('button', { name: '应用 1 项' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/schema/apply`)[0]?.body).toEqual({ file, only: ['articles.$rights'] }));
});

test('comparing a file imports only the selected, lossless changes', async () => {
  const difference = (table: string, field: string | null, kind: string) => ({ table, field, change: kind, before: {}, after: {} });
  const person = await open('?show=files', {
    [`POST ${base}/schema/compare`]: {
      data: [difference('faq', null, 'add'), difference('articles', 'title', 'change'), difference('articles', 'price', 'type')],
    },
    [`POST ${base}/schema/apply`]: { data: [difference('faq', null, 'add')] },
  });
  const dialog = await screen.findByRole('dialog', { name: '导出和对比' });
  await person.upload(within(dialog).getByLabelText('定义文件'), new File(['{"no":1}'], 'x.json', { type: 'application/json' }));
  expect(await within(dialog).findByText('这不是内容表的定义文件')).toBeInTheDocument();
  const file = { format: 'sitewright-tables', version: 1, tables: [{ key: 'faq' }] };
  await person.upload(within(dialog).getByLabelText('定义文件'), new File([JSON.stringify(file)], 'y.json', { type: 'application/json' }));
  await waitFor(() => expect(within(dialog).getByRole('button', { name: '对比' })).toBeEnabled());
  await person.click(within(dialog).getByRole('button', { name: '对比' }));
  expect(await within(dialog).findByRole('checkbox', { name: '类型不同 articles.price' })).toBeDisabled();
  await person.click(within(dialog).getByRole('checkbox', { name: '修改 articles.title' }));
  await person.click(within(dialog).getByRole('button', { name: '应用 1 项' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/schema/apply`)[0]?.body).toEqual({ file, only: ['faq'] }));
  await waitFor(() => expect(search().get('show')).toBeNull());
});

test('a table is restored from the bin', async () => {
  let bin = [tableOf({ id: 't_oldaaaaaaaaa', title: '旧表', deletedAt: '2026-11-20T08:00:00.000Z' })];
  const person = await open('?show=bin', {
    [`GET ${base}/tables`]: ({ url }) => ({ data: new URL(url).searchParams.get('deleted') === 'true' ? bin : tables }),
    [`POST ${base}/tables/t_oldaaaaaaaaa/restore`]: () => {
      const back = { ...tableOf({ id: 't_oldaaaaaaaaa', title: '旧表' }) };
      bin = [];
      tables = [...tables, back];
      return { data: back };
    },
  });
  await person.click(await screen.findByRole('button', { name: '恢复' }));
  expect(await screen.findByText('没有已删除的内容表')).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: '“旧表”的操作' })).toBeInTheDocument();
});

test('people who may not design see tables and history read-only', async () => {
  const person = await open('', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'viewer' })] }) } });
  await person.click(await screen.findByRole('button', { name: '“文章”的操作' }));
  expect(screen.getAllByRole('menuitem').map((one) => one.textContent)).toEqual(['变更历史']);
  expect(screen.queryByRole('button', { name: '新建内容表' })).toBeNull();
});
