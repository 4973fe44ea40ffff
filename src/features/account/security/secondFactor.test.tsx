import { act, screen, waitFor } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { session } from '../../../../test/support/factories';
import { app, codes, draw, inDialog, keepCodes, offer, open, path, phone, protectedBy, state } from '../../../../test/support/securityScreen';

test('a tab that failed loads again, and axe finds nothing', async () => {
  await draw(path, { answers: { [state]: { error: '出错了', status: 500 } } });
  expect(await screen.findByText('出错了')).toBeVisible();
  app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com', passkeys: [phone], totpSince: phone.createdAt, recoveryLeft: 3 }));
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('lin@example.com waits for confirmation');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

describe('a required second factor', () => {
  const current = 'GET /api/acc/token/session';
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('before the deadline a banner shows the days left', async () => {
    const due = session({ enrolment: 'due', serverTime: '2026-11-20T08:00:00.000Z', enrolBy: '2026-11-24T07:00:00.000Z' });
    await open({ [current]: { data: due } });
    expect(await screen.findByText(/4 days are left/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/account/center/account_center?tab=security');
  });

  test('after the deadline only setup is shown, then the requested page', async () => {
    await draw('/account/unknown', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: '2026-11-01T08:00:00.000Z' }) },
        'GET /api/core/load/rpm': { error: 'no', status: 403, code: 'enrolment_required' },
        [state]: protectedBy({}),
        [begin]: offer,
        [confirm]: { data: { recoveryCodes: codes } },
      },
    });
    expect(await screen.findByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    expect(app.server.calls('GET /api/core/load/rpm')).toHaveLength(0);
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await app.person.click(await screen.findByRole('button', { name: 'Turn on the authenticator app' }));
    await app.person.type(await (await inDialog('Turn on the authenticator app')).findByLabelText('Code'), '123456');
    app.server.answer(current, { data: session() });
    app.server.answer('GET /api/core/load/rpm', { data: { sites: [], intls: [] } });
    await keepCodes();
    expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
  });

  test('a short password may be made longer instead', async () => {
    await draw('/home', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: null }) },
        [state]: protectedBy({}),
        'POST /api/acc/sign/password': { data: null },
      },
    });
    await app.person.type(await screen.findByLabelText('Current password'), 'short one');
    await app.person.type(screen.getByLabelText('New password'), 'a much longer password');
    app.server.answer(current, { data: session() });
    await app.person.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByRole('navigation', { name: 'Navigation' })).toBeVisible();
  });

  test('signing out is possible, and axe finds nothing', async () => {
    await draw('/home', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: null }) },
        [state]: protectedBy({}),
        'POST /api/acc/token/sign-out': { data: null },
      },
    });
    await screen.findByRole('button', { name: 'Turn on the authenticator app' });
    expect(await violationsOf(app.container)).toEqual([]);
    await app.person.click(screen.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(app.left).toHaveLength(1));
  });

  test('a session whose deadline passes is sent to the setup page', async () => {
    await open();
    app.server.answer(current, { data: session({ enrolment: 'required', enrolBy: '2026-11-01T08:00:00.000Z' }) });
    app.server.answer(begin, { error: 'no', status: 403, code: 'enrolment_required' });
    await app.person.click(screen.getByRole('button', { name: 'Turn on the authenticator app' }));
    expect(await screen.findByText(/Accounts here need two-step verification/)).toBeVisible();
  });
});

test('a live event reloads changes made elsewhere', async () => {
  await open();
  app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10 }));
  const { securityApi } = await import('../securityApi');
  await act(async () => void app.store.dispatch(securityApi.util.invalidateTags(['Security'])));
  expect(await screen.findByRole('button', { name: 'Turn off the authenticator app' })).toBeVisible();
});
