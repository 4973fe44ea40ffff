import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { violationsOf } from '../../test/support/axe';
import { goToSignIn, onGoToSignIn } from '@/lib/signInAddress';
import { fakeServer } from '../../test/support/fakeServer';
import type { Answer } from '../../test/support/fakeServer';
import { stopClock } from '../../test/support/signPage';
import en from './messages.en';
import { SignPage } from './SignPage';
import { takeToken } from './token';

let server: ReturnType<typeof fakeServer>;
const gone: string[] = [];
const reload = jest.fn();

function open(path: string, answers: Record<string, Answer> = {}, token: string | null = null) {
  server = fakeServer({ 'POST /api/acc/sign/setup-state': { data: { needed: false, tokenValid: false, mail: true } }, ...answers });
  const view = render(<SignPage place={{ path, token, leave: (address) => gone.push(address), reload }} />);
  return { ...view, person: userEvent.setup() };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  gone.length = 0;
  reload.mockClear();
  history.replaceState(null, '', '/sign/');
});
afterEach(() => {
  server.restore();
  jest.restoreAllMocks();
});

const fillIn = async (person: ReturnType<typeof userEvent.setup>) => {
  await person.type(screen.getByLabelText('Login name or e-mail'), 'lin');
  await person.type(screen.getByLabelText('Password'), 'not the one');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
};

