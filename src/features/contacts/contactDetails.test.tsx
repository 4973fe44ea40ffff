import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Contact } from '@contract/contacts/schemas';
import { violationsOf } from '../../../test/support/axe';
import { contact, secondSite, site } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const path = '/account/contacts/account_contacts';
const one = `/api/acc/contacts/${contact().id}`;
const anna = contact({
  id: '5a1c8f1a-0b0c-4bb8-8b7a-3d1a5e6f7a04',
  name: 'Anna Schmidt',
  email: 'anna@mueller.example',
  emailVerifiedAt: '2026-11-01T00:00:00.000Z',
});
const health = { mail: true, unheard: [], waiting: 0, failed: 0 };

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(search = '', answers: Record<string, Answer> = {}, held: Contact = contact()) {
  app = await renderApp(path + search, {
    answers: { 'GET /api/acc/contacts': { data: [held, anna] }, 'GET /api/acc/contact-health': { data: health }, [`GET ${one}`]: { data: held }, ...answers },
  });
  await screen.findByRole('heading', { level: 1, name: '联系人', hidden: true });
}
async function opened(held: Contact, answers: Record<string, Answer> = {}) {
  await open(`?id=${held.id}`, answers, held);
  const dialog = await screen.findByRole('dialog', { name: '编辑联系人' });
  await within(dialog).findByRole('textbox', { name: '姓名' });
  return within(dialog);
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
// By its text: the roles of everything behind the drawer take long to work out.
const press = (name: string) => app.person.click(screen.getByText(name, { selector: 'button' }));
const patched = () => app.server.calls(`PATCH ${one}`).at(-1)?.body;
const saves = { [`PATCH ${one}`]: { data: contact({ revision: 2 }) } };

test('delivery problems of notices are shown above the list', async () => {
  await open('', { 'GET /api/acc/contact-health': { data: { mail: false, unheard: ['security', 'crawl'], waiting: 0, failed: 3 } } });
  expect(await screen.findByText(/没有人能收到安全通知。没有配置邮件服务器：.*勾选 Webhook/)).toBeVisible();
  expect(screen.getByText(/邮件通知不会发出/)).toBeVisible();
  expect(screen.getByText(/最近 7 天有 3 条通知/)).toBeVisible();
  expect(screen.getByRole('option', { name: '抓取（无人接收）' })).toBeInTheDocument();
});

test('filters are kept in the address', async () => {
  await open('?state=verified');
  expect(await screen.findByRole('link', { name: 'Anna Schmidt' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Lin Yue' })).toBeNull();
  await app.person.selectOptions(screen.getByRole('combobox', { name: '按通知内容筛选' }), 'security');
  expect(app.router.state.location.search).toBe('?state=verified&topic=security');
  expect(await screen.findByText('没有符合条件的联系人')).toBeVisible();
  await press('清除筛选');
  expect(await screen.findByRole('link', { name: 'Lin Yue' })).toBeVisible();
  expect(app.router.state.location.search).toBe('');
});

test('an unconfirmed address offers a link by mail or to copy', async () => {
  const url = 'https://console.example/sign/contact#t=abc';
  const expiresAt = '2026-11-21T08:00:00.000Z';
  await opened(contact(), { [`POST ${one}/verify`]: { data: { url: null, mailed: true, expiresAt } } });
  await press('发送验证链接');
  expect(await screen.findByText(/验证邮件已寄出，请 lin@example.com/)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: '验证链接' })).toBeNull();
  app.server.answer(`POST ${one}/verify`, { data: { url, mailed: false, expiresAt } });
  await press('重新发送');
  expect(await screen.findByText(/请把链接交给 lin@example.com/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: '验证链接' })).toHaveValue(url);
  app.server.answer(`POST ${one}/verify`, { error: '操作过于频繁，请稍后再试。', status: 429, code: 'too_many_requests' });
  await press('重新发送');
  expect(await screen.findByText('操作过于频繁，请稍后再试。')).toBeVisible();
});

test('a test message shows the response', async () => {
  const held = contact({ emailVerifiedAt: '2026-11-01T00:00:00.000Z', webhook: 'https://hooks.example.com/x', webhookSecret: 'key-1' });
  await opened(held, {
    [`POST ${one}/test`]: (request) =>
      request.json().then(({ channel }: { channel: string }) => ({
        data: channel === 'mail' ? { delivered: true, detail: '250 queued' } : { delivered: false, detail: 'HTTP 500' },
      })),
  });
  const [mail, hook] = screen.getAllByRole('button', { name: '发送测试' });
  if (!mail || !hook) throw new Error('two channels have a test each');
  await app.person.click(mail);
  expect(await screen.findByText('250 queued')).toBeVisible();
  await app.person.click(hook);
  expect(await screen.findByText('HTTP 500')).toBeVisible();
  expect(screen.getByText('没有送达')).toBeVisible();
  app.server.answer(`POST ${one}/test`, { data: { delivered: false, detail: 'address_refused: 127.0.0.1' } });
  await app.person.click(hook);
  expect(await screen.findByText(/这个地址在本机或内网，出于安全不会连接/)).toBeVisible();
  expect(screen.queryByText(/address_refused/)).toBeNull();
});

test('a webhook key stays hidden, and a new address requires saving', async () => {
  await opened(contact({ webhook: 'https://hooks.example.com/x', webhookSecret: 'key-1' }));
  expect(screen.getByLabelText('签名密钥')).toHaveAttribute('type', 'password');
  await press('显示');
  expect(screen.getByRole('textbox', { name: '签名密钥' })).toHaveValue('key-1');
  await app.person.type(screen.getByRole('textbox', { name: /^Webhook/ }), '2');
  expect(screen.queryByLabelText('签名密钥')).toBeNull();
  expect(screen.getByText('保存后可以验证和测试')).toBeVisible();
});

test('at least one site is required, and hidden sites stay', async () => {
  const dialog = await opened(contact({ siteIds: [site().id, 'unseenunseen'] }), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: '另外 1 个看不到或已删除的站点' }));
  await app.person.click(dialog.getByRole('checkbox', { name: site().name }));
  await press('保存');
  expect(await screen.findByText('至少选择一个站点')).toBeVisible();
  await app.person.click(dialog.getByRole('checkbox', { name: secondSite().name }));
  await app.person.click(dialog.getByRole('radio', { name: '全部站点' }));
  await app.person.click(dialog.getByRole('radio', { name: '指定站点' }));
  expect(dialog.getByRole('checkbox', { name: secondSite().name })).toBeChecked();
  await press('保存');
  await waitFor(() => expect(patched()).toEqual({ siteIds: [secondSite().id] }));
});

