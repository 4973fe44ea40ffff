import { act, screen, waitFor } from '@testing-library/react';
import { violationsOf } from '../../test/support/axe';
import type { Answer } from '../../test/support/fakeServer';
import { openSignPage } from '../../test/support/signPage';
import { linkKinds, takeToken } from './token';

let page: ReturnType<typeof openSignPage>;
const open = (path: string, answers: Record<string, Answer> = {}, token: string | null = 'tok') => {
  page = openSignPage(path, answers, token);
};
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(async () => {
  // Whatever is still under way arrives.
  await act(async () => undefined);
  page.unmount();
  page.server.restore();
});

const linkEnded: Answer = { error: 'gone', status: 410, code: 'link_ended' };
const nothing: Answer = { raw: null, status: 204 };

test("each link's token leaves the address, survives reloads, and stays separate", () => {
  open('/sign/');
  for (const kind of linkKinds) {
    history.replaceState(null, '', `/sign/${kind}?a=1#t=secret-${kind}`);
    expect(takeToken(kind)).toBe(`secret-${kind}`);
    expect(location.href).toBe(`http://localhost:3000/sign/${kind}?a=1`);
  }
  expect(linkKinds.map((kind) => takeToken(kind))).toEqual(linkKinds.map((kind) => `secret-${kind}`));
});

test('another link pasted over this one is used', async () => {
  open('/sign/reset', { 'POST /api/acc/sign/reset-state': linkEnded });
  await screen.findByRole('heading', { name: '链接已失效' });
  location.hash = '#t=another';
  await waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1));
});

describe('a forgotten password', () => {
  const forgot = 'POST /api/acc/sign/forgot';
  test('the response is the same for everybody and the name is kept', async () => {
    open('/sign/?redirect=%2Fhome', { [forgot]: nothing }, null);
    await page.person.type(screen.getByLabelText('登录名或邮箱'), 'lin@example.com');
    await page.person.click(screen.getByRole('link', { name: '忘记密码？' }));
    expect(location.pathname + location.search).toBe('/sign/forgot?redirect=%2Fhome');
    expect(await screen.findByLabelText('登录名或邮箱')).toHaveValue('lin@example.com');
    await page.person.click(screen.getByRole('button', { name: '发送链接' }));
    expect(await screen.findByRole('heading', { name: '查收邮件' })).toBeVisible();
    expect(page.server.calls(forgot)[0]?.body).toEqual({ login: 'lin@example.com' });
    await page.person.click(screen.getByRole('button', { name: '换一个登录名或邮箱' }));
    expect(screen.getByRole('button', { name: '发送链接' })).toHaveAttribute('aria-disabled', 'false');
    await page.person.click(screen.getByRole('link', { name: '返回登录' }));
    expect(screen.getByLabelText('登录名或邮箱')).toHaveValue('lin@example.com');
  });

  test('without a mail server it says whom to ask and sends nothing', async () => {
    open('/sign/forgot', { 'POST /api/acc/sign/setup-state': { data: { needed: false, tokenValid: false, mail: false } } }, null);
    expect(await screen.findByRole('heading', { name: '需要所有者帮忙' })).toBeVisible();
    expect(screen.getByText('npm start -- --reset-link <登录名>')).toBeVisible();
    expect(screen.queryByRole('button', { name: '发送链接' })).toBeNull();
    expect(screen.getByRole('link', { name: '返回登录' })).toBeVisible();
  });

  test("the browser's back button returns to the form", async () => {
    open('/sign/', {}, null);
    await page.person.type(screen.getByLabelText('登录名或邮箱'), 'lin');
    await page.person.click(screen.getByRole('link', { name: '忘记密码？' }));
    await screen.findByRole('button', { name: '发送链接' });
    history.back();
    expect(await screen.findByRole('heading', { name: '登录' })).toBeVisible();
    expect(screen.getByLabelText('登录名或邮箱')).toHaveValue('lin');
  });
});

