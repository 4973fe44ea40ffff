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
  // Lets pending responses arrive.
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
  await screen.findByRole('heading', { name: 'This link no longer works' });
  location.hash = '#t=another';
  await waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1));
});

describe('a forgotten password', () => {
  const forgot = 'POST /api/acc/sign/forgot';
  test('the response is the same for everybody and the name is kept', async () => {
    open('/sign/?redirect=%2Fhome', { [forgot]: nothing }, null);
    await page.person.type(screen.getByLabelText('Login name or e-mail'), 'lin@example.com');
    await page.person.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    expect(location.pathname + location.search).toBe('/sign/forgot?redirect=%2Fhome');
    expect(await screen.findByLabelText('Login name or e-mail')).toHaveValue('lin@example.com');
    await page.person.click(screen.getByRole('button', { name: 'Send the link' }));
    expect(await screen.findByRole('heading', { name: 'Check your mail' })).toBeVisible();
    expect(page.server.calls(forgot)[0]?.body).toEqual({ login: 'lin@example.com' });
    await page.person.click(screen.getByRole('button', { name: 'Try another name or e-mail' }));
    expect(screen.getByRole('button', { name: 'Send the link' })).toHaveAttribute('aria-disabled', 'false');
    await page.person.click(screen.getByRole('link', { name: 'Back to sign-in' }));
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin@example.com');
  });

  test('without a mail server it says whom to ask and sends nothing', async () => {
    open('/sign/forgot', { 'POST /api/acc/sign/setup-state': { data: { needed: false, tokenValid: false, mail: false } } }, null);
    expect(await screen.findByRole('heading', { name: 'Ask an owner for help' })).toBeVisible();
    expect(screen.getByText('npm start -- --reset-link <login name>')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send the link' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Back to sign-in' })).toBeVisible();
  });

  test("the browser's back button returns to the form", async () => {
    open('/sign/', {}, null);
    await page.person.type(screen.getByLabelText('Login name or e-mail'), 'lin');
    await page.person.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await screen.findByRole('button', { name: 'Send the link' });
    history.back();
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin');
  });
});