test('a chosen channel without an address shows a message', async () => {
  const dialog = await opened(contact({ subscriptions: { uptime: ['webhook'] } }));
  expect(dialog.getByText('选择了 Webhook，但还没有填写地址')).toBeVisible();
  fireEvent.change(dialog.getByRole('textbox', { name: /^Webhook/ }), { target: { value: 'https://hooks.example.com/x' } });
  await waitFor(() => expect(dialog.queryByText('选择了 Webhook，但还没有填写地址')).toBeNull());
});

test('quiet hours can be turned on, changed and turned off', async () => {
  const dialog = await opened(contact(), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: /免打扰时段/ }));
  fireEvent.change(dialog.getByLabelText('开始'), { target: { value: '' } });
  await press('保存');
  expect(await screen.findByText('填写时间，例如 22:00')).toBeVisible();
  fireEvent.change(dialog.getByLabelText('开始'), { target: { value: '23:30' } });
  await press('保存');
  await waitFor(() => expect(patched()).toEqual({ quietHours: { from: '23:30', to: '08:00', timeZone: expect.any(String) } }));
});

test('existing quiet hours can be removed', async () => {
  const dialog = await opened(contact({ quietHours: { from: '22:00', to: '08:00', timeZone: 'Asia/Shanghai' } }), saves);
  await app.person.click(dialog.getByRole('checkbox', { name: /免打扰时段/ }));
  await press('保存');
  await waitFor(() => expect(patched()).toEqual({ quietHours: null }));
});

