import { configure, screen, waitFor, within } from '@testing-library/react';
import type { TableFacts, TableRestore } from '@contract/tables/maintenance';
import { checkAnswers } from '@/store/contractChecks';
import { violationsOf } from '../../../../test/support/axe';
import { renderApp } from '../../../../test/support/renderApp';
import { tableOf } from '../../../../test/support/recordsScreen';

checkAnswers();

jest.setTimeout(60_000);
configure({ defaultHidden: true });
const base = '/api/site/abcdefghijkl/table';
const table = tableOf();
const jobId = '3f8ad0e4-8a0c-4b0b-9a7d-2f7f1c0b7a11';
const title = table.fields[0]?.id ?? '';
const facts: TableFacts = {
  tableId: table.id,
  rows: 1_200_000,
  binned: 12,
  exact: false,
  dataBytes: 5 * 2 ** 20,
  indexBytes: 2 ** 20,
  historyBytes: 2 ** 19,
  deadRows: 300,
  deadShare: 0.25,
  lastWriteAt: new Date().toISOString(),
  growth: [{ day: '2026-11-20', created: 5, removed: 2 }],
  check: {
    at: new Date().toISOString(),
    records: 1_200_000,
    findings: [{ kind: 'requiredEmpty', fieldId: title, locale: null, count: 3, filter: { field: title, op: 'empty' } }],
  },
  compacted: null,
  jobs: { check: null, compact: null, search: null },
};
const restore = (change: Partial<TableRestore>): TableRestore => ({
  id: jobId,
  file: { name: '茶.json.gz', size: 100, stored: 100 },
  state: 'checked',
  jobId,
  done: null,
  total: null,
  report: {
    title: '茶',
    key: 'tea_2',
    keyTaken: true,
    madeAt: '2026-11-20T08:00:00.000Z',
    own: true,
    records: 4,
    binned: 1,
    published: 2,
    fields: 3,
    leftOut: ['茶厂'],
    rights: [
      { role: 'editor', action: 'update', why: 'people', names: ['林'] },
      { role: 'public', action: 'read', why: 'people', names: [] },
      { role: 'viewer', action: 'read', why: 'fewer', names: ['茶厂'] },
    ],
    links: { byId: 3, byName: 0, lost: 2, names: ['勐海'] },
    strangers: 0,
    emptied: 0,
    places: [],
  },
  tableId: null,
  error: null,
  by: '林',
  createdAt: new Date().toISOString(),
  finishedAt: null,
  ...change,
});

test('a table shows its size, its problems and a pending restore', async () => {
  let list = [restore({})];
  const app = await renderApp(`/site/abcdefghijkl/table/admin?part=care`, {
    answers: {
      [`GET ${base}/tables`]: () => ({ data: [table] }),
      [`GET ${base}/facts`]: () => ({ data: [facts] }),
      [`GET ${base}/restores`]: () => ({ data: list }),
      [`DELETE ${base}/tables/${table.id}`]: { data: null },
      [`POST ${base}/checks`]: () => ({ data: { jobId } }),
      [`POST ${base}/tables/${table.id}/compact`]: () => ({ error: '冲突', status: 409, code: 'conflict' }),
      [`POST ${base}/restores/${jobId}/start`]: () => {
        list = [restore({ state: 'running', done: 1, total: 4 })];
        return { data: list[0] };
      },
    },
  });
  expect(await screen.findByText('约 1,200,000')).toBeInTheDocument();
  const link = screen.getByRole('link', { name: /查看：3 条记录缺少必填的/ });
  const query = new URL(link.getAttribute('href') ?? '', 'https://x').searchParams;
  expect(JSON.parse(query.get('filter') ?? '')).toEqual({ field: title, op: 'empty' });
  await app.person.click(screen.getByRole('button', { name: '立即检查' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/checks`)[0]?.body).toEqual({ table: table.id }));
  await app.person.click(screen.getByRole('button', { name: '开始压缩' }));
  expect(await screen.findByText('有字段正在转换类型，请等它完成后再试。')).toBeInTheDocument();
  const files = within(screen.getByRole('list', { name: '从备份还原' }));
  expect(files.getByText('2 个关联找不到记录：勐海')).toBeInTheDocument();
  expect(files.getByText('编辑的“修改”权限已关闭（原来限定：林）。备份不带人员，要重新指定')).toBeInTheDocument();
  expect(files.getByText('公众的“查看”权限已关闭，它的条件在这里不成立，要重新设置')).toBeInTheDocument();
  expect(files.getByText('只读的“查看”权限不再包括未还原的字段：茶厂')).toBeInTheDocument();
  await app.person.click(files.getByRole('button', { name: '还原' }));
  const dialog = within(await screen.findByRole('dialog', { name: '还原成新表' }));
  expect(dialog.getByLabelText('新表的名称')).toHaveValue('茶');
  await app.person.type(dialog.getByLabelText('新表的名称'), '（旧）');
  await app.person.click(dialog.getByLabelText('包括回收站里的 1 条记录'));
  await app.person.click(dialog.getByRole('button', { name: '还原' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/restores/${jobId}/start`)[0]?.body).toEqual({ dryRun: false, title: '茶（旧）', trash: false }));
  // Asked after until it is there; then the notice takes it back.
  await screen.findByRole('progressbar', { name: '茶.json.gz' });
  list = [restore({ state: 'done', tableId: table.id })];
  expect(await files.findByRole('link', { name: '打开' })).toBeInTheDocument();
  expect(await violationsOf(document.body)).toEqual([]);
  const notice = (await screen.findByText('已还原“茶”')).closest('.notice');
  if (!(notice instanceof HTMLElement)) throw new Error('no notice');
  await app.person.click(within(notice).getByRole('button', { name: '撤销' }));
  expect(await screen.findByText(/已撤销还原/)).toBeInTheDocument();
  expect(app.server.calls(`DELETE ${base}/tables/${table.id}`)).toHaveLength(1);
  app.end();
});
