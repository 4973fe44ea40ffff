import { screen, waitFor } from '@testing-library/react';
import { user } from '../../../../test/support/factories';
import { app, inDialog, nowhereKept, open, protectedBy, rewrite, state } from '../../../../test/support/securityScreen';

describe('login name', () => {
  test('the change continues after proof', async () => {
    let proven = false;
    await open({
      'POST /api/acc/sign/rename': () =>
        proven ? { data: user({ loginName: 'lin.xia', revision: 2 }) } : { error: 'prove it', status: 403, code: 'reauth_required' },
      'POST /api/acc/sign/reauth': () => {
        proven = true;
        return { data: null };
      },
    });
    await rewrite(screen.getByRole('textbox', { name: 'Login name' }), 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: 'Change login name' }));
    await app.person.type((await inDialog('Confirm it is you')).getByLabelText('Password'), 'right{Enter}');
    expect(await screen.findByText('The login name is now “lin.xia”')).toBeVisible();
    expect(app.server.calls('POST /api/acc/sign/rename').map((call) => call.body)).toEqual([{ loginName: 'lin.xia' }, { loginName: 'lin.xia' }]);
  });

  test.each([
    [{ code: 'name_taken', status: 409, fields: { loginName: { code: 'taken' } } }, 'In use, choose another'],
    [{ code: 'invalid_fields', status: 422, fields: { loginName: { code: 'confusable' } } }, 'Looks too much like a name that exists. Choose another'],
  ])('a refused name stays and shows the reason at its field', async (refusal, message) => {
    await open({ 'POST /api/acc/sign/rename': { error: 'no', ...refusal } });
    const box = screen.getByRole('textbox', { name: 'Login name' });
    await rewrite(box, 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: 'Change login name' }));
    await waitFor(() => expect(box).toHaveAccessibleDescription(expect.stringContaining(message)));
    expect(box).toHaveValue('lin.xia');
    expect(box).toHaveFocus();
  });

  test.each([
    [{ renameFrom: '2026-12-04T08:00:00.000Z' }, /You can change it again from 2026-12-04/],
    [{ selfRename: false }, /Owners change login names here/],
  ])('a login name that may not change shows the reason: %j', async (change, reason) => {
    await open({ [state]: protectedBy(change) });
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Login name' })).toBeNull();
  });
});

test('short and wrong passwords are reported and not stored', async () => {
  const change = 'POST /api/acc/sign/password';
  await open({
    [state]: protectedBy({ minLength: 8, totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
    [change]: { error: 'no', status: 422, code: 'invalid_fields', fields: { current: { code: 'wrong_password' } } },
  });
  const next = screen.getByLabelText('New password');
  expect(next).toHaveAccessibleDescription(/At least 8 characters/);
  await app.person.type(screen.getByLabelText('Current password'), 'old one');
  await app.person.type(next, 'short');
  await app.person.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(next).toHaveAccessibleDescription(expect.stringContaining('At least 8 characters')));
  expect(app.server.calls(change)).toHaveLength(0);
  await app.person.type(next, ' no longer');
  await app.person.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(expect.stringContaining('The password is not right')));
  nowhereKept('old one');
  app.server.answer(change, { data: null });
  await app.person.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Password changed, other devices signed out')).toBeVisible();
  expect(next).toHaveValue('');
});