describe('signing in', () => {
  test("follows the server's redirect and sends it the requested address", async () => {
    history.replaceState(null, '', '/sign/?redirect=%2Fsite%2Fabc%3Fx%3D1');
    const { person } = open('/sign/', { 'POST /api/acc/sign/in': { data: { redirect: '/site/abc?x=1' } } });
    await person.click(screen.getByRole('checkbox', { name: 'Keep me signed in on this device' }));
    await fillIn(person);
    await waitFor(() => expect(gone).toEqual(['/site/abc?x=1']));
    expect(server.calls('POST /api/acc/sign/in')[0]?.body).toEqual({ login: 'lin', password: 'not the one', remember: true, redirect: '/site/abc?x=1' });
  });

  test('says once that a previous session has ended', async () => {
    const stay = onGoToSignIn(() => undefined);
    goToSignIn(true);
    stay();
    const first = open('/sign/');
    expect(await screen.findByText(/Your session has ended\./)).toBeVisible();
    expect(screen.getByText('Forgot your password?')).toBeVisible();
    first.unmount();
    server.restore();
    open('/sign/');
    expect(screen.queryByText(/Your session has ended\./)).toBeNull();
  });

  test('reloads when another tab signs in, not when it signs out', async () => {
    open('/sign/?redirect=%2Fsite%2Fabc');
    const other = new BroadcastChannel('console:session');
    other.postMessage({ from: 'another tab', message: { type: 'signedOut' } });
    other.postMessage({ from: 'another tab', message: { type: 'signedIn' } });
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    other.close();
    expect(gone).toEqual([]);
  });

  test('a wrong password keeps the input and focuses the password', async () => {
    const { person } = open('/sign/', { 'POST /api/acc/sign/in': { error: 'no', status: 401, code: 'bad_credentials' } });
    await fillIn(person);
    expect(await screen.findByRole('alert')).toHaveTextContent('The login name or password is not right');
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin');
    expect(screen.getByLabelText('Password')).toHaveValue('not the one');
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(gone).toEqual([]);
  });

  test('an empty form focuses its first empty field with a message', async () => {
    const { person } = open('/sign/');
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByLabelText('Login name or e-mail')).toHaveFocus();
    expect(screen.getByLabelText('Login name or e-mail')).toHaveAccessibleDescription('Enter your login name or e-mail');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Enter a password');
    expect(server.calls('POST /api/acc/sign/in')).toHaveLength(0);
  });

  test('too many attempts show the wait and disable the button', async () => {
    stopClock();
    const { person } = open('/sign/', {
      'POST /api/acc/sign/in': {
        raw: JSON.stringify({ error: 'slow down', code: 'too_many_requests', requestId: 'r' }),
        status: 429,
        headers: { 'retry-after': '42' },
      },
    });
    await fillIn(person);
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Try again in 42 s');
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeDisabled();
    expect(screen.getByLabelText('Password')).toHaveValue('not the one');
  });

  test('network failures and server failures have different messages', async () => {
    const { person } = open('/sign/', { 'POST /api/acc/sign/in': { network: true } });
    await fillIn(person);
    expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached');
    server.answer('POST /api/acc/sign/in', { error: 'broken', status: 500, code: 'internal', requestId: 'req-77' });
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Request req-77'));
  });

  test('an HTML page from a proxy is a server failure', async () => {
    const { person } = open('/sign/', {
      'POST /api/acc/sign/in': { raw: '<html><title>502</title></html>', status: 200, headers: { 'content-type': 'text/html' } },
    });
    await fillIn(person);
    expect(await screen.findByRole('alert')).toHaveTextContent('The server failed');
    expect(gone).toEqual([]);
  });

  test('the password can be shown, and Caps Lock is indicated', async () => {
    const { person } = open('/sign/');
    const password = screen.getByLabelText('Password');
    await person.type(password, 'x');
    await person.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password).toHaveAttribute('type', 'text');
    await person.click(password);
    await person.keyboard('{CapsLock}A');
    expect(password).toHaveAccessibleDescription('⇪ Caps Lock is on');
  });

  test('the language switch is remembered, and password managers recognise the fields', async () => {
    const { person } = open('/sign/');
    await person.click(screen.getByRole('button', { name: 'English' }));
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(document.documentElement.lang).toBe('en');
    expect(document.title).toBe('Sign in · Sitewright');
    expect(localStorage.getItem('console:locale')).toBe('en');
    expect(screen.getByLabelText('Login name or e-mail')).toHaveAttribute('autocomplete', 'username webauthn');
    expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
  });

  test('the appearance cycles through system, light and dark', async () => {
    const { person } = open('/sign/');
    await person.click(screen.getByRole('button', { name: 'Appearance: System' }));
    await person.click(screen.getByRole('button', { name: 'Appearance: Light' }));
    expect(document.documentElement).toHaveAttribute('data-scheme', 'dark');
    expect(localStorage.getItem('console:scheme')).toBe('dark');
  });

  test('without accounts it says where the set-up link was printed', async () => {
    open('/sign/', { 'POST /api/acc/sign/setup-state': { data: { needed: true, tokenValid: false, mail: false } } });
    expect(await screen.findByRole('heading', { name: 'No account yet' })).toBeVisible();
    expect(screen.getByText('http://localhost:3000/sign/setup#t=…')).toBeVisible();
    expect(screen.queryByLabelText('Password')).toBeNull();
  });
});

