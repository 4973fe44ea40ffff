import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Job } from '@contract/jobs/schemas';
import type { TableImport } from '@contract/tables/transfers';
import { jobsApi } from '@/features/jobs/jobsApi';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { renderIn } from '../../../../test/support/renderApp';
import { chunkStored, uploadState } from '../../../../test/support/fakeServer';
import type { Answer } from '../../../../test/support/fakeServer';
import { pageOf, recordId, recordOf } from '../../../../test/support/recordsScreen';
import { base, counts, id, importOf, of, one, openTransfer, plan } from '../../../../test/support/transferScreen';

renderIn('zh-CN');

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: Awaited<ReturnType<typeof openTransfer>>;
let now = importOf();
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await openTransfer(search, () => now, answers);
  return app;
}
const search = () => new URLSearchParams(app.router.state.location.search);
const started = () => app.server.calls(`POST ${one}/start`).map(({ body }) => body);
const wizard = () => screen.findByRole('dialog', { name: '导入到“文章”' });
beforeEach(() => {
  now = importOf();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('column mapping and dry run survive closing the dialog', async () => {
  await open('', {
    [`POST ${base}/imports`]: () => {
      now = importOf({ state: 'uploading', file: { name: '文章.csv', size: 3, stored: 0 } });
      return { data: now };
    },
    [`HEAD ${one}/file`]: uploadState(0, 3),
    [`PATCH ${one}/file`]: () => {
      now = importOf();
      return chunkStored(3);
    },
    [`POST ${one}/start`]: () => {
      now = importOf({ state: 'checking', jobId: recordId(1), done: 40, total: 100, perSecond: 5000, secondsLeft: 3, counts: { ...counts, rows: 120 } });
      return { data: now };
    },
  });
  const { person } = app;
  await screen.findByRole('grid', { name: '文章' });
  await person.click(screen.getByRole('button', { name: '更多工具' }));
  await person.click(screen.getByRole('menuitem', { name: '导入' }));
  let dialog = await wizard();
  await person.upload(within(dialog).getByLabelText('选择文件', { selector: 'input' }), new File(['a,b'], '文章.csv', { type: 'text/csv' }));
  // The read options: detected from the file, then changed.
  expect(await within(dialog).findByRole('cell', { name: '泡茶入门' })).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/imports`)[0]?.body).toEqual({ table: 't_articleaaaaa', name: '文章.csv', size: 3 });
  expect(search().get('import')).toBe(id);
  expect(within(dialog).getByLabelText('编码')).toHaveValue('gb18030');
  expect(within(dialog).getByText('第 9 行的列数比列名多')).toBeInTheDocument();
  await person.selectOptions(within(dialog).getByLabelText('编码'), 'UTF-8');
  await waitFor(() => expect(app.server.calls(`POST ${one}/look`).at(-1)?.body).toEqual({ encoding: 'utf-8' }));
  expect(await violationsOf(dialog)).toEqual([]);
  await waitFor(() => expect(within(dialog).getByRole('button', { name: '下一步' })).toBeEnabled());
  await person.click(within(dialog).getByRole('button', { name: '下一步' }));

  expect(search().get('step')).toBe('map');
  const goal = (name: string) => within(dialog).getByLabelText(`“${name}”导入到`);
  expect([goal('标题'), goal('定价'), goal('类别'), goal('备注')].map((box) => (box as HTMLSelectElement).selectedOptions[0]?.text)).toEqual([
    '标题',
    '价格',
    '分类',
    '不导入',
  ]);
  const next = () => within(dialog).getByRole('button', { name: '试运行' });
  await person.selectOptions(goal('备注'), '价格');
  expect(within(dialog).getByRole('alert')).toHaveTextContent('“价格”被选了两次');
  expect(next()).toBeDisabled();
  await person.selectOptions(goal('备注'), '新建字段…');
  await person.selectOptions(within(dialog).getByLabelText('“备注”的新字段类型'), '多行文本');
  await person.selectOptions(within(dialog).getByLabelText('第 1 个识别字段'), '“标题”相同');
  await person.selectOptions(within(dialog).getByLabelText('文件里的空单元格'), '清空原来的值');
  await person.click(within(dialog).getByLabelText('导入后立即发布'));
  expect(await violationsOf(dialog)).toEqual([]);

  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '导入到“文章”' })).toBeNull());
  await person.click(screen.getByRole('button', { name: '更多工具' }));
  await person.click(screen.getByRole('menuitem', { name: '导入' }));
  dialog = await wizard();
  await person.click(await within(dialog).findByRole('button', { name: '打开“文章.csv”的导入' }));
  await person.click(await within(dialog).findByRole('button', { name: '下一步' }));
  expect(within(dialog).getByLabelText('“备注”的新字段名称')).toHaveValue('备注');
  await person.click(next());
  await waitFor(() => expect(started()).toHaveLength(1));
  expect(started()[0]).toEqual({
    plan: {
      read: { encoding: 'utf-8' },
      columns: [...plan.columns, { column: 3, to: { new: { title: '备注', type: 'longText' } } }],
      key: ['f_titleaaaaaaa'],
      onMatch: 'update',
      onNew: 'insert',
      emptyCells: 'clear',
      addChoices: true,
      publish: true,
      leaveOut: false,
    },
    dryRun: true,
  });
  expect(await within(dialog).findByRole('progressbar', { name: '正在试运行' })).toHaveAttribute('aria-valuenow', '40');
  expect(within(dialog).getByText('已处理 120 行 · 5,000 行/秒 · 约剩 3 秒')).toBeInTheDocument();
});

test('rows with errors come first, and the import can be undone', async () => {
  now = importOf({ state: 'checked', plan, counts, newChoices: { f_statusaaaaaa: ['活动'] } });
  const rows = {
    fail: [
      { row: 7, line: 9, outcome: 'fail', id: null, errors: [{ field: 'price', code: 'type', text: '要填数字' }], cells: ['泡茶入门', '一百', '活动', ''] },
    ],
    insert: [{ row: 0, line: 2, outcome: 'insert', id: null, errors: [], cells: ['春茶上市', '12.50', '新闻', ''] }],
  };
  const batchId = recordId(9);
  await open(`?import=${id}`, {
    [`GET ${one}/rows`]: (request) => {
      const outcome = new URL(request.url).searchParams.get('outcome');
      return { data: { rows: outcome === 'insert' ? rows.insert : outcome === 'fail' ? rows.fail : [...rows.insert, ...rows.fail], next: null } };
    },
    [`POST ${one}/start`]: () => {
      now = importOf({ state: 'running', plan: { ...plan, leaveOut: true }, counts: { ...counts, rows: 10 }, done: 10, total: 300, batchId });
      return { data: now };
    },
    [`POST ${one}/undo`]: () => {
      now = importOf({ ...now, undone: true, undoSkipped: 2 });
      return { data: now };
    },
  });
  const { person } = app;
  const dialog = await wizard();
  const table = await within(dialog).findByRole('region', { name: '逐行结果' });
  expect(await within(table).findByText('价格：要填数字')).toBeInTheDocument();
  expect(within(table).queryByText('春茶上市')).toBeNull();
  expect(within(dialog).getByText('分类：活动')).toBeInTheDocument();
  const go = within(dialog).getByRole('button', { name: '导入 299 行' });
  expect(go).toBeDisabled();
  expect(within(dialog).getByRole('link', { name: '下载有问题的行（CSV）' })).toHaveAttribute('href', `${one}/errors`);
  await person.click(within(dialog).getByRole('button', { name: '新建 297' }));
  expect(await within(table).findByText('春茶上市')).toBeInTheDocument();
  expect(within(table).queryByText('价格：要填数字')).toBeNull();
  expect(await violationsOf(dialog)).toEqual([]);
  await person.click(within(dialog).getByLabelText('跳过有问题的 1 行，导入其余的'));
  await person.click(go);
  expect(await within(dialog).findByRole('progressbar', { name: '正在导入' })).toBeInTheDocument();
  expect(started()).toEqual([{ plan: { ...plan, leaveOut: true }, dryRun: false }]);

  // Polls until it is done.
  now = importOf({ state: 'done', plan, counts, batchId, finishedAt: '2026-11-20T08:01:00.000Z' });
  expect(await within(dialog).findByText('导入完成')).toBeInTheDocument();
  expect(within(dialog).getByText(/1 行有问题，没有写入/)).toBeInTheDocument();
  expect(await screen.findByText('已导入“文章.csv”：新建 297 条，更新 2 条')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: '全部撤销' }));
  expect(await within(dialog).findByText('有 2 处之后又被改过，保持原样。')).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: '全部撤销' })).toBeNull();
  // The notice does not offer an undo that has been done already.
  await waitFor(() => expect(screen.queryByText(/^已导入/)).toBeNull());
  await person.click(within(dialog).getByRole('button', { name: '查看记录' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(search().get('import')).toBeNull();
});

test.each(['notice', 'key'])('an import that ends later is announced and undone by its %s', async (by) => {
  const jobId = recordId(8);
  now = importOf({ state: 'checked', plan, counts: { ...counts, fail: 0 } });
  await open(`?import=${id}`, {
    [`GET ${one}/rows`]: { data: { rows: [], next: null } },
    [`POST ${one}/start`]: () => {
      now = importOf({ state: 'running', plan, jobId, counts: { ...counts, fail: 0 }, done: 10, total: 300, batchId: recordId(9) });
      return { data: now };
    },
    [`POST ${one}/undo`]: () => {
      now = importOf({ ...now, undone: true, undoSkipped: 0 });
      return { data: now };
    },
  });
  const { person } = app;
  const dialog = await wizard();
  await person.click(await within(dialog).findByRole('button', { name: /^导入 / }));
  await person.click(await within(dialog).findByRole('button', { name: '在后台继续' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const toolbar = screen.getByRole('button', { name: '撤销' });
  expect(toolbar).toBeDisabled();
  // The jobs panel shows that it has ended.
  now = importOf({ ...now, state: 'done', done: null, total: null, finishedAt: '2026-11-20T08:01:00.000Z' });
  await act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { forceRefetch: true })));
  const notice = (await screen.findByText('已导入“文章.csv”：新建 297 条，更新 2 条')).closest('.notice');
  if (!(notice instanceof HTMLElement)) throw new Error('no notice');
  await waitFor(() => expect(toolbar).toBeEnabled());
  if (by === 'notice') await person.click(within(notice).getByRole('button', { name: '撤销' }));
  else await person.keyboard('{Control>}z{/Control}');
  expect(await screen.findByText('已撤销，涉及 299 条记录')).toBeInTheDocument();
  expect(app.server.calls(`POST ${one}/undo`)).toHaveLength(1);
  await waitFor(() => expect(toolbar).toBeDisabled());
});

test("the end of one's own import is announced after a reload", async () => {
  const [mine, theirs] = [recordId(8), recordId(7)];
  const running = (jobId: string): Job => ({
    id: jobId,
    kind: 'tables.import',
    siteId: 'abcdefghijkl',
    label: '文章',
    state: 'running',
    done: 10,
    total: 300,
    error: null,
    cancellable: true,
    createdAt: '2026-11-20T08:00:00.000Z',
    startedAt: '2026-11-20T08:00:00.000Z',
    finishedAt: null,
  });
  const list = [
    importOf({ state: 'running', plan, jobId: mine, counts: { ...counts, fail: 0 }, batchId: recordId(9) }),
    importOf({ id: recordId(6), file: { name: '别人.csv', size: 1, stored: 1 }, state: 'running', plan, jobId: theirs, counts, own: false }),
  ];
  let jobs = [running(mine), running(theirs)];
  [now] = list as [TableImport];
  await open('', {
    'GET /api/core/jobs': () => ({ data: jobs }),
    [`GET ${base}/imports`]: { data: list },
    [`POST ${one}/undo`]: () => {
      now = importOf({ ...now, undone: true, undoSkipped: 0 });
      return { data: now };
    },
  });
  await waitFor(() => expect(app.server.calls(`GET ${base}/imports`)).not.toHaveLength(0));
  now = importOf({ ...now, state: 'done', finishedAt: '2026-11-20T08:01:00.000Z' });
  jobs = [];
  await act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { forceRefetch: true })));
  const notice = (await screen.findByText('已导入“文章.csv”：新建 297 条，更新 2 条')).closest('.notice');
  if (!(notice instanceof HTMLElement)) throw new Error('no notice');
  expect(screen.queryByText(/别人/)).toBeNull();
  await app.person.click(within(notice).getByRole('button', { name: '撤销' }));
  expect(await screen.findByText('已撤销，涉及 299 条记录')).toBeInTheDocument();
});

test('dropping a file on the records starts an import', async () => {
  now = importOf({ state: 'uploading', file: { name: '文章.csv', size: 3, stored: 0 } });
  await open('', {
    [`POST ${base}/imports`]: () => ({ data: now }),
    [`HEAD ${one}/file`]: uploadState(0, 3),
    [`PATCH ${one}/file`]: () => {
      now = importOf();
      return chunkStored(3);
    },
  });
  const grid = await screen.findByRole('grid', { name: '文章' });
  const file = new File(['a,b'], '文章.csv', { type: 'text/csv' });
  const dataTransfer = { types: ['Files'], files: [file], items: [{ kind: 'file', type: file.type }] };
  fireEvent.dragEnter(grid, { dataTransfer });
  expect(screen.getByText('松开以导入到“文章”')).toBeInTheDocument();
  fireEvent.drop(grid, { dataTransfer });
  expect(await within(await wizard()).findByText(/检查前几行是否读对了/)).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/imports`).map(({ body }) => body)).toEqual([{ table: 't_articleaaaaa', name: '文章.csv', size: 3 }]);
  expect(screen.queryByText('松开以导入到“文章”')).toBeNull();
});