describe('setting a new password', () => {
  const state = 'POST /api/acc/sign/reset-state';
  const reset = 'POST /api/acc/sign/reset';
  const good: Answer = { data: { loginName: 'lin.xia', minLength: 8 } };

  test("the account's rules apply, and then one signs in", async () => {
    open('/sign/reset', { [state]: good, [reset]: nothing });
    expect(await screen.findByText('账号：lin.xia')).toBeVisible();
    const password = screen.getByLabelText('新密码');
    expect(password).toHaveAccessibleDescription(/至少 8 个字符/);
    await page.person.type(password, 'seven77');
    expect(screen.getByText('还差 1 个字符')).toBeVisible();
    await page.person.click(screen.getByRole('button', { name: '保存新密码' }));
    expect(password).toHaveAccessibleDescription(expect.stringContaining('至少 8 个字符'));
    expect(page.server.calls(reset)).toHaveLength(0);
    await page.person.type(password, '8');
    await page.person.click(screen.getByRole('button', { name: '保存新密码' }));
    expect(await screen.findByRole('heading', { name: '密码已更新' })).toBeVisible();
    expect(page.server.calls(reset)[0]?.body).toEqual({ token: 'tok', password: 'seven778' });
    await page.person.click(screen.getByRole('button', { name: '去登录' }));
    expect(screen.getByLabelText('登录名或邮箱')).toHaveValue('lin.xia');
    expect(location.pathname).toBe('/sign/');
  });

  test('a refused password stays, with its reason and the focus', async () => {
    open('/sign/reset', { [state]: good, [reset]: { error: 'no', status: 422, code: 'invalid_fields', fields: { password: { code: 'common_password' } } } });
    const password = await screen.findByLabelText('新密码');
    await page.person.type(password, 'password1{Enter}');
    await waitFor(() => expect(password).toHaveAccessibleDescription(expect.stringContaining('这个密码太常见，换一个')));
    expect(password).toHaveValue('password1');
    expect(password).toHaveFocus();
  });

  test.each([
    ['expired before it was opened', { [state]: linkEnded }],
    ['cut off while copying', { [state]: { error: 'no', status: 422, code: 'invalid_fields', fields: { token: { code: 'too_long' } } } satisfies Answer }],
  ])('a link that is %s has a page with a next step', async (_how, answers) => {
    sessionStorage.setItem('sign.token.reset', 'tok');
    open('/sign/reset', answers);
    expect(await screen.findByRole('heading', { name: '链接已失效' })).toBeVisible();
    expect(screen.getByRole('link', { name: '重新申请' })).toHaveAttribute('href', '/sign/forgot');
    expect(sessionStorage).toHaveLength(0);
  });

  test('a link used meanwhile and one without a token show errors', async () => {
    open('/sign/reset', { [state]: good, [reset]: linkEnded });
    await page.person.type(await screen.findByLabelText('新密码'), 'long enough{Enter}');
    expect(await screen.findByRole('heading', { name: '链接已失效' })).toBeVisible();
    page.unmount();
    page.server.restore();
    open('/sign/reset', {}, null);
    expect(screen.getByRole('heading', { name: '链接已失效' })).toBeVisible();
    expect(page.server.requests).toHaveLength(0);
  });

  test('an unreachable server can be tried again', async () => {
    open('/sign/reset', { [state]: { network: true } });
    const again = await screen.findByRole('button', { name: '再试一次' });
    page.server.answer(state, good);
    await page.person.click(again);
    expect(await screen.findByLabelText('新密码')).toBeVisible();
  });

  test('a sign-in in another tab keeps this page', async () => {
    open('/sign/reset', { [state]: good });
    await screen.findByLabelText('新密码');
    const other = new BroadcastChannel('console:session');
    other.postMessage({ from: 'another tab', message: { type: 'signedIn' } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.close();
    expect(page.reload).not.toHaveBeenCalled();
  });
});

describe('an invitation', () => {
  const state = 'POST /api/acc/sign/invite-state';
  const accept = 'POST /api/acc/sign/invite';
  const offer = {
    email: 'lin@example.com',
    role: 'member',
    invitedBy: '陈晓',
    sites: [
      { name: '茶馆', role: 'editor' },
      { name: 'Harbour', role: 'viewer' },
    ],
    message: '一起看数据。',
    expiresAt: '2026-11-27T08:00:00.000Z',
  };
  const good: Answer = { data: offer };
  const fill = async () => {
    await page.person.type(await screen.findByLabelText('显示名称'), '林夏');
    await page.person.type(screen.getByLabelText('登录名'), 'lin.xia');
    await page.person.type(screen.getByLabelText('密码'), 'correct horse battery');
    await page.person.click(screen.getByRole('button', { name: '创建账号并加入' }));
  };

  test('shows inviter and sites, and creates the account with page settings', async () => {
    open('/sign/invite', { [state]: good, [accept]: { data: { redirect: '/home' } } });
    expect(await screen.findByText('陈晓 邀请你加入，角色是成员。')).toBeVisible();
    expect(screen.getByText('茶馆 · 编辑、Harbour · 只读')).toBeVisible();
    expect(screen.getByText('一起看数据。')).toBeVisible();
    expect(screen.getByText('lin@example.com')).toBeVisible();
    expect(screen.getByText(/2026-11-27/)).toBeVisible();
    await fill();
    await waitFor(() => expect(page.gone).toEqual(['/home']));
    expect(page.server.calls(accept)[0]?.body).toEqual({
      token: 'tok',
      locale: 'zh-CN',
      displayName: '林夏',
      loginName: 'lin.xia',
      password: 'correct horse battery',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  test('a name already in use shows an error and keeps the input', async () => {
    open('/sign/invite', { [state]: good, [accept]: { error: 'taken', status: 409, code: 'name_taken' } });
    await fill();
    await waitFor(() => expect(screen.getByLabelText('登录名')).toHaveFocus());
    expect(screen.getByLabelText('登录名')).toHaveAccessibleDescription(expect.stringContaining('这个名字已被使用，换一个'));
    expect(screen.getByLabelText('密码')).toHaveValue('correct horse battery');
  });

  test('one revoked while the form is open is reported', async () => {
    open('/sign/invite', { [state]: good, [accept]: linkEnded });
    await fill();
    expect(await screen.findByRole('heading', { name: '链接已失效' })).toBeVisible();
    expect(screen.getByRole('link', { name: '去登录' })).toHaveAttribute('href', '/sign/');
  });

  test('people who may open every site see that stated', async () => {
    open('/sign/invite', { [state]: { data: { ...offer, role: 'manager', sites: [], email: null, message: '' } } });
    expect(await screen.findByText('全部站点')).toBeVisible();
    expect(await violationsOf(page.container)).toEqual([]);
  });
});

describe('a confirmation link', () => {
  const email = 'POST /api/acc/sign/email';
  const contactState = 'POST /api/acc/sign/contact-state';
  const contact = 'POST /api/acc/sign/contact';

  test('does nothing until a person presses the button', async () => {
    open('/sign/email', { [email]: { data: { email: 'lin@example.com' } } });
    const button = screen.getByRole('button', { name: '确认邮箱' });
    expect(page.server.requests).toHaveLength(0);
    await page.person.click(button);
    expect(await screen.findByText('lin@example.com 可以用来登录和重设密码了。')).toBeVisible();
    expect(page.server.calls(email)[0]?.body).toEqual({ token: 'tok' });
  });

  test.each([
    ['email_taken', 409, '这个邮箱已被使用'],
    ['link_ended', 410, '链接已失效'],
  ])('an address that cannot be confirmed (%s) shows the reason', async (code, status, title) => {
    open('/sign/email', { [email]: { error: 'no', status, code } });
    await page.person.click(screen.getByRole('button', { name: '确认邮箱' }));
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  });

  test('a contact confirms the address', async () => {
    const data = { kind: 'verify', email: 'wang@example.com', topic: null };
    open('/sign/contact', { [contactState]: { data }, [contact]: { data } });
    await page.person.click(await screen.findByRole('button', { name: '确认邮箱' }));
    expect(await screen.findByText('之后的通知会发到 wang@example.com。')).toBeVisible();
  });

  test('a contact unsubscribes from one topic, shown by name', async () => {
    const data = { kind: 'unsubscribe', email: 'wang@example.com', topic: 'filing' };
    open('/sign/contact', { [contactState]: { data }, [contact]: { network: true } });
    expect(await screen.findByRole('heading', { name: '退订“备案”通知？' })).toBeVisible();
    await page.person.click(screen.getByRole('button', { name: '退订' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('连不上服务器');
    page.server.answer(contact, { data });
    await page.person.click(screen.getByRole('button', { name: '退订' }));
    expect(await screen.findByText(/不再收到“备案”通知/)).toBeVisible();
    expect(await violationsOf(page.container)).toEqual([]);
  });

  test('a used contact link is reported', async () => {
    open('/sign/contact', { [contactState]: linkEnded });
    expect(await screen.findByRole('heading', { name: '链接已失效' })).toBeVisible();
    expect(screen.getByText('请发出通知的人重新发送。')).toBeVisible();
  });
});

describe('the language of the first visit', () => {
  const read = (languages: readonly string[]) => {
    Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
    open('/sign/', {}, null);
    return document.documentElement.lang;
  };
  afterEach(() => Object.defineProperty(navigator, 'languages', { value: ['zh-CN', 'zh'], configurable: true }));

  test.each([
    [['en-GB', 'fr'], 'en'],
    [['fr-FR', 'en'], 'en'],
    [['zh-TW', 'en'], 'zh-CN'],
    [['de', 'zh-Hans', 'en'], 'zh-CN'],
    [['fr'], 'zh-CN'],
    [[], 'zh-CN'],
  ])('%j reads %s', (languages, locale) => {
    expect(read(languages)).toBe(locale);
    expect(localStorage.getItem('console:locale')).toBeNull();
  });

  test('a language chosen by hand overrides it', async () => {
    expect(read(['en'])).toBe('en');
    await page.person.click(screen.getByRole('button', { name: '中文' }));
    page.unmount();
    page.server.restore();
    expect(read(['en'])).toBe('zh-CN');
  });
});