describe('setting up', () => {
  const needed: Record<string, Answer> = { 'POST /api/acc/sign/setup-state': { data: { needed: true, tokenValid: true, mail: false } } };

  test('the token is removed from the address and survives a reload', () => {
    history.replaceState(null, '', '/sign/setup#t=secret-token');
    expect(takeToken('setup')).toBe('secret-token');
    expect(location.hash).toBe('');
    expect(takeToken('setup')).toBe('secret-token');
    server = fakeServer({});
  });

  test("creates the owner with the page's language and device's time zone", async () => {
    const { person } = open('/sign/setup', { ...needed, 'POST /api/acc/sign/setup': { data: { redirect: '/home' } } }, 'tok');
    await person.type(await screen.findByLabelText('Display name'), '林夏');
    await person.type(screen.getByLabelText('Login name'), 'lin.xia');
    await person.type(screen.getByLabelText('Password'), 'correct horse');
    expect(screen.getByText('2 more to go')).toBeVisible();
    await person.type(screen.getByLabelText('Password'), ' battery');
    expect(screen.getByText('✓ Long enough')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Create account and continue' }));
    await waitFor(() => expect(gone).toEqual(['/home']));
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(server.calls('POST /api/acc/sign/setup')[0]?.body).toEqual({
      token: 'tok',
      locale: 'en',
      displayName: '林夏',
      loginName: 'lin.xia',
      password: 'correct horse battery',
      timeZone: zone,
    });
  });

  test('server errors appear at their fields and take the focus', async () => {
    const { person } = open(
      '/sign/setup',
      { ...needed, 'POST /api/acc/sign/setup': { error: 'no', status: 422, code: 'invalid_fields', fields: { loginName: { code: 'reserved' } } } },
      'tok',
    );
    await person.type(await screen.findByLabelText('Display name'), 'Lin');
    await person.type(screen.getByLabelText('Login name'), 'admin');
    await person.type(screen.getByLabelText('Password'), 'correct horse battery');
    await person.click(screen.getByRole('button', { name: 'Create account and continue' }));
    await waitFor(() => expect(screen.getByLabelText('Login name')).toHaveFocus());
    expect(screen.getByLabelText('Login name')).toHaveAccessibleDescription(expect.stringContaining('This name is reserved for the system, choose another'));
    expect(screen.getByLabelText('Password')).toHaveValue('correct horse battery');
  });

  test('an error appears beside the rule it refers to', async () => {
    const fields = { loginName: { code: 'pattern' }, password: { code: 'common_password' } };
    const { person } = open('/sign/setup', { ...needed, 'POST /api/acc/sign/setup': { error: 'no', status: 422, code: 'invalid_fields', fields } }, 'tok');
    await person.type(await screen.findByLabelText(en.setUp.displayName), 'Lin');
    await person.type(screen.getByLabelText(en.setUp.loginName), '-lin');
    await person.type(screen.getByLabelText(en.setUp.password), 'correct horse battery{Enter}');
    const described = (text: string) => expect.stringContaining(text) as unknown as string;
    await waitFor(() => expect(screen.getByLabelText(en.setUp.loginName)).toHaveAccessibleDescription(described(en.fields.loginNamePattern)));
    expect(screen.getByLabelText(en.setUp.loginName)).toHaveAccessibleDescription(described(en.setUp.loginNameHelp));
    expect(screen.getByLabelText(en.setUp.password)).toHaveAccessibleDescription(described(en.fields.commonPassword));
    expect(screen.getByLabelText(en.setUp.password)).toHaveAccessibleDescription(described(en.setUp.passwordHelp.replace('{min}', '15')));
  });

  test('a wrong token and a used link have their own pages', async () => {
    const first = open('/sign/setup', { 'POST /api/acc/sign/setup-state': { data: { needed: true, tokenValid: false, mail: false } } }, 'wrong');
    expect(await screen.findByRole('heading', { name: 'This link is not valid' })).toBeVisible();
    first.unmount();
    server.restore();
    open('/sign/setup', {}, 'used');
    expect(await screen.findByRole('heading', { name: 'Already set up' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to sign in' })).toHaveAttribute('href', '/sign/');
  });

  test('an unreachable server can be tried again', async () => {
    const { person } = open('/sign/setup', { 'POST /api/acc/sign/setup-state': { network: true } }, 'tok');
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.answer('POST /api/acc/sign/setup-state', { data: { needed: true, tokenValid: true, mail: false } });
    await person.click(again);
    expect(await screen.findByRole('heading', { name: 'Create the first account' })).toBeVisible();
  });
});

test('axe finds nothing', async () => {
  const signIn = open('/sign/', { 'POST /api/acc/sign/in': { error: 'no', status: 401, code: 'bad_credentials' } });
  await fillIn(signIn.person);
  await screen.findByRole('alert');
  expect(await violationsOf(signIn.container)).toEqual([]);
  signIn.unmount();
  server.restore();
  const setUp = open('/sign/setup', { 'POST /api/acc/sign/setup-state': { data: { needed: true, tokenValid: true, mail: false } } }, 'tok');
  await within(setUp.container).findByLabelText('Display name');
  expect(await violationsOf(setUp.container)).toEqual([]);
});