test('changes after the dry run require another dry run', async () => {
  now = importOf({ state: 'checked', plan, counts: { ...counts, fail: 0 } });
  await open(`?import=${id}&step=map`, { [`GET ${one}/rows`]: { data: { rows: [], next: null } } });
  const { person } = app;
  const dialog = await wizard();
  await person.selectOptions(await within(dialog).findByLabelText('“定价”导入到'), '不导入');
  await act(() => app.router.navigate(`?import=${id}&step=check`));
  expect(await within(dialog).findByText(/试运行之后设置改过了/)).toBeInTheDocument();
  expect(within(dialog).queryByRole('button', { name: /^导入 / })).toBeNull();
  expect(within(dialog).getByRole('button', { name: '重新试运行' })).toBeEnabled();
});

test('pasted text is kept, and unreadable files and deleted imports reported', async () => {
  await open('?import=new');
  const { person } = app;
  const dialog = await wizard();
  const input = within(dialog).getByLabelText('选择文件', { selector: 'input' });
  fireEvent.change(input, { target: { files: [new File(['x'], '旧表.xls')] } });
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('不支持旧版 Excel 文件');
  await person.click(within(dialog).getByRole('button', { name: '粘贴文本' }));
  await person.type(within(dialog).getByLabelText('要导入的文本'), '标题');
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: '继续导入' }));
  expect(within(dialog).getByLabelText('要导入的文本')).toHaveValue('标题');
  app.server.answer(`GET ${base}/imports/${recordId(5)}`, { error: '没有', status: 404, code: 'not_found' });
  await act(() => app.router.navigate(`?import=${recordId(5)}`));
  expect(await screen.findByText(/找不到这次导入/)).toBeInTheDocument();
});

