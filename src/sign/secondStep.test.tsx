import { act, screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../test/support/axe';
import type { Answer } from '../../test/support/fakeServer';
import { givePasskeys } from '../../test/support/passkeys';
import { openSignPage, stopClock } from '../../test/support/signPage';

const challengeId = '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11';
const second = 'POST /api/acc/sign/second';
const options = 'POST /api/acc/sign/passkey/options';
const verify = 'POST /api/acc/sign/passkey/verify';
const badCode: Answer = { error: 'no', status: 401, code: 'bad_code' };
const ended: Answer = { error: 'over', status: 401, code: 'ticket_ended' };

let page: ReturnType<typeof openSignPage>;
let takeBack: () => void = () => undefined;
afterEach(async () => {
  // Lets pending responses arrive.
  await act(async () => undefined);
  page.unmount();
  page.server.restore();
  takeBack();
  takeBack = () => undefined;
  localStorage.clear();
  jest.restoreAllMocks();
});

function open(methods: readonly string[], answers: Record<string, Answer> = {}) {
  page = openSignPage('/sign/?redirect=%2Fsite%2Fabc', {
    'POST /api/acc/sign/in': { data: { next: 'second', ticket: 'tick', methods } },
    [second]: { data: { redirect: '/site/abc' } },
    [options]: { data: { challengeId, options: { challenge: 'AAAA' } } },
    [verify]: { data: { redirect: '/site/abc' } },
    ...answers,
  });
}
async function passPassword() {
  const { person } = page;
  await person.type(screen.getByLabelText('Login name or e-mail'), 'lin');
  await person.type(screen.getByLabelText('Password'), 'a right password');
  await person.click(screen.getByRole('checkbox', { name: 'Keep me signed in on this device' }));
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  return screen.findByRole('heading', { name: 'Two-step verification' });
}
const codeBox = () => screen.getByLabelText('Code');

describe('the code of an authenticator', () => {
  test('is submitted at six digits, also with spaces or full width', async () => {
    open(['totp', 'recovery']);
    await passPassword();
    expect(codeBox()).toHaveFocus();
    expect(codeBox()).toHaveAttribute('autocomplete', 'one-time-code');
    expect(codeBox()).toHaveAttribute('inputmode', 'numeric');
    expect(screen.getByText('Signing in as lin')).toBeVisible();
    await page.person.type(codeBox(), '12345');
    expect(page.server.calls(second)).toHaveLength(0);
    await page.person.clear(codeBox());
    await page.person.paste(' １２３ 456 ');
    await waitFor(() => expect(page.gone).toEqual(['/site/abc']));
    expect(page.server.calls(second).map((call) => call.body)).toEqual([{ ticket: 'tick', kind: 'totp', code: '123456' }]);
  });

  test('when wrong, stays with an error, and new digits replace it', async () => {
    open(['totp'], { [second]: badCode });
    await passPassword();
    await page.person.type(codeBox(), '111111');
    await waitFor(() => expect(codeBox()).toHaveAccessibleDescription(/The code is not right/));
    expect(codeBox()).toHaveValue('111111');
    expect(codeBox()).toHaveFocus();
    page.server.answer(second, { data: { redirect: '/home' } });
    await page.person.keyboard('222222');
    await waitFor(() => expect(page.gone).toEqual(['/home']));
    expect(page.server.calls(second)).toHaveLength(2);
  });

  test('an incomplete code is not sent', async () => {
    open(['totp']);
    await passPassword();
    await page.person.type(codeBox(), '123{Enter}');
    expect(codeBox()).toHaveAccessibleDescription('Enter the code');
    expect(page.server.calls(second)).toHaveLength(0);
  });

  test('an expired ticket returns to the start and keeps the input', async () => {
    open(['totp'], { [second]: ended });
    await passPassword();
    await page.person.type(codeBox(), '123456');
    expect(await screen.findByRole('alert')).toHaveTextContent('The second step took too long');
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin');
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(screen.getByRole('checkbox', { name: 'Keep me signed in on this device' })).toBeChecked();
  });

  test('rate limits and lost connections have messages and keep the code', async () => {
    stopClock();
    open(['totp'], { [second]: { raw: JSON.stringify({ error: 'slow', code: 'too_many_requests' }), status: 429, headers: { 'retry-after': '42' } } });
    await passPassword();
    await page.person.type(codeBox(), '123456');
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in 42 s');
    expect(codeBox()).toHaveValue('123456');
  });
});

test('a recovery code can be used instead, and back again', async () => {
  open(['totp', 'recovery'], { [second]: badCode });
  await passPassword();
  await page.person.click(screen.getByRole('button', { name: 'Recovery code' }));
  const box = screen.getByLabelText('Recovery code');
  expect(box).toHaveFocus();
  await page.person.type(box, ' abcd-efgh {Enter}');
  await waitFor(() => expect(box).toHaveAccessibleDescription('This code is not right, or was used before'));
  expect(page.server.calls(second)[0]?.body).toEqual({ ticket: 'tick', kind: 'recovery', code: 'abcd-efgh' });
  await page.person.click(screen.getByRole('button', { name: 'Authenticator code' }));
  expect(codeBox()).toHaveFocus();
  await page.person.click(screen.getByRole('button', { name: 'Back to sign-in' }));
  expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin');
  expect(screen.queryByRole('alert')).toBeNull();
});

describe('a passkey', () => {
  test('as the second step sends the ticket and the remember choice', async () => {
    takeBack = givePasskeys();
    open(['passkey', 'recovery']);
    await passPassword();
    await page.person.click(screen.getByRole('button', { name: 'Use a passkey' }));
    await waitFor(() => expect(page.gone).toEqual(['/site/abc']));
    expect(page.server.calls(options).at(-1)?.body).toEqual({ ticket: 'tick' });
    expect(page.server.calls(verify)[0]?.body).toMatchObject({
      challengeId,
      ticket: 'tick',
      remember: true,
      redirect: '/site/abc',
      response: { id: 'credential' },
    });
  });

  test('a refused one shows an error, and an expired ticket returns', async () => {
    takeBack = givePasskeys();
    open(['passkey'], { [verify]: badCode });
    await passPassword();
    await page.person.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This passkey was not accepted');
    page.server.answer(options, ended);
    await page.person.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('The second step took too long');
  });

  test('is not offered without browser support, and alternatives are named', async () => {
    open(['passkey']);
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
    await passPassword();
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
    expect(screen.getByText(/This browser cannot use passkeys/)).toBeVisible();
  });

  test('signs in alone, with the remember choice', async () => {
    takeBack = givePasskeys();
    open([]);
    await page.person.click(screen.getByRole('checkbox', { name: 'Keep me signed in on this device' }));
    await page.person.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(page.gone).toEqual(['/site/abc']));
    expect(page.server.calls(options)[0]?.body).toEqual({});
    expect(page.server.calls(verify)[0]?.body).toMatchObject({ challengeId, remember: true, redirect: '/site/abc' });
  });

  test('cancelled or refused alone shows an error and keeps the form', async () => {
    takeBack = givePasskeys({ get: () => Promise.reject(new DOMException('no', 'NotAllowedError')) });
    open([], { [verify]: badCode });
    await page.person.type(screen.getByLabelText('Login name or e-mail'), 'lin');
    await page.person.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('No passkey was used');
    takeBack();
    takeBack = givePasskeys();
    await page.person.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This passkey does not sign in here'));
    expect(screen.getByLabelText('Login name or e-mail')).toHaveValue('lin');
  });

  test('offered in the login field signs in when chosen', async () => {
    let choose: (key: unknown) => void = () => undefined;
    const mediations: unknown[] = [];
    const bytes = new Uint8Array([1]).buffer;
    takeBack = givePasskeys({
      conditional: true,
      get: (credentialOptions) => {
        mediations.push(credentialOptions?.mediation);
        return new Promise((resolve, reject) => {
          choose = resolve as typeof choose;
          credentialOptions?.signal?.addEventListener('abort', () => reject(credentialOptions.signal?.reason as Error));
        });
      },
    });
    open([]);
    await waitFor(() => expect(mediations).toEqual(['conditional']));
    expect(screen.queryByRole('alert')).toBeNull();
    await act(async () =>
      choose({
        id: 'x',
        rawId: bytes,
        type: 'public-key',
        response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
        getClientExtensionResults: () => ({}),
      }),
    );
    await waitFor(() => expect(page.gone).toEqual(['/site/abc']));
  });
});

test('axe finds nothing', async () => {
  takeBack = givePasskeys();
  open(['totp', 'passkey', 'recovery'], { [second]: badCode });
  expect(await violationsOf(page.container)).toEqual([]);
  await passPassword();
  await page.person.type(codeBox(), '123456');
  await waitFor(() => expect(codeBox()).toHaveAccessibleDescription(/The code is not right/));
  expect(await violationsOf(page.container)).toEqual([]);
  await page.person.click(within(page.container).getByRole('button', { name: 'Passkey' }));
  expect(await violationsOf(page.container)).toEqual([]);
});
