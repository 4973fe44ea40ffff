import { act, screen, waitFor, within } from '@testing-library/react';
import type { Passkey, Security } from '@contract/factors';
import type { User } from '@contract/session';
import { faultsOf } from '../../../../test/support/axe';
import { security, session, user } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { givePasskeys } from '../../../../test/support/passkeys';
import { renderApp } from '../../../../test/support/renderApp';

const path = '/account/center/account_center?tab=security';
const state = 'GET /api/acc/security';
const codes = Array.from({ length: 10 }, (_one, index) => `ABCD-EFGH-2345-67${String.fromCharCode(65 + index)}J`);
const phone: Passkey = { id: 'a4f3a3a0-7d7e-4c0b-9d3b-0b9a4c1d2e3f', name: 'iPhone', createdAt: '2026-11-01T08:00:00.000Z', lastUsedAt: null, synced: true };
const offer: Answer = { data: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/x', qr: 'data:image/svg+xml;base64,PHN2Zy8+' } };
const protectedBy = (change: Partial<Security>): Answer => ({ data: security(change) });

let app: Awaited<ReturnType<typeof renderApp>>;
let takeBack: () => void = () => undefined;
async function open(answers: Record<string, Answer> = {}, { at = path, me = {} }: { at?: string; me?: Partial<User> } = {}) {
  app = await renderApp(at, { answers: { [state]: protectedBy({}), [`GET /api/acc/user/${user().id}`]: { data: user(me) }, ...answers } });
  await screen.findByRole('heading', { level: 2, name: '两步验证', hidden: true });
}
afterEach(() => {
  app.end();
  takeBack();
  takeBack = () => undefined;
  sessionStorage.clear();
  localStorage.clear();
});

const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
async function rewrite(box: HTMLElement, to: string) {
  await app.person.clear(box);
  await app.person.type(box, to);
}
/** Ticks that the codes are kept, which alone closes their dialog. */
async function keepCodes() {
  const dialog = await inDialog('保存恢复码');
  for (const code of codes) expect(dialog.getByText(code)).toBeVisible();
  expect(dialog.getByRole('button', { name: '完成' })).toBeDisabled();
  await app.person.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: '保存恢复码' })).toBeVisible();
  await app.person.click(dialog.getByRole('checkbox', { name: '我已经保存好恢复码' }));
  await app.person.click(dialog.getByRole('button', { name: '完成' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}
const nowhereKept = (secret: string) => {
  expect(JSON.stringify(app.store.getState())).not.toContain(secret);
  for (const storage of [sessionStorage, localStorage]) expect(JSON.stringify(Object.entries(storage))).not.toContain(secret);
};

describe('authenticator', () => {
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('scan, first code, recovery codes kept: it is on, and neither key nor codes stay in the browser', async () => {
    await open({ [begin]: offer, [confirm]: { error: 'no', status: 422, code: 'invalid_fields', fields: { code: { code: 'wrong_code' } } } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    expect(app.router.state.location.search).toBe('?tab=security&add=totp');
    const dialog = await inDialog('开启身份验证器');
    expect(await dialog.findByRole('img', { name: '供验证器应用扫描的二维码' })).toHaveAttribute('src', expect.stringContaining('data:image/svg'));
    expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    const box = dialog.getByLabelText('验证码');
    expect(box).toHaveFocus();
    await app.person.type(box, '111 111');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/验证码不正确/));
    expect(app.server.calls(confirm).map((call) => call.body)).toEqual([{ code: '111111' }]);
    app.server.answer(confirm, { data: { recoveryCodes: codes } });
    app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10, minLength: 8 }));
    await rewrite(box, '222222');
    await keepCodes();
    expect(await screen.findByText('还有 10 个可用，共 10 个')).toBeVisible();
    expect(screen.getByRole('button', { name: '关闭身份验证器' })).toBeVisible();
    expect(app.router.state.location.search).toBe('?tab=security');
    expect(app.server.calls('GET /api/acc/token/session').length).toBeGreaterThan(1);
    nowhereKept('ABCDEFGHIJKLMNOP');
    nowhereKept(codes[0] ?? '');
  });

  test('proof first; who would rather not is back where they were', async () => {
    await open({ [begin]: { error: 'prove it', status: 403, code: 'reauth_required' } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    await app.person.click((await inDialog('确认是你本人')).getByRole('button', { name: '取消' }));
    expect(await screen.findByText('没有确认身份，这项操作未执行。')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.router.state.location.search).toBe('?tab=security');
  });

  test('a key that could not be fetched can be asked for again', async () => {
    await open({ [begin]: { error: '出错了', status: 500 } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    const dialog = await inDialog('开启身份验证器');
    expect(await dialog.findByText('出错了')).toBeVisible();
    app.server.answer(begin, offer);
    await app.person.click(dialog.getByRole('button', { name: '重试' }));
    expect(await dialog.findByLabelText('验证码')).toBeVisible();
  });

  test.each([
    ['secondFactor', '系统要求开启两步验证，不能移除最后一种方式。先添加另一种，再移除它。'],
    ['password', '密码少于 15 个字符时必须有两步验证。先把密码改长，再移除它。'],
  ])('the last one stays where it has to (%s), and the person reads why', async (field, words) => {
    const code = field === 'password' ? { code: 'too_short', min: 15 } : { code: 'required' };
    await open({
      [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
      'DELETE /api/acc/totp': { error: 'no', status: 409, code: 'conflict', fields: { [field]: code } },
    });
    await app.person.click(screen.getByRole('button', { name: '关闭身份验证器' }));
    const dialog = await inDialog('关闭身份验证器？');
    expect(dialog.getByText(/这是最后一种两步验证方式/)).toBeVisible();
    await app.person.click(dialog.getByRole('button', { name: '关闭' }));
    expect(await screen.findByText(words)).toBeVisible();
  });
});

describe('passkeys', () => {
  const options = 'POST /api/acc/passkeys/options';
  const add = 'POST /api/acc/passkeys';
  const begun: Answer = {
    data: {
      challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11',
      options: { challenge: 'AAAA', rp: { id: 'localhost', name: 'x' }, user: { id: 'AAAA', name: 'x', displayName: 'x' }, pubKeyCredParams: [] },
    },
  };

  test('added under a name, with recovery codes where it is the first factor', async () => {
    takeBack = givePasskeys();
    await open({ [options]: begun, [add]: { data: { passkey: phone, recoveryCodes: codes } } });
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    await rewrite(dialog.getByLabelText('名称'), 'iPhone');
    app.server.answer(state, protectedBy({ passkeys: [phone], recoveryLeft: 10 }));
    await app.person.click(dialog.getByRole('button', { name: '继续' }));
    await keepCodes();
    expect(app.server.calls(add)[0]?.body).toMatchObject({
      challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11',
      name: 'iPhone',
      response: { id: 'credential', type: 'public-key' },
    });
    const list = screen.getByRole('list', { name: '通行密钥列表' });
    expect(within(list).getByText('已同步')).toBeVisible();
    expect(within(list).getByText(/还没有用过/)).toBeVisible();
    nowhereKept(codes[0] ?? '');
  });

  test.each([
    ['cancelled', 'NotAllowedError', '没有添加成功。可以再试一次。'],
    ['already on this device', 'InvalidStateError', '这台设备上已经有这个账号的通行密钥。'],
  ])('what the browser says (%s) is said in words, and the name stays', async (_what, name, words) => {
    takeBack = givePasskeys({ create: () => Promise.reject(new DOMException('no', name)) });
    await open({ [options]: begun });
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    await rewrite(dialog.getByLabelText('名称'), '书房');
    await app.person.click(dialog.getByRole('button', { name: '继续' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(words);
    expect(dialog.getByLabelText('名称')).toHaveValue('书房');
    expect(app.server.calls(add)).toHaveLength(0);
  });

  test('one that the server refuses leaves the session alone; the limit has words', async () => {
    takeBack = givePasskeys();
    await open({ [options]: begun, [add]: { error: 'no', status: 401, code: 'bad_code' } });
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    await app.person.click(dialog.getByRole('button', { name: '继续' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('没有通过核对');
    expect(app.left).toEqual([]);
    app.server.answer(options, { error: 'full', status: 409, code: 'conflict' });
    await app.person.click(dialog.getByRole('button', { name: '继续' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('最多添加 20 个'));
  });

  test('a browser without them says so instead of failing', async () => {
    await open();
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    expect(dialog.getByText(/不能使用通行密钥/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: '继续' })).toBeNull();
  });

  test('renamed, and removed after a question', async () => {
    const one = `/api/acc/passkeys/${phone.id}`;
    await open({
      [state]: protectedBy({ passkeys: [phone], totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }),
      [`PATCH ${one}`]: { data: { ...phone, name: '工作手机' } },
      [`DELETE ${one}`]: { data: null },
    });
    expect(screen.getByText('所剩不多，生成一组新的')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: '给“iPhone”改名' }));
    const dialog = await inDialog('通行密钥改名');
    await rewrite(dialog.getByLabelText('名称'), '工作手机');
    app.server.answer(state, protectedBy({ passkeys: [{ ...phone, name: '工作手机' }], totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }));
    await app.person.keyboard('{Enter}');
    await app.person.click(await screen.findByRole('button', { name: '移除“工作手机”' }));
    const question = await inDialog('移除通行密钥“工作手机”？');
    expect(question.queryByText(/最后一种/)).toBeNull();
    app.server.answer(state, protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }));
    await app.person.click(question.getByRole('button', { name: '移除' }));
    expect(await screen.findByText('通行密钥“工作手机”已移除')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('list', { name: '通行密钥列表' })).toBeNull());
  });
});

test('new recovery codes after a question; the old ones are said to end', async () => {
  await open({ [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 0 }), 'POST /api/acc/recovery-codes': { data: codes } });
  expect(screen.getByText('已经用完')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '重新生成' }));
  await app.person.click((await inDialog('重新生成恢复码？')).getByRole('button', { name: '重新生成' }));
  await keepCodes();
  nowhereKept(codes[0] ?? '');
});

describe('login name', () => {
  test('proof is asked for and the change goes on by itself', async () => {
    let proven = false;
    await open({
      'POST /api/acc/sign/rename': () =>
        proven ? { data: user({ loginName: 'lin.xia', revision: 2 }) } : { error: 'prove it', status: 403, code: 'reauth_required' },
      'POST /api/acc/sign/reauth': () => {
        proven = true;
        return { data: null };
      },
    });
    await rewrite(screen.getByRole('textbox', { name: '登录名' }), 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: '更改登录名' }));
    await app.person.type((await inDialog('确认是你本人')).getByLabelText('密码'), 'right{Enter}');
    expect(await screen.findByText('登录名已改为“lin.xia”')).toBeVisible();
    expect(app.server.calls('POST /api/acc/sign/rename').map((call) => call.body)).toEqual([{ loginName: 'lin.xia' }, { loginName: 'lin.xia' }]);
  });

  test.each([
    [{ code: 'name_taken', status: 409, fields: { loginName: { code: 'taken' } } }, '已被使用，换一个'],
    [{ code: 'invalid_fields', status: 422, fields: { loginName: { code: 'confusable' } } }, '和已有的名字太像，换一个'],
  ])('a name that is refused says why at its field and stays', async (refusal, words) => {
    await open({ 'POST /api/acc/sign/rename': { error: 'no', ...refusal } });
    const box = screen.getByRole('textbox', { name: '登录名' });
    await rewrite(box, 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: '更改登录名' }));
    await waitFor(() => expect(box).toHaveAccessibleDescription(words));
    expect(box).toHaveValue('lin.xia');
    expect(box).toHaveFocus();
  });

  test.each([
    [{ renameFrom: '2026-12-04T08:00:00.000Z' }, /2026-12-04 起可以再改/],
    [{ selfRename: false }, /由所有者统一修改/],
  ])('where it may not be changed it is read only, with the reason: %j', async (change, reason) => {
    await open({ [state]: protectedBy(change) });
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: '登录名' })).toBeNull();
  });
});

