import { screen, waitFor } from '@testing-library/react';
import { session, user } from '../../../../test/support/factories';
import { app, inDialog, nowhereKept, open, protectedBy, rewrite, state } from '../../../../test/support/securityScreen';

describe('e-mail', () => {
  const ask = 'POST /api/acc/email';

  test('can be requested, sent again and cancelled', async () => {
    await open({ [state]: protectedBy({ mail: true }), [ask]: { error: 'no', status: 409, code: 'email_taken', fields: { email: { code: 'taken' } } } });
    const box = screen.getByRole('textbox', { name: '邮箱地址' });
    await app.person.type(box, 'not an address{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(/邮箱格式不对/));
    await rewrite(box, 'Lin@Example.com{Enter}');
    await waitFor(() => expect(box).toHaveAccessibleDescription(expect.stringContaining('这个邮箱已被另一个账号使用')));
    app.server.answer(ask, { data: { mailed: true } });
    app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com' }));
    await app.person.type(box, '{Enter}');
    expect(await screen.findByText('lin@example.com 等待确认')).toBeVisible();
    expect(app.server.calls(ask).at(-1)?.body).toEqual({ email: 'lin@example.com' });
    await app.person.click(screen.getByRole('button', { name: '重新发送' }));
    await waitFor(() => expect(app.server.calls(ask)).toHaveLength(3));
    app.server.answer('DELETE /api/acc/email', { data: null });
    app.server.answer(state, protectedBy({ mail: true }));
    await app.person.click(screen.getByRole('button', { name: '放弃这个地址' }));
    expect(await screen.findByRole('textbox', { name: '邮箱地址' })).toBeVisible();
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('?pending=true');
  });

  test('without a mail server the page says whom to ask', async () => {
    await open({
      [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }),
      'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) },
    });
    expect(screen.getByText('这里没有配置邮件服务器，请所有者为你生成一个确认链接。')).toBeVisible();
    expect(screen.queryByRole('button', { name: '重新发送' })).toBeNull();
  });

  test('without a mail server an owner creates the link, stored nowhere', async () => {
    const make = `POST /api/acc/users/${user().id}/link`;
    const url = 'http://localhost/sign/email#t=very-secret';
    await open({ [state]: protectedBy({ mail: false, pendingEmail: 'lin@example.com' }), [make]: { data: { url, expiresAt: '2026-11-21T08:00:00.000Z' } } });
    expect(screen.queryByText(/请所有者/)).toBeNull();
    await app.person.click(screen.getByRole('button', { name: '生成确认链接' }));
    expect(await screen.findByRole('textbox', { name: '确认链接' })).toHaveValue(url);
    expect(screen.getByRole('button', { name: '复制确认链接' })).toBeVisible();
    expect(app.server.calls(make).map((call) => call.body)).toEqual([{ kind: 'email' }]);
    nowhereKept('very-secret');
  });

  test('a verified one can be changed or removed', async () => {
    await open({ [state]: protectedBy({ mail: true }), 'DELETE /api/acc/email': { data: null } }, { me: { email: 'lin@example.com' } });
    expect(screen.getByText('✓ 已验证')).toBeVisible();
    await app.person.click(screen.getByRole('button', { name: '更换' }));
    expect(screen.getByRole('textbox', { name: '新的邮箱地址' })).toHaveFocus();
    await app.person.click(screen.getByRole('button', { name: '取消' }));
    app.server.answer(`GET /api/acc/user/${user().id}`, { data: user({ email: null }) });
    await app.person.click(screen.getByRole('button', { name: '移除' }));
    await app.person.click((await inDialog('移除邮箱 lin@example.com？')).getByRole('button', { name: '移除' }));
    expect(await screen.findByText('邮箱已移除')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('✓ 已验证')).toBeNull());
    expect(app.server.calls('DELETE /api/acc/email')[0]?.search).toBe('');
  });
});
