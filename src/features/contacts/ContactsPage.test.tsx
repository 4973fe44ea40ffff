import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../test/support/axe';
import { contact, site } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/contacts/account_contacts';
const one = `/api/acc/contacts/${contact().id}`;
const anna = contact({
  id: '5a1c8f1a-0b0c-4bb8-8b7a-3d1a5e6f7a04',
  name: 'Anna Schmidt',
  company: 'Müller GmbH',
  email: 'anna@mueller.example',
  subscriptions: { security: ['mail'] },
});

const health = { mail: true, unheard: [], waiting: 0, failed: 0 };
let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}) {
  app = await renderApp(path + search, {
    answers: {
      'GET /api/acc/contacts': { data: [contact(), anna] },
      'GET /api/acc/contact-health': { data: health },
      [`GET ${one}`]: { data: contact() },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: '联系人', hidden: true });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const drawer = (name: string) => screen.findByRole('dialog', { name });
const saving = (dialog: HTMLElement) => app.person.click(within(dialog).getByRole('button', { name: '保存' }));

test('the list can be searched, and no match offers a reset', async () => {
  await open();
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  const search = screen.getByRole('searchbox', { name: '搜索联系人' });
  await app.person.type(search, 'müller');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull());
  await waitFor(() => expect(app.router.state.location.search).toBe('?q=m%C3%BCller'));
  await app.person.type(search, ' nobody');
  expect(await screen.findByText('没有匹配“müller nobody”的联系人')).toBeVisible();
});

test('adding shows errors at their fields, then lists the contact', async () => {
  await open('', {
    'GET /api/acc/contacts': { data: [] },
    'POST /api/acc/contacts': { error: 'no', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } } },
  });
  expect(await screen.findByText('还没有联系人')).toBeVisible();
  await app.person.click(screen.getByRole('link', { name: '添加联系人' }));
  const dialog = await drawer('添加联系人');
  expect(app.router.state.location.search).toBe('?id=new');
  await saving(dialog);
  await waitFor(() => expect(within(dialog).getByRole('textbox', { name: '姓名' })).toHaveAccessibleDescription(expect.stringContaining('必填')));
  await app.person.type(within(dialog).getByRole('textbox', { name: '姓名' }), '周雨');
  const email = within(dialog).getByRole('textbox', { name: /邮箱/ });
  await app.person.type(email, 'yu@example.com');
  await app.person.click(within(dialog).getByRole('checkbox', { name: '安全：邮件' }));
  await saving(dialog);
  await waitFor(() => expect(email).toHaveAccessibleDescription(expect.stringContaining('已有联系人使用这个邮箱')));
  app.server.answer('POST /api/acc/contacts', { data: contact({ id: anna.id, name: '周雨' }) });
  await saving(dialog);
  expect(await screen.findByRole('link', { name: '周雨' })).toBeVisible();
  expect(app.server.calls('POST /api/acc/contacts')[1]?.body).toEqual({
    name: '周雨',
    company: '',
    title: 'other',
    email: 'yu@example.com',
    phone: null,
    locale: 'zh-CN',
    wechat: '',
    address: '',
    kinds: [],
    siteIds: null,
    subscriptions: { security: ['mail'] },
    webhook: null,
    quietHours: null,
    note: '',
  });
  expect(app.router.state.location.search).toBe('');
});

test('a contact has its own address and a PATCH sends only changes', async () => {
  await open(`?id=${contact().id}`, { [`PATCH ${one}`]: { data: contact({ company: 'Tea Ltd', revision: 2 }) } });
  const dialog = await drawer('编辑联系人');
  await app.person.type(await within(dialog).findByRole('textbox', { name: /公司/ }), 'Tea Ltd');
  await saving(dialog);
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(app.server.calls(`PATCH ${one}`)[0]?.body).toEqual({ company: 'Tea Ltd' });
  expect(app.server.calls(`PATCH ${one}`)[0]?.headers.get('if-match')).toBe('"1"');
  expect(await screen.findByText('Tea Ltd')).toBeVisible();
});