test('a short new password is not sent; a wrong present one is named; nothing of either is kept in the browser', async () => {
  const change = 'POST /api/acc/sign/password';
  await open({
    [state]: protectedBy({ minLength: 8, totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
    [change]: { error: 'no', status: 422, code: 'invalid_fields', fields: { current: { code: 'wrong_password' } } },
  });
  const next = screen.getByLabelText('新密码');
  expect(next).toHaveAccessibleDescription(/至少 8 个字符/);
  await app.person.type(screen.getByLabelText('当前密码'), 'old one');
  await app.person.type(next, 'short');
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  await waitFor(() => expect(next).toHaveAccessibleDescription('至少 8 个字符'));
  expect(app.server.calls(change)).toHaveLength(0);
  await app.person.type(next, ' no longer');
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  await waitFor(() => expect(screen.getByLabelText('当前密码')).toHaveAccessibleDescription('密码不正确'));
  nowhereKept('old one');
  app.server.answer(change, { data: null });
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  expect(await screen.findByText('密码已修改，其他设备已退出')).toBeVisible();
  expect(next).toHaveValue('');
});

describe('e-mail', () => {
  const ask = 'POST /api/acc/email';

  test('asked for, waiting, sent again, given up', async () => {
    await open({ [state]: protectedBy({ mail: true }), [ask]: { error: 'no', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } } } });
    const box = screen.getByRole('textbox', { name: '邮箱地址' });
    await app.person.type(box, 'not an address{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/邮箱格式不对/));
    await rewrite(box, 'Lin@Example.com{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription('这个邮箱已被另一个账号使用'));
    app.server.answer(ask, { data: { mailed: true } });
    app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com' }));
    await app.person.type(box, '{Enter}');
    expect(await screen.findByText('lin@example.com 等待确认')).toBeVisible();
    expect(app.server.calls(ask).at(-1)?.body).toEqual({ email: 'lin@example.com' });
    await app.person.click(screen.getByRole('button', { name: '重新发送' }));
    await waitFor(() => expect(app.server.calls(ask)).toHaveLength(3));
    app.server.answer('DELETE /api/acc/email', { data: null });
    app.server.answer(state, protectedBy({ mail: true }));
    await app.person.click(screen.getByRole('button', { name: '放弃这个地址' }));
    expect(await screen.findByRole('textbox', { name: '邮箱地址' })).toBeVisible();
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('?pending=true');
  });

  test('without a mail server the person is told whom to ask', async () => {
    await open({
      [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }),
      'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) },
    });
    expect(screen.getByText('这里没有配置邮件服务器，请所有者为你生成一个确认链接。')).toBeVisible();
    expect(screen.queryByRole('button', { name: '重新发送' })).toBeNull();
  });

  test('without a mail server an owner makes the link themselves; it is kept nowhere', async () => {
    const make = `POST /api/acc/users/${user().id}/link`;
    const url = 'http://localhost/sign/email#t=very-secret';
    await open({ [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }), [make]: { data: { url, expiresAt: '2026-11-21T08:00:00.000Z' } } });
    expect(screen.queryByText(/请所有者/)).toBeNull();
    await app.person.click(screen.getByRole('button', { name: '生成确认链接' }));
    expect(await screen.findByRole('textbox', { name: '确认链接' })).toHaveValue(url);
    expect(screen.getByRole('button', { name: '复制确认链接' })).toBeVisible();
    expect(app.server.calls(make).map((call) => call.body)).toEqual([{ kind: 'email' }]);
    nowhereKept('very-secret');
  });

  test('a verified one can be changed or removed', async () => {
    await open({ [state]: protectedBy({ mail: true }), 'DELETE /api/acc/email': { data: null } }, { me: { email: 'lin@example.com' } });
    expect(screen.getByText('✓ 已验证')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: '更换' }));
    expect(screen.getByRole('textbox', { name: '新的邮箱地址' })).toHaveFocus();
    await app.person.click(screen.getByRole('button', { name: '取消' }));
    app.server.answer(`GET /api/acc/user/${user().id}`, { data: user({ email: null }) });
    await app.person.click(screen.getByRole('button', { name: '移除' }));
    await app.person.click((await inDialog('移除邮箱 lin@example.com？')).getByRole('button', { name: '移除' }));
    expect(await screen.findByText('邮箱已移除')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('✓ 已验证')).toBeNull());
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('');
  });
});