describe('one person, two contacts', () => {
  const takenResponse = { error: 'taken', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } }, current: anna };

  test('a duplicate address offers to merge and saves the typed input', async () => {
    const dialog = await opened(contact(), { [`PATCH ${one}`]: takenResponse, [`POST ${one}/merge`]: { data: contact({ revision: 2, phone: '+49151' }) } });
    const email = dialog.getByRole('textbox', { name: /邮箱/ });
    await app.person.clear(email);
    await app.person.type(email, 'anna@mueller.example');
    await press('保存');
    await app.person.click(await screen.findByRole('button', { name: '把“Anna Schmidt”并到这里…' }));
    const merging = within(await screen.findByRole('dialog', { name: '合并到“Lin Yue”' }));
    app.server.answer(`PATCH ${one}`, { data: contact({ revision: 3, email: 'anna@mueller.example' }) });
    await app.person.click(merging.getByRole('button', { name: '合并' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(`POST ${one}/merge`)[0]?.body).toEqual({ from: anna.id });
    expect(patched()).toEqual({ email: 'anna@mueller.example' });
    expect(app.server.calls(`PATCH ${one}`).at(-1)?.headers.get('if-match')).toBe('"2"');
    expect(screen.queryByRole('link', { name: 'Anna Schmidt' })).toBeNull();
  });

  test('a new contact with a known address is merged into that contact', async () => {
    const there = `/api/acc/contacts/${anna.id}`;
    await open('?id=new', { 'POST /api/acc/contacts': takenResponse, [`PATCH ${there}`]: { data: { ...anna, phone: '+49151', revision: 2 } } });
    const dialog = within(await screen.findByRole('dialog', { name: '添加联系人' }));
    await app.person.type(dialog.getByRole('textbox', { name: '姓名' }), 'Anna');
    await app.person.type(dialog.getByRole('textbox', { name: /邮箱/ }), 'anna@mueller.example');
    await app.person.type(dialog.getByRole('textbox', { name: /电话/ }), '+49151');
    await press('保存');
    await app.person.click(await screen.findByRole('button', { name: '把填写的内容并入“Anna Schmidt”' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(`PATCH ${there}`)[0]?.body).toEqual({ phone: '+49151' });
  });

  test('choosing one from the list previews the changes first', async () => {
    const dialog = await opened(contact({ email: null }), { [`POST ${one}/merge`]: { data: contact({ email: anna.email, revision: 2 }) } });
    await app.person.click(dialog.getByRole('button', { name: '合并另一个联系人…' }));
    const merging = within(await screen.findByRole('dialog', { name: '合并到“Lin Yue”' }));
    expect(merging.getByRole('row', { name: '邮箱 anna@mueller.example' })).toBeVisible();
    await app.person.click(merging.getByRole('button', { name: '合并' }));
    await waitFor(() => expect(dialog.getByRole('textbox', { name: /邮箱/ })).toHaveValue('anna@mueller.example'));
  });
});

describe('importing', () => {
  const rows = [
    { line: 2, name: '王芳', email: 'wang@example.cn', result: 'added', field: null, code: null },
    { line: 3, name: '李雷', email: '坏的', result: 'refused', field: 'email', code: 'not_an_email' },
    { line: 4, name: '韩梅', email: null, result: 'duplicate', field: null, code: null },
  ];
  const url = 'POST /api/acc/contacts-import';

  test('a preview shows every line before the import', async () => {
    await open('?import=1', { [url]: { data: { rows, added: 1 } } });
    const dialog = within(await screen.findByRole('dialog', { name: '导入联系人' }));
    const box = dialog.getByRole('textbox', { name: '表格或 vCard 内容' });
    fireEvent.change(box, { target: { value: '姓名,邮箱\n王芳,wang@example.cn' } });
    await app.person.click(dialog.getByRole('button', { name: '预览' }));
    expect(await dialog.findByText('邮箱：邮箱格式不对，例如 name@example.com')).toBeVisible();
    expect(dialog.getByText('已存在，跳过')).toBeVisible();
    expect(await violationsOf(screen.getByRole('dialog', { name: '导入联系人' }))).toEqual([]);
    await app.person.click(dialog.getByRole('button', { name: '导入 1 个联系人' }));
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(app.server.calls(url).map((call) => call.body)).toEqual([
      { format: 'csv', text: '姓名,邮箱\n王芳,wang@example.cn', dryRun: true },
      { format: 'csv', text: '姓名,邮箱\n王芳,wang@example.cn', dryRun: false },
    ]);
    await waitFor(() => expect(app.server.calls('GET /api/acc/contacts').length).toBeGreaterThan(1));
  });

  test('GB 18030 files and vCards are read, and unreadable files reported', async () => {
    await open('?import=1', { [url]: { error: 'bad', status: 422, code: 'invalid_fields', fields: { text: { code: 'pattern' } } } });
    const dialog = within(await screen.findByRole('dialog', { name: '导入联系人' }));
    const box = dialog.getByRole('textbox', { name: '表格或 vCard 内容' });
    const choose = (bytes: Uint8Array<ArrayBuffer>) =>
      fireEvent.change(dialog.getByLabelText('选择文件', { selector: 'input' }), { target: { files: [new File([bytes], 'x')] } });
    choose(Uint8Array.from([0xd0, 0xd5, 0xc3, 0xfb]));
    await waitFor(() => expect(box).toHaveValue('姓名'));
    choose(new TextEncoder().encode('BEGIN:VCARD\nFN:x'));
    await waitFor(() => expect(box).toHaveValue('BEGIN:VCARD\nFN:x'));
    await app.person.click(dialog.getByRole('button', { name: '预览' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/读不出联系人/);
    expect(box).toHaveValue('BEGIN:VCARD\nFN:x');
    expect(app.server.calls(url)[0]?.body).toMatchObject({ format: 'vcard' });
  });
});
