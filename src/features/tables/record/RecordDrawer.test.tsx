import { act, screen, waitFor, within } from '@testing-library/react';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { site } from '../../../../test/support/factories';
import { fieldOf } from '../../../../test/support/recordsScreen';
import { renderApp, renderIn } from '../../../../test/support/renderApp';
import { tablesApi } from '../tablesApi';

renderIn('zh-CN');

checkResponses();

const at = '2026-11-20T08:00:00.000Z';
const field = (id: string, title: string, more: Partial<TableField> = {}): TableField => fieldOf({ id, title, type: 'text', ...more });
const title = field('f_titleaaaaaaa', '标题', { localized: true });
const kind = field('f_kindaaaaaaaa', '说明');
const extra = field('f_extraaaaaaaa', '补充', {
  conditions: [{ filter: { field: 'f_kindaaaaaaaa', op: 'ne', value: '要' }, then: 'hidden' }],
});
const secret = field('f_secretaaaaaa', '口令', { type: 'password' });
const table: ContentTable = {
  id: 't_notesaaaaaaa',
  key: 'notes',
  aliases: [],
  title: '笔记',
  icon: '',
  note: '',
  kind: 'collection',
  primaryField: title.id,
  drafts: true,
  locales: ['zh-Hans', 'en'],
  pages: null,
  trashDays: 30,
  layout: null,
  fields: [title, kind, extra, secret],
  revision: 1,
  approxRows: 1,
  createdAt: at,
  deletedAt: null,
  may: ['read', 'create', 'update', 'delete', 'publish'],
};
const id = '0198f000-0000-7000-8000-000000000001';
const record = (values: Record<string, unknown>, revision = 3) => ({
  id,
  n: 1,
  revision,
  state: 'draft',
  values: { [title.id]: '你好', [kind.id]: '旧', [extra.id]: null, [secret.id]: true, ...values },
  locales: ['en'],
  createdAt: at,
  createdBy: null,
  updatedAt: at,
  updatedBy: null,
  publishedAt: null,
  publishAt: null,
  unpublishAt: null,
  deletedAt: null,
});
const labels = { records: {}, people: {} };
const base = `/api/site/${site().id}/table/tables`;
const own = `${base}/${table.id}`;
const one = `GET ${own}/records/${id}`;

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

async function open(of: ContentTable = table) {
  let now = record({});
  app = await renderApp(`/site/${site().id}/table/records?table=${table.id}&record=${id}`, {
    messages: ['form', 'tableRecord'],
    answers: {
      [`GET ${base}`]: { data: [of] },
      [`GET ${own}/views`]: { data: [] },
      [`GET ${own}/records`]: () => ({ data: { rows: [now], labels, next: null, total: 1, more: false, cost: { ms: 1, slow: false } } }),
      [`GET ${own}/aggregate`]: { data: { count: 1, values: {}, groups: [], more: false, labels } },
      [`POST ${own}/presence`]: { data: null },
      [one]: (request) => {
        const english = new URL(request.url).searchParams.get('locale') === 'en';
        return { data: { ...now, values: { ...now.values, ...(english ? { [title.id]: 'Hello' } : {}) }, labels } };
      },
      [`PATCH ${own}/records`]: { data: { batchId: null, created: 0, updated: 1, unchanged: 0, records: [{ id, n: 1, revision: 4 }] } },
    },
  });
  const drawer = await screen.findByRole('dialog', { name: '你好' });
  await within(drawer).findByDisplayValue('Hello');
  return { drawer: within(drawer), become: (next: typeof now) => (now = next) };
}
const input = (key: string): HTMLInputElement => {
  const found = document.querySelector<HTMLInputElement>(`[data-key="${key}"] input`);
  if (!found) throw new Error(`There is no editor of ${key}`);
  return found;
};
const sent = () => app.server.calls(`PATCH ${own}/records`).map(({ body }) => body);

test('each language is saved in its own call with its revision', async () => {
  const { become } = await open();
  await app.person.clear(input(title.id));
  await app.person.type(input(title.id), '早安');
  await app.person.clear(input(`${title.id}@en`));
  await app.person.type(input(`${title.id}@en`), 'Good morning');
  become(record({ [title.id]: '早安' }, 4));
  await app.person.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[0]).toEqual({ changes: [{ id, revision: 3, values: { [title.id]: '早安' } }] });
  expect(sent()[1]).toEqual({ changes: [{ id, revision: 3, values: { [title.id]: 'Good morning' } }], locale: 'en' });
  expect(await screen.findByRole('dialog', { name: '早安' })).toBeInTheDocument();
});