test('the tab that fails can be asked for again, and has nothing for axe to find', async () => {
  app = await renderApp(path, { answers: { [state]: { error: '出错了', status: 500 } } });
  expect(await screen.findByText('出错了')).toBeVisible();
  app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com', passkeys: [phone], totpSince: phone.createdAt, recoveryLeft: 3 }));
  await app.person.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('lin@example.com 等待确认');
  expect(await faultsOf(screen.getByRole('main'))).toEqual([]);
});

describe('a second factor that is asked for', () => {
  const current = 'GET /api/acc/token/session';
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('while there is time: a banner with the days left, and the way', async () => {
    const due = session({ enrolment: 'due', serverTime: '2026-11-20T08:00:00.000Z', enrolBy: '2026-11-24T07:00:00.000Z' });
    await open({ [current]: { data: due } });
    expect(await screen.findByText(/还剩 4 天/)).toBeVisible();
    expect(screen.getByRole('link', { name: '去开启' })).toHaveAttribute('href', '/account/center/account_center?tab=security');
  });

  test('when the time is over: nothing but setting one up, and then the console at the same address', async () => {
    app = await renderApp('/account/unknown', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: '2026-11-01T08:00:00.000Z' }) },
        'GET /api/core/load/rpm': { error: 'no', status: 403, code: 'enrolment_required' },
        [state]: protectedBy({}),
        [begin]: offer,
        [confirm]: { data: { recoveryCodes: codes } },
      },
    });
    expect(await screen.findByRole('heading', { name: '开启两步验证' })).toBeVisible();
    expect(app.server.calls('GET /api/core/load/rpm')).toHaveLength(0);
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.queryByLabelText('当前密码')).toBeNull();
    await app.person.click(await screen.findByRole('button', { name: '开启身份验证器' }));
    await app.person.type(await (await inDialog('开启身份验证器')).findByLabelText('验证码'), '123456');
    app.server.answer(current, { data: session() });
    app.server.answer('GET /api/core/load/rpm', { data: { sites: [], intls: [] } });
    await keepCodes();
    expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
  });

  test('a password too short to stand alone may be made longer instead', async () => {
    app = await renderApp('/home', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: null }) },
        [state]: protectedBy({}),
        'POST /api/acc/sign/password': { data: null },
      },
    });
    await app.person.type(await screen.findByLabelText('当前密码'), 'short one');
    await app.person.type(screen.getByLabelText('新密码'), 'a much longer password');
    app.server.answer(current, { data: session() });
    await app.person.click(screen.getByRole('button', { name: '修改密码' }));
    expect(await screen.findByRole('navigation', { name: '导航' })).toBeVisible();
  });

  test('one can leave; and nothing for axe to find', async () => {
    app = await renderApp('/home', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: null }) },
        [state]: protectedBy({}),
        'POST /api/acc/token/sign-out': { data: null },
      },
    });
    await screen.findByRole('button', { name: '开启身份验证器' });
    expect(await faultsOf(app.container)).toEqual([]);
    await app.person.click(screen.getByRole('button', { name: '退出登录' }));
    await waitFor(() => expect(app.left).toHaveLength(1));
  });

  test('a session whose time ends in the middle of work is led to the page', async () => {
    await open();
    app.server.answer(current, { data: session({ enrolment: 'required', enrolBy: '2026-11-01T08:00:00.000Z' }) });
    app.server.answer(begin, { error: 'no', status: 403, code: 'enrolment_required' });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    expect(await screen.findByText(/这里的账号都要开启两步验证/)).toBeVisible();
  });
});

test('what changed elsewhere is seen here: the live event asks again', async () => {
  await open();
  app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10 }));
  const { securityApi } = await import('../securityApi');
  await act(async () => void app.store.dispatch(securityApi.util.invalidateTags(['Security'])));
  expect(await screen.findByRole('button', { name: '关闭身份验证器' })).toBeVisible();
});