test('an export contains the shown records, and a refusal shows a message', async () => {
  const filter = JSON.stringify({ field: 'f_statusaaaaaa', op: 'in', value: ['news'] });
  let refused = true;
  const refusal = { error: '没有读取的权限', status: 403, code: 'forbidden' };
  await open(`?export=1&filter=${encodeURIComponent(filter)}&sort=-f_priceaaaaaaa`, {
    // The grid requests more than one.
    [`GET ${of}/records`]: (request) => (refused && new URL(request.url).searchParams.get('limit') === '1' ? refusal : { data: pageOf([recordOf(1)]) }),
  });
  const { person } = app;
  const dialog = await screen.findByRole('dialog', { name: '导出“文章”' });
  expect(await violationsOf(dialog)).toEqual([]);
  const saved: string[] = [];
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.href);
  });
  await person.click(within(dialog).getByRole('button', { name: '导出' }));
  expect(await within(dialog).findByText('没有读取的权限')).toBeInTheDocument();
  expect(saved).toEqual([]);
  refused = false;
  await person.click(within(dialog).getByRole('button', { name: 'JSON' }));
  await person.selectOptions(within(dialog).getByLabelText('哪些字段'), '自己选');
  await person.click(within(dialog).getByLabelText('状态'));
  await person.click(within(dialog).getByLabelText('作者'));
  await person.click(within(dialog).getByLabelText('第一列写出记录 ID'));
  await person.click(within(dialog).getByRole('button', { name: '导出' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const exportUrl = new URL(saved[0] ?? '');
  expect(exportUrl.pathname).toBe(`${of}/export`);
  expect(Object.fromEntries(exportUrl.searchParams)).toEqual({
    format: 'json',
    filter,
    sort: '-f_priceaaaaaaa',
    fields: 'f_titleaaaaaaa,f_statusaaaaaa,f_priceaaaaaaa,f_dayaaaaaaaaa,f_openaaaaaaaa',
    withId: 'true',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  click.mockRestore();
});