test('a translation is saved with the revision of its language', async () => {
  const { become } = await open();
  await app.person.type(input(`${title.id}@en`), '!');
  become(record({}, 5));
  const path = { siteId: site().id, table: table.id, id };
  await act(() => app.store.dispatch(tablesApi.endpoints.record.initiate(path, { subscribe: false, forceRefetch: true })).unwrap());
  await app.person.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(sent()).toEqual([{ changes: [{ id, revision: 3, values: { [title.id]: 'Hello!' } }], locale: 'en' }]));
});

test('a hidden field appears while its condition is typed', async () => {
  const { drawer } = await open();
  expect(drawer.queryByLabelText('补充')).not.toBeInTheDocument();
  await app.person.clear(input(kind.id));
  await app.person.type(input(kind.id), '要');
  expect(drawer.getByLabelText('补充')).toBeInTheDocument();
});

test('closing with unsaved input asks first and keeps the input', async () => {
  const { drawer } = await open();
  await app.person.type(input(kind.id), '新');
  await app.person.click(drawer.getAllByRole('button', { name: '关闭' })[0] as HTMLElement);
  const question = await screen.findByRole('dialog', { name: '放弃没有保存的修改？' });
  await app.person.click(within(question).getByRole('button', { name: '继续编辑' }));
  expect(input(kind.id)).toHaveValue('旧新');
});

test('a refusal appears at its field and keeps all input', async () => {
  const { drawer } = await open();
  app.server.answer(`PATCH ${own}/records`, {
    error: 'no',
    status: 422,
    code: 'invalid_fields',
    fields: { [`changes.0.${kind.id}`]: { code: 'too_long', max: 5 } },
  });
  await app.person.type(input(kind.id), '太长的内容');
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  const alert = await drawer.findByRole('alert');
  expect(alert.closest('[data-key]')).toHaveAttribute('data-key', kind.id);
  expect(input(kind.id)).toHaveValue('旧太长的内容');
});

test('a conflict shows all versions, and mine overwrites the shown one', async () => {
  const { drawer, become } = await open();
  await app.person.type(input(kind.id), '我');
  const theirs = record({ [kind.id]: '旧他' }, 4);
  become(theirs);
  app.server.answer(`PATCH ${own}/records`, {
    error: 'stale',
    status: 409,
    code: 'stale_revision',
    current: [{ revision: 4, record: theirs, by: '王宁', fields: { [kind.id]: { base: '旧', theirs: '旧他', yours: '旧我' } } }],
  });
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  const conflict = within(await drawer.findByRole('alert', { name: '和别人的修改冲突' }));
  expect(conflict.getByText('旧他')).toBeInTheDocument();
  expect(conflict.getByText('旧我')).toBeInTheDocument();
  await app.person.click(conflict.getByRole('button', { name: '用我的' }));
  app.server.answer(`PATCH ${own}/records`, { data: { batchId: null, created: 0, updated: 1, unchanged: 0, records: [] } });
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toEqual({ changes: [{ id, revision: 4, values: { [kind.id]: '旧我' } }] });
});

test('a password is never shown or drafted, and only saving clears it', async () => {
  const { drawer } = await open();
  await app.person.click(drawer.getByRole('button', { name: '修改' }));
  await app.person.type(input(secret.id), 'very secret');
  expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('very secret');
  await app.person.click(drawer.getByRole('button', { name: '不改了' }));
  await app.person.click(drawer.getByRole('button', { name: '清除' }));
  expect(sent()).toEqual([]);
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(sent()).toEqual([{ changes: [{ id, revision: 3, values: { [secret.id]: null } }] }]));
});

test.each([
  { typed: [kind.id], key: 'tableRecord:draftStored' },
  { typed: [kind.id, secret.id], key: 'tableRecord:draftIncomplete' },
  { typed: [secret.id], key: 'tableRecord:draftNone' },
])('leaving without a question announces which changes the draft contains: $key', async ({ typed, key }) => {
  const { drawer } = await open();
  await app.person.click(drawer.getByRole('button', { name: '修改' }));
  for (const edited of typed) await app.person.type(input(edited), '新');
  await act(() => app.router.navigate(`${app.router.state.location.pathname}?table=${table.id}`));
  await waitFor(() => expect(app.store.getState().notices.queue.map(({ message }) => message)).toEqual([{ key }]));
});