test('a conflict shows both versions, and mine overwrites the newest revision', async () => {
  const theirs = contact({ name: 'Lin Yue (HK)', phone: '+85221234567', revision: 5 });
  await open(`?id=${contact().id}`, {
    [`PATCH ${one}`]: { error: 'stale', status: 409, code: 'stale_revision', current: theirs },
    [`PUT ${one}`]: { data: contact({ name: 'Lin Yue 2', revision: 6 }) },
  });
  const dialog = await drawer('编辑联系人');
  const name = await within(dialog).findByRole('textbox', { name: '姓名' });
  await app.person.type(name, ' 2');
  await saving(dialog);
  expect(await within(dialog).findByRole('row', { name: '姓名 Lin Yue 2 Lin Yue (HK)' })).toBeVisible();
  expect(name).toHaveValue('Lin Yue 2');
  await app.person.click(within(dialog).getByRole('button', { name: '用我填写的覆盖' }));
  await waitFor(() => expect(app.server.calls(`PUT ${one}`)[0]?.headers.get('if-match')).toBe('"5"'));
  expect(await screen.findByRole('link', { name: 'Lin Yue 2' })).toBeVisible();
});

test('accepting the saved version leaves nothing to save', async () => {
  const theirs = contact({ name: 'Lin Yue (HK)', revision: 5 });
  await open(`?id=${contact().id}`, { [`PATCH ${one}`]: { error: 'stale', status: 409, code: 'stale_revision', current: theirs } });
  const dialog = await drawer('编辑联系人');
  const name = await within(dialog).findByRole('textbox', { name: '姓名' });
  await app.person.type(name, ' 2');
  await saving(dialog);
  await app.person.click(await within(dialog).findByRole('button', { name: '采用已保存的' }));
  expect(name).toHaveValue('Lin Yue (HK)');
  expect(name).toHaveFocus();
  await app.person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('closing with unsaved input asks first', async () => {
  await open(`?id=${contact().id}`);
  const dialog = await drawer('编辑联系人');
  await app.person.type(await within(dialog).findByRole('textbox', { name: /公司/ }), 'x');
  await app.person.keyboard('{Escape}');
  const question = await drawer('放弃填写的内容？');
  await app.person.click(within(question).getByRole('button', { name: '继续填写' }));
  expect(within(dialog).getByRole('textbox', { name: /公司/ })).toHaveValue('x');
});

test('removing hides the contact at once and can be undone', async () => {
  await open();
  await app.person.click(await screen.findByRole('button', { name: '移除 Lin Yue' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull());
  await app.person.click(await screen.findByRole('button', { name: '撤销' }));
  expect(await screen.findByRole('link', { name: 'Lin Yue' })).toBeVisible();
  expect(app.server.calls(`DELETE ${one}`)).toHaveLength(0);
});

test('a failed list can retry, and a deleted contact is reported', async () => {
  await open('', { 'GET /api/acc/contacts': { error: 'Broken', status: 500, code: 'internal', requestId: 'req-3' } });
  expect(await screen.findByText('Broken')).toBeVisible();
  app.server.answer('GET /api/acc/contacts', { data: [anna] });
  await app.person.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  app.end();
  await open(`?id=${contact().id}`, { [`GET ${one}`]: { error: 'gone', status: 404, code: 'not_found' } });
  expect(await screen.findByText('这个联系人不存在，可能已被移除。')).toBeVisible();
});

test('axe finds nothing in the list or the drawer', async () => {
  const whole = contact({
    webhook: 'https://hooks.example.com/x',
    webhookSecret: 'key-1',
    siteIds: [site().id],
    quietHours: { from: '22:00', to: '08:00', timeZone: 'Asia/Shanghai' },
  });
  await open('', { 'GET /api/acc/contacts': { data: [whole, anna] }, [`GET ${one}`]: { data: whole } });
  await screen.findByRole('link', { name: 'Lin Yue' });
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
  await app.person.click(screen.getByRole('link', { name: 'Lin Yue' }));
  const dialog = await drawer('编辑联系人');
  await within(dialog).findByRole('textbox', { name: '姓名' });
  expect(await violationsOf(dialog)).toEqual([]);
});