describe('setting a new password', () => {
  const state = 'POST /api/acc/sign/reset-state';
  const reset = 'POST /api/acc/sign/reset';
  const good: Answer = { data: { loginName: 'lin.xia', minLength: 8 } };

  test("the account's rules apply, and then one signs in", async () => {
    open('/sign/reset', { [state]: good, [reset]: nothing });
    expect(await screen.findByText('Account: lin.xia')).toBeVisible();
    const password = screen.getByLabelText('New password');
    expect(password).toHaveAccessibleDescription(/At least 8 characters/);
    await page.person.type(password, 'seven77');
    expect(screen.getByText('1 more to go')).toBeVisible();
    await page.person.click(screen.getByRole('button', { name: 'Save the new password' }));
    expect(password).toHaveAccessibleDescription(expect.stringContaining('At least 8 characters'));
    expect(page.server.calls(reset)).toHaveLength(0);
    await page.person.type(password, '8');
    await page.person.click(screen.getByRole('button', { name: 'Save the new password' }));
    expect(await screen.findByRole('heading', { name: 'Password changed' })).toBeVisible();
    expect(page.server.calls(reset)[0]?.body).toEqual({ token: 'tok', password: 'seven778' });
    await page.person.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin.xia');
    expect(location.pathname).toBe('/sign/');
  });

  test('a refused password stays, with its reason and the focus', async () => {
    open('/sign/reset', { [state]: good, [reset]: { error: 'no', status: 422, code: 'invalid_fields', fields: { password: { code: 'common_password' } } } });
    const password = await screen.findByLabelText('New password');
    await page.person.type(password, 'password1{Enter}');
    await waitFor(() => expect(password).toHaveAccessibleDescription(expect.stringContaining('This password is too common, choose another')));
    expect(password).toHaveValue('password1');
    expect(password).toHaveFocus();
  });

  test.each([
    ['expired before it was opened', { [state]: linkEnded }],
    ['cut off while copying', { [state]: { error: 'no', status: 422, code: 'invalid_fields', fields: { token: { code: 'too_long' } } } satisfies Answer }],
  ])('a link that is %s has a page with a next step', async (_how, answers) => {
    sessionStorage.setItem('sign.token.reset', 'tok');
    open('/sign/reset', answers);
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/sign/forgot');
    expect(sessionStorage).toHaveLength(0);
  });

  test('a link used meanwhile and one without a token show errors', async () => {
    open('/sign/reset', { [state]: good, [reset]: linkEnded });
    await page.person.type(await screen.findByLabelText('New password'), 'long enough{Enter}');
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    page.unmount();
    page.server.restore();
    open('/sign/reset', {}, null);
    expect(screen.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(page.server.requests).toHaveLength(0);
  });

  test('an unreachable server can be tried again', async () => {
    open('/sign/reset', { [state]: { network: true } });
    const again = await screen.findByRole('button', { name: 'Try again' });
    page.server.answer(state, good);
    await page.person.click(again);
    expect(await screen.findByLabelText('New password')).toBeVisible();
  });

  test('a sign-in in another tab keeps this page', async () => {
    open('/sign/reset', { [state]: good });
    await screen.findByLabelText('New password');
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
    await page.person.type(await screen.findByLabelText('Display name'), '林夏');
    await page.person.type(screen.getByLabelText('Login name'), 'lin.xia');
    await page.person.type(screen.getByLabelText('Password'), 'correct horse battery');
    await page.person.click(screen.getByRole('button', { name: 'Create account and join' }));
  };

  test('shows inviter and sites, and creates the account with page settings', async () => {
    open('/sign/invite', { [state]: good, [accept]: { data: { redirect: '/home' } } });
    expect(await screen.findByText('陈晓 invites you as a member.')).toBeVisible();
    expect(screen.getByText('茶馆 · Editor, Harbour · Viewer')).toBeVisible();
    expect(screen.getByText('一起看数据。')).toBeVisible();
    expect(screen.getByText('lin@example.com')).toBeVisible();
    expect(screen.getByText(/^2026-11-27 \d\d:\d\d$/)).toBeVisible();
    await fill();
    await waitFor(() => expect(page.gone).toEqual(['/home']));
    expect(page.server.calls(accept)[0]?.body).toEqual({
      token: 'tok',
      locale: 'en',
      displayName: '林夏',
      loginName: 'lin.xia',
      password: 'correct horse battery',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  test('a name already in use shows an error and keeps the input', async () => {
    open('/sign/invite', { [state]: good, [accept]: { error: 'taken', status: 409, code: 'name_taken' } });
    await fill();
    await waitFor(() => expect(screen.getByLabelText('Login name')).toHaveFocus());
    expect(screen.getByLabelText('Login name')).toHaveAccessibleDescription(expect.stringContaining('This name is in use, choose another'));
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse battery');
  });

  test('one revoked while the form is open is reported', async () => {
    open('/sign/invite', { [state]: good, [accept]: linkEnded });
    await fill();
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign/');
  });

  test('people who may open every site see that stated', async () => {
    open('/sign/invite', { [state]: { data: { ...offer, role: 'manager', sites: [], email: null, message: '' } } });
    expect(await screen.findByText('All sites')).toBeVisible();
    expect(await violationsOf(page.container)).toEqual([]);
  });
});

describe('a confirmation link', () => {
  const email = 'POST /api/acc/sign/email';
  const contactState = 'POST /api/acc/sign/contact-state';
  const contact = 'POST /api/acc/sign/contact';

  test('does nothing until a person presses the button', async () => {
    open('/sign/email', { [email]: { data: { email: 'lin@example.com' } } });
    const button = screen.getByRole('button', { name: 'Confirm' });
    expect(page.server.requests).toHaveLength(0);
    await page.person.click(button);
    expect(await screen.findByText('lin@example.com now signs you in and can reset your password.')).toBeVisible();
    expect(page.server.calls(email)[0]?.body).toEqual({ token: 'tok' });
  });

  test.each([
    ['email_taken', 409, 'This e-mail is in use'],
    ['link_ended', 410, 'This link no longer works'],
  ])('an address that cannot be confirmed (%s) shows the reason', async (code, status, title) => {
    open('/sign/email', { [email]: { error: 'no', status, code } });
    await page.person.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  });

  test('a contact confirms the address', async () => {
    const data = { kind: 'verify', email: 'wang@example.com', topic: null };
    open('/sign/contact', { [contactState]: { data }, [contact]: { data } });
    await page.person.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Notifications will go to wang@example.com.')).toBeVisible();
  });

  test('a contact unsubscribes from one topic, shown by name', async () => {
    const data = { kind: 'unsubscribe', email: 'wang@example.com', topic: 'filing' };
    open('/sign/contact', { [contactState]: { data }, [contact]: { network: true } });
    expect(await screen.findByRole('heading', { name: 'Unsubscribe from “Filings”?' })).toBeVisible();
    await page.person.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached');
    page.server.answer(contact, { data });
    await page.person.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText(/gets no more “Filings” notifications/)).toBeVisible();
    expect(await violationsOf(page.container)).toEqual([]);
  });

  test('a used contact link is reported', async () => {
    open('/sign/contact', { [contactState]: linkEnded });
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(screen.getByText('Ask the sender to send it again.')).toBeVisible();
  });
});

describe('the language of the first visit', () => {
  const read = (languages: readonly string[]) => {
    Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
    open('/sign/', {}, null);
    return document.documentElement.lang;
  };
  afterEach(() => Object.defineProperty(navigator, 'languages', { value: ['en-US', 'en'], configurable: true }));

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
