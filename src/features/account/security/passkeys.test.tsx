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
  ])('the browser error %s shows a message and keeps the name', async (_what, name, message) => {
    takenBack(givePasskeys({ create: () => Promise.reject(new DOMException('no', name)) }));
    await open({ [options]: begun });
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    await rewrite(dialog.getByLabelText('名称'), '书房');
    await app.person.click(dialog.getByRole('button', { name: '继续' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(message);
    expect(dialog.getByLabelText('名称')).toHaveValue('书房');
    expect(app.server.calls(add)).toHaveLength(0);
  });

  test('a refused one keeps the session, and the limit is explained', async () => {
    takenBack(givePasskeys());
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

  test('a browser without passkeys shows a message', async () => {
    await open();
    await app.person.click(screen.getByRole('button', { name: '添加通行密钥' }));
    const dialog = await inDialog('添加通行密钥');
    expect(dialog.getByText(/不能使用通行密钥/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: '继续' })).toBeNull();
  });

  test('one can be renamed, and removed after confirmation', async () => {
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

test('new recovery codes replace the old ones after confirmation', async () => {
  await open({ [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 0 }), 'POST /api/acc/recovery-codes': { data: codes } });
  expect(screen.getByText('已经用完')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '重新生成' }));
  await app.person.click((await inDialog('重新生成恢复码？')).getByRole('button', { name: '重新生成' }));
  await keepCodes();
  nowhereKept(codes[0] ?? '');
});
