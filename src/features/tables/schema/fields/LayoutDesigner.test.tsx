import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable, FormLayout } from '@contract/tables/schemas';
import { checkResponses } from '../../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../../test/support/axe';
import { site, startUp } from '../../../../../test/support/factories';
import type { Answer } from '../../../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../../../test/support/renderApp';
import { tableOf } from '../../../../../test/support/recordsScreen';

renderIn('zh-CN');

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const save = `PATCH ${of}`;
let app: Awaited<ReturnType<typeof renderApp>>;
let table: ContentTable;
const whole = (...ids: string[]) => ids.map((field) => ({ field, width: 'full' as const }));
const layout: FormLayout = {
  style: 'groups',
  sections: [
    { title: '', note: '', collapsed: false, fields: whole('f_titleaaaaaaa', 'f_statusaaaaaa') },
    { title: '价格', note: '', collapsed: false, fields: whole('f_priceaaaaaaa') },
  ],
  hidden: ['f_openaaaaaaaa'],
};
/** The server stores the layout that it receives. */
const storeLayout: Answer = async (request) => {
  const { layout: submittedLayout } = (await request.json()) as { layout: FormLayout | null };
  table = { ...table, revision: table.revision + 1, layout: submittedLayout };
  return { data: table };
};
async function open(change: Partial<ContentTable> = {}, answers: Record<string, Answer> = {}) {
  table = tableOf(change);
  app = await renderApp('/site/abcdefghijkl/table/table_fields?part=layout', {
    answers: {
      [`GET ${base}/tables`]: () => ({ data: [table] }),
      [save]: storeLayout,
      ...answers,
    },
  });
  await screen.findByRole('form', { name: '“文章”的表单' });
  return app.person;
}
/** Names of the fields of each zone, by its title. */
const zones = () =>
  Object.fromEntries(
    within(screen.getByRole('form', { name: '“文章”的表单' }))
      .getAllByRole('list')
      .map((list) => [
        list.getAttribute('aria-label'),
        within(list)
          .getAllByRole('listitem')
          .map((row) => row.querySelector('.layout-name')?.firstChild?.textContent ?? ''),
      ]),
  );
const sent = () => app.server.calls(save).map(({ body, headers }) => ({ body, revision: headers.get('if-match') }));
const handle = (name: string) => screen.getByRole('button', { name: `移动“${name}”，按上下方向键调整位置` });

afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('sections are created by keyboard, and the last change is undone', async () => {
  const person = await open();
  expect(zones()).toEqual({ 无标题: ['标题', '分类', '价格', '日期', '显示', '作者'], 其他字段: [''], 不在表单中: [''] });
  await person.click(screen.getByRole('button', { name: '添加分组' }));
  const second = within(screen.getByRole('region', { name: '第 2 个分组' }));
  await waitFor(() => expect(second.getByLabelText(/^标题/)).toHaveFocus());
  await person.clear(second.getByLabelText(/^标题/));
  await person.type(second.getByLabelText(/^标题/), '署名');

  fireEvent.keyDown(handle('作者'), { key: 'ArrowDown' });
  await waitFor(() => expect(handle('作者')).toHaveFocus());
  expect(screen.getByText('“作者”已移到“署名”第 1 位')).toBeInTheDocument();
  fireEvent.keyDown(handle('显示'), { key: 'ArrowDown' });
  fireEvent.keyDown(handle('显示'), { key: 'ArrowDown' });
  expect(zones()).toMatchObject({ 无标题: ['标题', '分类', '价格', '日期'], 署名: ['作者', '显示'] });
  // After the last section come the fields without a section, then the hidden ones.
  fireEvent.keyDown(handle('显示'), { key: 'ArrowDown' });
  fireEvent.keyDown(handle('显示'), { key: 'ArrowDown' });
  expect(zones()).toMatchObject({ 署名: ['作者'], 其他字段: [''], 不在表单中: ['显示'] });
  await person.click(screen.getByRole('button', { name: '撤销' }));
  expect(zones()).toMatchObject({ 其他字段: ['显示'], 不在表单中: [''] });
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  expect(zones()).toMatchObject({ 署名: ['作者', '显示'] });

  await person.selectOptions(screen.getByRole('combobox', { name: '“作者”的宽度' }), '半行');
  await person.click(screen.getByRole('button', { name: '把“价格”移出表单' }));
  const preview = within(screen.getByRole('region', { name: '预览' }));
  expect(preview.getByRole('button', { name: '署名' })).toHaveAttribute('aria-expanded', 'true');
  expect(preview.queryByText('价格')).toBeNull();
  expect(await violationsOf(document.body)).toEqual([]);

  await person.click(screen.getByRole('button', { name: '保存布局' }));
  expect(await screen.findByText('已保存“文章”的表单布局')).toBeInTheDocument();
  expect(sent()).toEqual([
    {
      revision: '"1"',
      body: {
        layout: {
          style: 'groups',
          sections: [
            { title: '', note: '', collapsed: false, fields: whole('f_titleaaaaaaa', 'f_statusaaaaaa', 'f_dayaaaaaaaaa') },
            { title: '署名', note: '', collapsed: false, fields: [{ field: 'f_authoraaaaaa', width: 'half' }, ...whole('f_openaaaaaaaa')] },
          ],
          hidden: ['f_priceaaaaaaa'],
        },
      },
    },
  ]);
  expect(screen.queryByRole('button', { name: '保存布局' })).toBeNull();
  expect(zones()).toMatchObject({ 署名: ['作者', '显示'], 不在表单中: ['价格'] });

  await person.click(screen.getByRole('button', { name: '恢复默认表单' }));
  await person.click(within(await screen.findByRole('dialog', { name: '恢复默认表单？' })).getByRole('button', { name: '恢复默认表单' }));
  expect(await screen.findByText('“文章”已恢复默认表单')).toBeInTheDocument();
  expect(sent().at(-1)).toEqual({ revision: '"2"', body: { layout: null } });
  expect(zones()).toMatchObject({ 无标题: ['标题', '分类', '价格', '日期', '显示', '作者'] });
});

