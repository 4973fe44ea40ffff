import { screen, waitFor } from '@testing-library/react';
import { app, codes, inDialog, keepCodes, nowhereKept, offer, open, protectedBy, rewrite, state } from '../../../../test/support/securityScreen';

describe('authenticator', () => {
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('setup turns it on and stores no secret in the browser', async () => {
    await open({ [begin]: offer, [confirm]: { error: 'no', status: 422, code: 'invalid_fields', fields: { code: { code: 'wrong_code' } } } });
    await app.person.click(screen.getByRole('button', { name: 'Turn on the authenticator app' }));
    expect(app.router.state.location.search).toBe('?tab=security&add=totp');
    const dialog = await inDialog('Turn on the authenticator app');
    expect(await dialog.findByRole('img', { name: 'QR code for the authenticator app' })).toHaveAttribute('src', expect.stringContaining('data:image/svg'));
    expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    const box = dialog.getByLabelText('Code');
    expect(box).toHaveFocus();
    await app.person.type(box, '111 111');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/The code is not right/));
    expect(app.server.calls(confirm).map((call) => call.body)).toEqual([{ code: '111111' }]);
    app.server.answer(confirm, { data: { recoveryCodes: codes } });
    app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10, minLength: 8 }));
    await rewrite(box, '222222');
    await keepCodes();
    expect(await screen.findByText('10 of 10 left')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Turn off the authenticator app' })).toBeVisible();
    expect(app.router.state.location.search).toBe('?tab=security');
    expect(app.server.calls('GET /api/acc/token/session').length).toBeGreaterThan(1);
    nowhereKept('ABCDEFGHIJKLMNOP');
    nowhereKept(codes[0] ?? '');
  });

  test('setup asks for proof first, and cancelling goes back', async () => {
    await open({ [begin]: { error: 'prove it', status: 403, code: 'reauth_required' } });
    await app.person.click(screen.getByRole('button', { name: 'Turn on the authenticator app' }));
    await app.person.click((await inDialog('Confirm it is you')).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Not confirmed, so nothing was done.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.router.state.location.search).toBe('?tab=security');
  });

  test('a key that failed to load can be requested again', async () => {
    await open({ [begin]: { error: '出错了', status: 500 } });
    await app.person.click(screen.getByRole('button', { name: 'Turn on the authenticator app' }));
    const dialog = await inDialog('Turn on the authenticator app');
    expect(await dialog.findByText('出错了')).toBeVisible();
    app.server.answer(begin, offer);
    await app.person.click(dialog.getByRole('button', { name: 'Try again' }));
    expect(await dialog.findByLabelText('Code')).toBeVisible();
  });

  test.each([
    ['secondFactor', 'Two-step verification is required here, so the last way stays. Add another one first.'],
    ['password', 'With a password under 15 characters two-step verification stays on. Choose a longer password first.'],
  ])('a required last one stays (%s), with the reason shown', async (field, message) => {
    const code = field === 'password' ? { code: 'too_short', min: 15 } : { code: 'required' };
    await open({
      [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
      'DELETE /api/acc/totp': { error: 'no', status: 409, code: 'conflict', fields: { [field]: code } },
    });
    await app.person.click(screen.getByRole('button', { name: 'Turn off the authenticator app' }));
    const dialog = await inDialog('Turn off the authenticator app?');
    expect(dialog.getByText(/It is your last way of two-step verification/)).toBeVisible();
    await app.person.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText(message)).toBeVisible();
  });
});
