import { screen, waitFor } from '@testing-library/react';
import { app, codes, inDialog, keepCodes, nowhereKept, offer, open, protectedBy, rewrite, state } from '../../../../test/support/securityScreen';

describe('authenticator', () => {
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('setup turns it on and stores no secret in the browser', async () => {
    await open({ [begin]: offer, [confirm]: { error: 'no', status: 422, code: 'invalid_fields', fields: { code: { code: 'wrong_code' } } } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    expect(app.router.state.location.search).toBe('?tab=security&add=totp');
    const dialog = await inDialog('开启身份验证器');
    expect(await dialog.findByRole('img', { name: '供验证器应用扫描的二维码' })).toHaveAttribute('src', expect.stringContaining('data:image/svg'));
    expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
    const box = dialog.getByLabelText('验证码');
    expect(box).toHaveFocus();
    await app.person.type(box, '111 111');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/验证码不正确/));
    expect(app.server.calls(confirm).map((call) => call.body)).toEqual([{ code: '111111' }]);
    app.server.answer(confirm, { data: { recoveryCodes: codes } });
    app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10, minLength: 8 }));
    await rewrite(box, '222222');
    await keepCodes();
    expect(await screen.findByText('还有 10 个可用，共 10 个')).toBeVisible();
    expect(screen.getByRole('button', { name: '关闭身份验证器' })).toBeVisible();
    expect(app.router.state.location.search).toBe('?tab=security');
    expect(app.server.calls('GET /api/acc/token/session').length).toBeGreaterThan(1);
    nowhereKept('ABCDEFGHIJKLMNOP');
    nowhereKept(codes[0] ?? '');
  });

  test('setup asks for proof first, and cancelling goes back', async () => {
    await open({ [begin]: { error: 'prove it', status: 403, code: 'reauth_required' } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    await app.person.click((await inDialog('确认是你本人')).getByRole('button', { name: '取消' }));
    expect(await screen.findByText('没有确认身份，这项操作未执行。')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.router.state.location.search).toBe('?tab=security');
  });

  test('a key that failed to load can be requested again', async () => {
    await open({ [begin]: { error: '出错了', status: 500 } });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    const dialog = await inDialog('开启身份验证器');
    expect(await dialog.findByText('出错了')).toBeVisible();
    app.server.answer(begin, offer);
    await app.person.click(dialog.getByRole('button', { name: '重试' }));
    expect(await dialog.findByLabelText('验证码')).toBeVisible();
  });

  test.each([
    ['secondFactor', '系统要求开启两步验证，不能移除最后一种方式。先添加另一种，再移除它。'],
    ['password', '密码少于 15 个字符时必须有两步验证。先把密码改长，再移除它。'],
  ])('a required last one stays (%s), with the reason shown', async (field, message) => {
    const code = field === 'password' ? { code: 'too_short', min: 15 } : { code: 'required' };
    await open({
      [state]: protectedBy({ totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
      'DELETE /api/acc/totp': { error: 'no', status: 409, code: 'conflict', fields: { [field]: code } },
    });
    await app.person.click(screen.getByRole('button', { name: '关闭身份验证器' }));
    const dialog = await inDialog('关闭身份验证器？');
    expect(dialog.getByText(/这是最后一种两步验证方式/)).toBeVisible();
    await app.person.click(dialog.getByRole('button', { name: '关闭' }));
    expect(await screen.findByText(message)).toBeVisible();
  });
});