test('sections move and disappear without losing fields, and collapsible ones need titles', async () => {
  const person = await open({ layout });
  expect(zones()).toEqual({ 无标题: ['标题', '分类'], 价格: ['价格'], 其他字段: ['日期', '作者'], 不在表单中: ['显示'] });
  await person.click(screen.getByRole('button', { name: '上移分组“价格”' }));
  expect(Object.keys(zones()).slice(0, 2)).toEqual(['价格', '无标题']);
  await person.selectOptions(screen.getByRole('combobox', { name: '分组方式' }), '标签页');
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  expect(await screen.findByText('请填写标题，否则无处点开')).toBeInTheDocument();
  await waitFor(() => expect(within(screen.getByRole('region', { name: '第 2 个分组' })).getByLabelText(/^标题/)).toHaveFocus());
  expect(sent()).toEqual([]);
  await person.click(screen.getByRole('button', { name: /^删除分组“价格”/ }));
  expect(zones()).toMatchObject({ 无标题: ['价格', '标题', '分类'] });
  expect(screen.getByRole('button', { name: '撤销' })).toHaveFocus();
  await person.type(within(screen.getByRole('region', { name: '第 1 个分组' })).getByLabelText(/^标题/), '基本');
  await person.click(screen.getByRole('button', { name: '把“日期”放进表单' }));
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toMatchObject({ layout: { style: 'tabs', hidden: ['f_openaaaaaaaa'] } });
});

test('an unsaved layout is kept, and a concurrent save asks first', async () => {
  const person = await open({ layout });
  await person.click(screen.getByRole('button', { name: '把“日期”放进表单' }));
  await person.click(screen.getByRole('tab', { name: '字段' }));
  await screen.findByRole('list', { name: '字段列表' });
  await person.click(screen.getByRole('tab', { name: '表单布局' }));
  expect(await screen.findByText('已恢复上次没有保存的布局。')).toBeInTheDocument();
  expect(zones()).toMatchObject({ 价格: ['价格', '日期'] });

  const theirs: FormLayout = { ...layout, sections: [...layout.sections, { title: '更多', note: '', collapsed: false, fields: [] }] };
  table = { ...table, revision: 5, layout: theirs };
  app.server.answer(save, { error: '已被修改', status: 409, code: 'stale_revision', current: table });
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  expect(await screen.findByText('这里刚被改过')).toBeInTheDocument();
  expect(noticeRows()).toEqual([
    ['分组“更多”', '没有', '新增'],
    ['日期', '在“价格”', '其他字段（没有改）'],
  ]);
  expect(zones()).toMatchObject({ 价格: ['价格', '日期'] });
  expect(screen.queryByRole('button', { name: '保存布局' })).toBeNull();
  app.server.answer(save, storeLayout);
  await person.click(screen.getByRole('button', { name: '用我填写的覆盖' }));
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  await waitFor(() =>
    expect(sent().at(-1)).toMatchObject({ revision: '"5"', body: { layout: { sections: [{}, { fields: [{}, { field: 'f_dayaaaaaaaaa' }] }] } } }),
  );
});

