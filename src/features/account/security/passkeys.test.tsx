import { screen, waitFor, within } from '@testing-library/react';
import type { Answer } from '../../../../test/support/fakeServer';
import { givePasskeys } from '../../../../test/support/passkeys';
import { app, codes, inDialog, keepCodes, nowhereKept, open, phone, protectedBy, rewrite, state, takenBack } from '../../../../test/support/securityScreen';

describe('passkeys', () => {
  const options = 'POST /api/acc/passkeys/options';
  const add = 'POST /api/acc/passkeys';
  const begun: Answer = {
    data: {
      challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11',
      options: { challenge: 'AAAA', rp: { id: 'localhost', name: 'x' }, user: { id: 'AAAA', name: 'x', displayName: 'x' }, pubKeyCredParams: [] },
    },
  };

  test('the first one is added with a name and recovery codes', async () => {
    takenBack(givePasskeys());
    await open({ [options]: begun, [add]: { data: { passkey: phone, recoveryCodes: codes } } });
    await app.person.click(screen.getByRole('button', { name: 'Add passkey' }));
    const dialog = await inDialog('Add passkey');
    await rewrite(dialog.getByLabelText('Name'), 'iPhone');
    app.server.answer(state, protectedBy({ passkeys: [phone], recoveryLeft: 10 }));
    await app.person.click(dialog.getByRole('button', { name: 'Continue' }));
    await keepCodes();
    expect(app.server.calls(add)[0]?.body).toMatchObject({
      challengeId: '0d3b52f5-6a67-4a43-9a4e-0d5e1f7c2b11',
      name: 'iPhone',
      response: { id: 'credential', type: 'public-key' },
    });
    const list = screen.getByRole('list', { name: 'Your passkeys' });
    expect(within(list).getByText('Synced')).toBeVisible();
    expect(within(list).getByText(/Not used yet/)).toBeVisible();
    nowhereKept(codes[0] ?? '');
  });

  test.each([
    ['cancelled', 'NotAllowedError', 'No passkey was added. You can try again.'],
    ['already on this device', 'InvalidStateError', 'This device has a passkey for this account already.'],
  ])('the browser error %s shows a message and keeps the name', async (_what, name, message) => {
    takenBack(givePasskeys({ create: () => Promise.reject(new DOMException('no', name)) }));
    await open({ [options]: begun });
    await app.person.click(screen.getByRole('button', { name: 'Add passkey' }));
    const dialog = await inDialog('Add passkey');
    await rewrite(dialog.getByLabelText('Name'), '书房');
    await app.person.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(message);
    expect(dialog.getByLabelText('Name')).toHaveValue('书房');
    expect(app.server.calls(add)).toHaveLength(0);
  });

  test('a refused one keeps the session, and the limit is explained', async () => {
    takenBack(givePasskeys());
    await open({ [options]: begun, [add]: { error: 'no', status: 401, code: 'bad_code' } });
    await app.person.click(screen.getByRole('button', { name: 'Add passkey' }));
    const dialog = await inDialog('Add passkey');
    await app.person.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('did not pass the check');
    expect(app.left).toEqual([]);
    app.server.answer(options, { error: 'full', status: 409, code: 'conflict' });
    await app.person.click(dialog.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('There is room for 20 passkeys'));
  });

  test('a browser without passkeys shows a message', async () => {
    await open();
    await app.person.click(screen.getByRole('button', { name: 'Add passkey' }));
    const dialog = await inDialog('Add passkey');
    expect(dialog.getByText(/cannot use passkeys/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  test('one can be renamed, and removed after confirmation', async () => {
    const one = `/api/acc/passkeys/${phone.id}`;
    await open({
      [state]: protectedBy({ passkeys: [phone], totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }),
      [`PATCH ${one}`]: { data: { ...phone, name: '工作手机' } },
      [`DELETE ${one}`]: { data: null },
    });
    expect(screen.getByText('Few are left: make new ones')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: 'Rename “iPhone”' }));
    const dialog = await inDialog('Rename the passkey');
    await rewrite(dialog.getByLabelText('Name'), '工作手机');
    app.server.answer(state, protectedBy({ passkeys: [{ ...phone, name: '工作手机' }], totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }));
    await app.person.keyboard('{Enter}');
    await app.person.click(await screen.findByRole('button', { name: 'Remove “工作手机”' }));
    const question = await inDialog('Remove the passkey “工作手机”?');
    expect(question.queryByText(/your last way/)).toBeNull();
    app.server.answer(state, protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 2 }));
    await app.person.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Passkey “工作手机” removed')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Your passkeys' })).toBeNull());
  });
});

test('new recovery codes replace the old ones after confirmation', async () => {
  await open({ [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 0 }), 'POST /api/acc/recovery-codes': { data: codes } });
  expect(screen.getByText('All used')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Make new ones' }));
  await app.person.click((await inDialog('Make new recovery codes?')).getByRole('button', { name: 'Make new ones' }));
  await keepCodes();
  nowhereKept(codes[0] ?? '');
});
