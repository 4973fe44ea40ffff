import { act, configure, screen, waitFor, within } from '@testing-library/react';
import type { Job } from '@contract/jobs/schemas';
import type { RulesPreview, TableRule, TableRules } from '@contract/tables/access';
import { allowedByDefault, recordActions, ruleRoles } from '@contract/tables/terms';
import type { TableAdvice } from '@contract/tables/indexes';
import type { ContentTable } from '@contract/tables/schemas';
import { jobsApi } from '@/features/jobs/jobsApi';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { auditEntry, site, startUp } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../../test/support/renderApp';
import { fieldOf, pageOf, recordOf, tableOf } from '../../../../test/support/recordsScreen';

renderIn('zh-CN');

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const title = 'f_titleaaaaaaa';
const rulesOf = (overrides: readonly Partial<TableRule>[] = [], revision = 1): TableRules => ({
  revision,
  rules: ruleRoles.flatMap((role) =>
    recordActions
      .filter((action) => role !== 'public' || action === 'read')
      .map((action) => {
        const rule = overrides.find((one) => one.role === role && one.action === action);
        return { role, action, allowed: allowedByDefault(role, action), fields: null, filter: null, explicit: rule !== undefined, ...rule };
      }),
  ),
});
const previewOf = (role: RulesPreview['role'], fields: string[]): RulesPreview => ({
  role,
  may: [{ action: 'read', fields, limited: false }],
  page: pageOf([recordOf(1, { f_priceaaaaaaa: '12.50' })]),
});
let app: Awaited<ReturnType<typeof renderApp>>;
let tables: ContentTable[] = [];
let rules: TableRules;
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/abcdefghijkl/table/admin${search}`, {
    answers: {
      [`GET ${base}/tables`]: ({ url }) => ({ data: new URL(url).searchParams.get('deleted') === 'true' ? [] : tables }),
      [`GET ${of}/rules`]: () => ({ data: rules }),
      [`GET ${of}/rules/preview`]: ({ url }) => ({
        data: previewOf((new URL(url).searchParams.get('role') ?? 'editor') as 'editor', tables[0]?.fields.map(({ id }) => id) ?? []),
      }),
      ...answers,
    },
  });
  return app.person;
}
beforeEach(() => {
  tables = [tableOf()];
  rules = rulesOf();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});
/** Withdraws the editors' right to read one field, in the matrix. */
async function closeField(person: Awaited<ReturnType<typeof open>>): Promise<void> {
  await person.click(await screen.findByRole('button', { name: '编辑：查看，允许、默认' }));
  const dialog = await screen.findByRole('dialog', { name: '编辑：查看' });
  await person.click(within(dialog).getByRole('radio', { name: /^允许/ }));
  await person.click(within(dialog).getByRole('radio', { name: /^指定字段/ }));
  await person.click(within(dialog).getByRole('checkbox', { name: '价格' }));
  await person.click(within(dialog).getByRole('button', { name: '确定' }));
}

test('the rule matrix sends only changed rules and merges other changes', async () => {
  const ruleRequests: unknown[] = [];
  const person = await open('', {
    [`PUT ${of}/rules`]: async (request) => {
      const { rules: submittedRules } = (await request.json()) as { rules: Partial<TableRule>[] };
      ruleRequests.push([request.headers.get('if-match'), submittedRules.map(({ role, action }) => `${role ?? ''}.${action ?? ''}`)]);
      // Another user has allowed viewers to create records meanwhile.
      if (ruleRequests.length === 1) {
        rules = rulesOf([{ role: 'viewer', action: 'create', allowed: true }], 2);
        return { error: '已被修改', status: 409, code: 'stale_revision', current: rules };
      }
      rules = rulesOf(submittedRules, 3);
      return { data: rules };
    },
  });
  await closeField(person);
  expect(await screen.findByRole('button', { name: '编辑：查看，允许、5 个字段、未保存' })).toBeInTheDocument();
  expect(await violationsOf(document.body)).toEqual([]);
  await person.click(screen.getByRole('button', { name: '保存权限' }));
  expect(await screen.findByText('已保存“文章”的权限')).toBeInTheDocument();
  expect(ruleRequests).toEqual([
    ['"1"', ['editor.read']],
    ['"2"', ['viewer.create', 'editor.read']],
  ]);
  expect(await screen.findByRole('button', { name: '编辑：查看，允许、5 个字段' })).toBeInTheDocument();
});

test('conflicting rules show both versions and survive leaving the part', async () => {
  const theirs: Partial<TableRule> = { role: 'editor', action: 'read', allowed: true, fields: [title], filter: null };
  let calls = 0;
  const person = await open('', {
    [`PUT ${of}/rules`]: async (request) => {
      calls += 1;
      if (request.headers.get('if-match') !== '"2"') {
        rules = rulesOf([theirs], 2);
        return { error: '已被修改', status: 409, code: 'stale_revision', current: rules };
      }
      const { rules: submittedRules } = (await request.json()) as { rules: Partial<TableRule>[] };
      rules = rulesOf(submittedRules, 3);
      return { data: rules };
    },
  });
  await closeField(person);
  await person.click(screen.getByRole('link', { name: '任务' }));
  await person.click(await screen.findByRole('link', { name: '权限' }));
  expect(await screen.findByText('已恢复上次没有保存的修改。')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '保存权限' }));
  expect(await screen.findByText('这里刚被改过')).toBeInTheDocument();
  expect(screen.getByText('允许 · 字段：标题')).toBeInTheDocument();
  expect(screen.getByText('允许 · 字段：标题、分类、日期、显示、作者')).toBeInTheDocument();
  expect(calls).toBe(1);
  await person.click(screen.getByRole('button', { name: '用我填写的覆盖' }));
  await person.click(screen.getByRole('button', { name: '保存权限' }));
  expect(await screen.findByText('已保存“文章”的权限')).toBeInTheDocument();
  expect(rules.rules.find(({ role, action }) => role === 'editor' && action === 'read')?.fields).toHaveLength(5);
});

test('public access shows a warning, and "view as" previews a role', async () => {
  tables = [tableOf({ fields: [...tableOf().fields.slice(0, 3), fieldOf({ id: 'f_codeaaaaaaaa', type: 'text', title: '暗号', sensitive: true })] })];
  const person = await open('?as=viewer', {
    [`GET ${of}/rules/preview`]: ({ url }) => {
      const role = new URL(url).searchParams.get('role');
      return { data: role === 'public' ? { role, may: [], page: pageOf([]) } : previewOf('viewer', [title, 'f_statusaaaaaa']) };
    },
  });
  const previewRegion = await screen.findByRole('region', { name: '只读看到的记录' });
  expect(within(previewRegion).getByText('文章 1')).toBeInTheDocument();
  expect(within(previewRegion).queryByText('价格')).toBeNull();
  expect(screen.getByText('看不到的字段：价格、暗号')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '公众：查看，不允许、默认' }));
  const dialog = await screen.findByRole('dialog', { name: '公众：查看' });
  await person.click(within(dialog).getByRole('radio', { name: /^允许/ }));
  await person.click(within(dialog).getByRole('radio', { name: /^指定字段/ }));
  await person.click(within(dialog).getByRole('checkbox', { name: /暗号/ }));
  await person.click(within(dialog).getByRole('button', { name: '确定' }));
  expect(await screen.findByText('任何人都能读取这张表已发布的记录')).toBeInTheDocument();
  expect(screen.getByText('公开的字段里有敏感字段：暗号。')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /\/api\/site\/abcdefghijkl\/content\/articles$/ })).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '公众' }));
  expect(await screen.findByText('公众看不到这张表。')).toBeInTheDocument();
});

test('an index is built with progress and dropped after confirmation', async () => {
  const jobId = '0193c000-0000-4000-8000-000000000001';
  const advice: TableAdvice = {
    rows: 12_000,
    tableBytes: 5_242_880,
    indexBytes: 1_048_576,
    used: 1,
    most: 24,
    shapes: [
      {
        filter: [title],
        sort: ['$createdAt'],
        count: 40,
        meanMs: 1250,
        worstMs: 3400,
        lastAt: '2026-11-20T08:00:00.000Z',
        slow: true,
        helps: [{ fieldId: title, exists: false }],
      },
    ],
    suggested: [{ fieldId: title, count: 40, totalMs: 50_000 }],
    indexes: [{ fieldId: 'f_dayaaaaaaaaa', kind: 'indexed', bytes: 81_920, scans: 0, since: '2026-10-01T08:00:00.000Z', unused: true }],
    building: [],
  };
  const person = await open('?part=indexes', {
    [`GET ${of}/advice`]: () => ({ data: advice }),
    [`PUT ${of}/fields/${title}/indexes`]: { data: { jobId, table: tableOf() } },
    [`PUT ${of}/fields/f_dayaaaaaaaaa/indexes`]: { data: { jobId: null, table: tableOf() } },
  });
  expect(await screen.findByRole('rowheader', { name: /按标题筛选，按创建时间排序/ })).toHaveTextContent('慢');
  expect(screen.getByText('40 次慢查询用到它，合计 50.0 秒')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '给“标题”建立索引' }));
  expect(await screen.findByText('正在建立')).toBeInTheDocument();
  expect(app.server.calls(`PUT ${of}/fields/${title}/indexes`)[0]?.body).toEqual({ indexed: true });
  const job = (change: Partial<Job>): Job => ({
    id: jobId,
    kind: 'tables.index',
    siteId: 'abcdefghijkl',
    label: '文章 · 标题',
    state: 'running',
    done: 10,
    total: 100,
    error: null,
    cancellable: true,
    createdAt: '2026-11-20T08:00:00.000Z',
    startedAt: null,
    finishedAt: null,
    ...change,
  });
  const refreshJobs = (one: Job) => {
    app.server.answer('GET /api/core/jobs', { data: [one] });
    return act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { subscribe: false, forceRefetch: true })));
  };
  await refreshJobs(job({}));
  expect(await screen.findByText('正在建立，已处理 10，共 100')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: '停止给“标题”建立索引' })).toBeInTheDocument();
  await refreshJobs(job({ state: 'done', done: 100, finishedAt: '2026-11-20T08:01:00.000Z' }));
  expect(await screen.findByText('“标题”的索引已建好')).toBeInTheDocument();
  expect(app.server.calls(`GET ${of}/advice`).length).toBeGreaterThan(2);
  await person.click(screen.getByRole('button', { name: '删除“日期”的索引' }));
  expect(app.server.calls(`PUT ${of}/fields/f_dayaaaaaaaaa/indexes`)).toHaveLength(0);
  await person.click(await screen.findByRole('button', { name: '删除' }));
  expect(await screen.findByText('已删除“日期”的索引')).toBeInTheDocument();
  expect(app.server.calls(`PUT ${of}/fields/f_dayaaaaaaaaa/indexes`)[0]?.body).toEqual({ indexed: false });
});

test('the bin restores tables and fields and is emptied by a job', async () => {
  const gone = tableOf({ id: 't_oldaaaaaaaaa', title: '旧表', deletedAt: new Date(Date.now() - 3 * 86_400_000).toISOString() });
  let deleted = [gone];
  let fields = [fieldOf({ id: 'f_oldaaaaaaaaa', type: 'text', title: '旧字段', deletedAt: new Date().toISOString() })];
  let left = 3;
  const emptying: Job = {
    id: '3f8ad0e4-8a0c-4b0b-9a7d-2f7f1c0b7a11',
    kind: 'tables.empty',
    siteId: 'abcdefghijkl',
    label: '文章',
    state: 'running',
    done: 1,
    total: 3,
    error: null,
    cancellable: true,
    createdAt: '2026-11-20T08:00:00.000Z',
    startedAt: null,
    finishedAt: null,
  };
  const person = await open('?part=trash', {
    [`GET ${base}/tables`]: ({ url }) => ({ data: new URL(url).searchParams.get('deleted') === 'true' ? deleted : tables }),
    [`GET ${of}/deleted-fields`]: () => ({ data: fields }),
    [`GET ${of}/records`]: ({ url }) => {
      const rows = Array.from({ length: Math.min(left, Number(new URL(url).searchParams.get('limit')) === 1 ? 1 : 2) }, (_none, i) => recordOf(i + 1));
      return { data: pageOf(rows, { total: left }) };
    },
    [`POST ${of}/empty-bin`]: () => {
      left = 0;
      return { data: { jobId: emptying.id } };
    },
    [`POST ${base}/tables/${gone.id}/restore`]: () => {
      deleted = [];
      return { data: { ...gone, deletedAt: null } };
    },
    [`POST ${of}/fields/f_oldaaaaaaaaa/restore`]: () => {
      fields = [];
      return { data: tableOf({ revision: 2 }) };
    },
    [`PATCH ${of}`]: () => {
      tables = [tableOf({ revision: 3, trashDays: 7 })];
      return { data: tables[0] };
    },
  });
  expect(await screen.findByText(/还保留 27 天/)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '恢复“旧表”' }));
  expect(await screen.findByText('没有已删除的内容表。')).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: '恢复“旧字段”' }));
  expect(await screen.findByText('已恢复字段“旧字段”')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: '恢复“旧字段”' })).toBeNull());

  const days = screen.getByLabelText('“文章”的回收站保留天数');
  await person.clear(days);
  await person.type(days, '900{Enter}');
  expect(await screen.findByText('填写 1 到 365 之间的整数')).toBeInTheDocument();
  expect(app.server.calls(`PATCH ${of}`)).toHaveLength(0);
  await person.clear(days);
  await person.type(days, '7{Enter}');
  expect(await screen.findByText('“文章”的回收站改为保留 7 天')).toBeInTheDocument();
  expect(app.server.calls(`PATCH ${of}`)[0]?.body).toEqual({ trashDays: 7 });

  await person.click(await screen.findByRole('button', { name: '清空“文章”的回收站' }));
  const dialog = await screen.findByRole('dialog', { name: '清空“文章”的回收站？' });
  await person.type(within(dialog).getByRole('textbox'), '文章');
  await person.click(within(dialog).getByRole('button', { name: '清空' }));
  await waitFor(() => expect(app.server.calls(`POST ${of}/empty-bin`)).toHaveLength(1));
  const refreshJobs = (one: Job) => {
    app.server.answer('GET /api/core/jobs', { data: [one] });
    return act(() => app.store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { subscribe: false, forceRefetch: true })));
  };
  await refreshJobs(emptying);
  expect(await screen.findByText('已删除 1 条…')).toBeInTheDocument();
  await refreshJobs({ ...emptying, state: 'done', done: 3 });
  expect(await screen.findByText('已彻底删除 3 条记录')).toBeInTheDocument();
  expect(await violationsOf(document.body)).toEqual([]);
});

const document_ = {
  paths: {
    [`${base}/tables/articles/records`]: {
      get: {
        operationId: 'articles.records',
        summary: 'Records',
        tags: ['文章'],
        parameters: [{ name: 'sort', in: 'query', required: false, schema: { type: 'string' } }],
        security: [{ session: [] }, { token: ['tables:read'] }],
      },
      post: {
        operationId: 'articles.addRecords',
        summary: 'Create records',
        tags: ['文章'],
        parameters: [],
        security: [{ session: [] }, { token: ['tables:write'] }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['records'],
                properties: { records: { type: 'array', items: { $ref: '#/components/schemas/articles.new' } } },
              },
            },
          },
        },
      },
    },
  },
  components: { schemas: { 'articles.new': { type: 'object', required: ['title'], properties: { title: { type: 'string', title: '标题' } } } } },
};

test('an API call runs with the session or a token', async () => {
  const person = await open('?part=api', {
    [`GET ${base}/openapi.json`]: { raw: JSON.stringify(document_), headers: { 'content-type': 'application/json' } },
    [`GET ${base}/tables/articles/records`]: { data: { rows: [] } },
    [`POST ${base}/tables/articles/records`]: { error: '没有权限', status: 403, code: 'forbidden' },
  });
  await person.click(await screen.findByRole('button', { name: /查询记录/ }));
  await person.type(screen.getByLabelText('sort'), '-price');
  expect(within(screen.getByRole('region', { name: '调用代码' })).getByText(/curl '.*\/records\?sort=-price'/)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: '发送' }));
  expect(await screen.findByText('200')).toBeInTheDocument();
  expect(app.server.calls(`GET ${base}/tables/articles/records`)[0]?.search).toBe('?sort=-price');

  await person.click(screen.getByRole('button', { name: /新建记录/ }));
  const body = await screen.findByLabelText('请求内容（JSON）');
  expect(JSON.parse((body as HTMLTextAreaElement).value)).toEqual({ records: [{ title: '' }] });
  await person.clear(body);
  await person.type(body, '{{');
  await person.click(screen.getByRole('button', { name: '发送' }));
  expect(await screen.findByText(/不是有效的 JSON/)).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/tables/articles/records`)).toHaveLength(0);
  await person.clear(body);
  await person.click(body);
  await person.paste('{"records":[{"title":"it\'s"}]}');
  await person.click(screen.getByRole('button', { name: '令牌' }));
  await person.type(screen.getByLabelText('令牌'), 'swt_1');
  await person.click(screen.getByRole('button', { name: '发送' }));
  expect(await screen.findByText('403')).toBeInTheDocument();
  const [call] = app.server.calls(`POST ${base}/tables/articles/records`);
  expect(call?.headers.get('authorization')).toBe('Bearer swt_1');
  expect(call?.headers.get('x-requested-with')).toBeNull();
  // The token is in no code that can be copied.
  const code = screen.getByRole('region', { name: '调用代码' });
  expect(code).toHaveTextContent(`--data '{"records":[{"title":"it'\\''s"}]}'`);
  expect(code).not.toHaveTextContent('swt_1');
});

test('the log covers tables here, and designers see tokens', async () => {
  const person = await open('?part=audit', {
    [`GET ${base}/audit`]: ({ url }) => ({
      data:
        new URL(url).searchParams.get('before') === null
          ? {
              rows: [auditEntry({ id: '9', action: 'table.added', siteId: 'abcdefghijkl', target: { kind: 'table', id: 't_articleaaaaa', name: '文章' } })],
              next: '9',
            }
          : { rows: [auditEntry({ id: '8', action: 'webhook.added', target: { kind: 'webhook', id: 'h', name: '同步' } })], next: null },
    }),
    'GET /api/acc/users': { data: { rows: [], total: 0 } },
  });
  const list = await screen.findByRole('list', { name: '内容表日志' });
  expect(within(list).getByRole('listitem')).toHaveTextContent('chenxiao 新建了内容表 文章');
  await person.click(screen.getByRole('button', { name: '加载更早的记录' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  app.end();
  await open('', { 'GET /api/core/load/rpm': { data: startUp({ sites: [site({ role: 'editor' })] }) } });
  expect(await screen.findByText('没有这个页面')).toBeInTheDocument();
  expect(app.server.calls(`GET ${of}/rules`)).toHaveLength(0);
});