/** Rows of the notice that asks between two layouts: what, mine, theirs. */
const noticeRows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

test('layout changes in different places are merged, undoable and saved once', async () => {
  const person = await open({ layout });
  await person.click(screen.getByRole('button', { name: '把“日期”放进表单' }));
  await person.selectOptions(screen.getByRole('combobox', { name: '“分类”的宽度' }), '半行');
  const theirs: FormLayout = {
    ...layout,
    sections: [
      { title: '费用', note: '', collapsed: true, fields: whole('f_priceaaaaaaa', 'f_openaaaaaaaa') },
      { title: '', note: '', collapsed: false, fields: whole('f_statusaaaaaa', 'f_titleaaaaaaa') },
    ],
    hidden: [],
  };
  table = { ...table, revision: 5, layout: theirs };
  app.server.answer(save, { error: '已被修改', status: 409, code: 'stale_revision', current: table });
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  expect(await screen.findByText(/两边的改动互不影响，可以合并。/)).toBeInTheDocument();
  expect(noticeRows()).toEqual([
    ['分组“价格”的标题', '价格（没有改）', '费用'],
    ['分组“价格”默认折叠', '否（没有改）', '是'],
    ['分组的顺序', '无标题、价格（没有改）', '费用、无标题'],
    ['“分类”的宽度', '半行', '整行（没有改）'],
    ['日期', '在“价格”', '其他字段（没有改）'],
    ['显示', '不在表单中（没有改）', '在“费用”'],
    ['“无标题”里的顺序', '标题、分类（没有改）', '分类、标题'],
  ]);
  expect(await violationsOf(document.body)).toEqual([]);
  app.server.answer(save, storeLayout);
  await person.click(screen.getByRole('button', { name: '合并两边的改动' }));
  expect(zones()).toMatchObject({ 费用: ['价格', '日期', '显示'], 无标题: ['分类', '标题'], 不在表单中: [''] });
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  await waitFor(() =>
    expect(sent().at(-1)).toEqual({
      revision: '"5"',
      body: {
        layout: {
          style: 'groups',
          sections: [
            { title: '费用', note: '', collapsed: true, fields: whole('f_priceaaaaaaa', 'f_dayaaaaaaaaa', 'f_openaaaaaaaa') },
            { title: '', note: '', collapsed: false, fields: [{ field: 'f_statusaaaaaa', width: 'half' }, ...whole('f_titleaaaaaaa')] },
          ],
          hidden: [],
        },
      },
    }),
  );
});

test('a conflict over one field offers a choice', async () => {
  const person = await open({ layout });
  await person.click(screen.getByRole('button', { name: '把“分类”移出表单' }));
  const [first, second] = layout.sections;
  if (!first || !second) throw new Error('no sections');
  table = {
    ...table,
    revision: 5,
    layout: {
      ...layout,
      sections: [
        { ...first, fields: whole('f_titleaaaaaaa') },
        { ...second, fields: whole('f_priceaaaaaaa', 'f_statusaaaaaa') },
      ],
    },
  };
  app.server.answer(save, { error: '已被修改', status: 409, code: 'stale_revision', current: table });
  await person.click(screen.getByRole('button', { name: '保存布局' }));
  expect(await screen.findByText(/两边改了同一处，不能自动合并。/)).toBeInTheDocument();
  expect(noticeRows()).toEqual([['分类', '不在表单中', '在“价格”']]);
  expect(screen.queryByRole('button', { name: '合并两边的改动' })).toBeNull();
  await person.click(screen.getByRole('button', { name: '采用已保存的' }));
  expect(zones()).toMatchObject({ 价格: ['价格', '分类'] });
});

test('people who may not design see the layout read-only', async () => {
  await open({ layout }, { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(zones()).toMatchObject({ 价格: ['价格'], 不在表单中: ['显示'] });
  expect(screen.queryByRole('button', { name: '添加分组' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^移动“/ })).toBeNull();
});
