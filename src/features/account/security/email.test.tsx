import { screen, waitFor } from '@testing-library/react';
import { session, user } from '../../../../test/support/factories';
import { app, inDialog, nowhereKept, open, protectedBy, rewrite, state } from '../../../../test/support/securityScreen';

describe('e-mail', () => {
  const ask = 'POST /api/acc/email';

  test('can be requested, sent again and cancelled', async () => {
    await open({ [state]: protectedBy({ mail: true }), [ask]: { error: 'no', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } } } });
    const box = screen.getByRole('textbox', { name: 'E-mail address' });
    await app.person.type(box, 'not an address{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/Not an e-mail address/));
    await rewrite(box, 'Lin@Example.com{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(expect.stringContaining('Another account has this address')));
    app.server.answer(ask, { data: { mailed: true } });
    app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com' }));
    await app.person.type(box, '{Enter}');
    expect(await screen.findByText('lin@example.com waits for confirmation')).toBeVisible();
    expect(app.server.calls(ask).at(-1)?.body).toEqual({ email: 'lin@example.com' });
    await app.person.click(screen.getByRole('button', { name: 'Send again' }));
    await waitFor(() => expect(app.server.calls(ask)).toHaveLength(3));
    app.server.answer('DELETE /api/acc/email', { data: null });
    app.server.answer(state, protectedBy({ mail: true }));
    await app.person.click(screen.getByRole('button', { name: 'Give up this address' }));
    expect(await screen.findByRole('textbox', { name: 'E-mail address' })).toBeVisible();
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('?pending=true');
  });

  test('without a mail server the page says whom to ask', async () => {
    await open({
      [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }),
      'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) },
    });
    expect(screen.getByText('No mail server is set up here. Ask an owner for a link that confirms it.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull();
  });

  test('without a mail server an owner creates the link, stored nowhere', async () => {
    const make = `POST /api/acc/users/${user().id}/link`;
    const url = 'http://localhost/sign/email#t=very-secret';
    await open({ [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }), [make]: { data: { url, expiresAt: '2026-11-21T08:00:00.000Z' } } });
    expect(screen.queryByText(/[Aa]sk an owner/)).toBeNull();
    await app.person.click(screen.getByRole('button', { name: 'Create confirmation link' }));
    expect(await screen.findByRole('textbox', { name: 'Confirmation link' })).toHaveValue(url);
    expect(screen.getByRole('button', { name: 'Copy the confirmation link' })).toBeVisible();
    expect(app.server.calls(make).map((call) => call.body)).toEqual([{ kind: 'email' }]);
    nowhereKept('very-secret');
  });

  test('a verified one can be changed or removed', async () => {
    await open({ [state]: protectedBy({ mail: true }), 'DELETE /api/acc/email': { data: null } }, { me: { email: 'lin@example.com' } });
    expect(screen.getByText('✓ Verified')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: 'Change' }));
    expect(screen.getByRole('textbox', { name: 'New e-mail address' })).toHaveFocus();
    await app.person.click(screen.getByRole('button', { name: 'Cancel' }));
    app.server.answer(`GET /api/acc/user/${user().id}`, { data: user({ email: null }) });
    await app.person.click(screen.getByRole('button', { name: 'Remove' }));
    await app.person.click((await inDialog('Remove lin@example.com?')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('E-mail address removed')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('✓ Verified')).toBeNull());
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('');
  });
});