test('a field can be reset to its value before a change', async () => {
  const { drawer } = await open();
  app.server.answer(`GET ${own}/records/${id}/history`, {
    data: [
      { revision: 3, at, by: '王宁', origin: 'console', kind: 'update', batchId: null, fields: { [kind.id]: { before: '更旧', after: '旧' } } },
      { revision: 1, at, by: '王宁', origin: 'console', kind: 'create', batchId: null, fields: { [kind.id]: { before: null, after: '更旧' } } },
    ],
  });
  app.server.answer(`POST ${own}/records/${id}/revert`, { data: record({ [kind.id]: '更旧' }, 4) });
  await app.person.click(drawer.getByRole('tab', { name: '历史' }));
  await app.person.click(await drawer.findByRole('button', { name: '恢复旧值：说明' }));
  await waitFor(() => expect(app.server.calls(`POST ${own}/records/${id}/revert`)[0]?.body).toEqual({ revision: 2, fields: [kind.id] }));
});

test('a former text of a selection field appears without a restore offer', async () => {
  const chosen: TableField = { ...kind, type: 'select', options: { choices: [{ id: 'new', title: '新茶', color: 'green' }] } };
  const { drawer } = await open({ ...table, fields: table.fields.map((known) => (known.id === kind.id ? chosen : known)) });
  app.server.answer(`GET ${own}/records/${id}/history`, {
    data: [
      {
        revision: 3,
        at,
        by: '王宁',
        origin: 'console',
        kind: 'update',
        batchId: null,
        fields: { [kind.id]: { before: '陈茶', after: 'new', texts: ['before'] } },
      },
    ],
  });
  await app.person.click(drawer.getByRole('tab', { name: '历史' }));
  expect(await drawer.findByText('陈茶')).toBeInTheDocument();
  expect(drawer.getByText('新茶')).toBeInTheDocument();
  expect(drawer.queryByRole('button', { name: '恢复旧值：说明' })).toBeNull();
});

test('a refusal opens its folded section and focuses the field', async () => {
  const item = (of: TableField) => ({ field: of.id, width: 'full' as const });
  const layout: ContentTable['layout'] = {
    style: 'groups',
    sections: [
      { title: '', note: '', collapsed: false, fields: [item(title)] },
      { title: '细节', note: '写给同事看', collapsed: true, fields: [item(kind)] },
      { title: '条件', note: '', collapsed: false, fields: [item(extra)] },
    ],
    hidden: [secret.id],
  };
  const { drawer } = await open({ ...table, layout });
  expect(drawer.getByText('写给同事看')).not.toBeVisible();
  // Its only field is hidden by a condition.
  expect(drawer.queryByRole('button', { name: '条件' })).not.toBeInTheDocument();
  expect(document.querySelector(`[data-key="${secret.id}"]`)).toBeNull();
  app.server.answer(`PATCH ${own}/records`, {
    error: 'no',
    status: 422,
    code: 'invalid_fields',
    fields: { [`changes.0.${kind.id}`]: { code: 'required' }, [`changes.0.${secret.id}`]: { code: 'too_short', min: 8 } },
  });
  await app.person.type(input(title.id), '！');
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(input(kind.id)).toHaveFocus());
  expect(drawer.getByRole('button', { name: '细节' })).toHaveAttribute('aria-expanded', 'true');
  expect(drawer.getByText(/^口令 · /)).toBeVisible();
  // Typing shows the hidden field and its section.
  await app.person.clear(input(kind.id));
  await app.person.type(input(kind.id), '要');
  expect(drawer.getByRole('button', { name: '条件' })).toBeInTheDocument();
});

test('a refusal opens the tab of its field', async () => {
  const section = (name: string, of: TableField) => ({ title: name, note: '', collapsed: false, fields: [{ field: of.id, width: 'half' as const }] });
  const { drawer } = await open({ ...table, layout: { style: 'tabs', sections: [section('一', title), section('二', kind)], hidden: [] } });
  expect(drawer.getAllByRole('tab', { selected: true }).map((tab) => tab.textContent.trim())).toEqual(['内容', '一']);
  // Fields that are not in the layout come last.
  expect(drawer.getByRole('tab', { name: '其他字段' })).toBeInTheDocument();
  app.server.answer(`PATCH ${own}/records`, { error: 'no', status: 422, code: 'invalid_fields', fields: { [`changes.0.${kind.id}`]: { code: 'required' } } });
  await app.person.type(input(title.id), '！');
  await app.person.click(drawer.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(input(kind.id)).toHaveFocus());
  expect(drawer.getByRole('tab', { name: '二 1 处要改' })).toHaveAttribute('aria-selected', 'true');
});
