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
    await rewrite(screen.getByRole('textbox', { name: '登录名' }), 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: '更改登录名' }));
    await app.person.type((await inDialog('确认是你本人')).getByLabelText('密码'), 'right{Enter}');
    expect(await screen.findByText('登录名已改为“lin.xia”')).toBeVisible();
    expect(app.server.calls('POST /api/acc/sign/rename').map((call) => call.body)).toEqual([{ loginName: 'lin.xia' }, { loginName: 'lin.xia' }]);
  });

  test.each([
    [{ code: 'name_taken', status: 409, fields: { loginName: { code: 'taken' } } }, '已被使用，换一个'],
    [{ code: 'invalid_fields', status: 422, fields: { loginName: { code: 'confusable' } } }, '和已有的名字太像，换一个'],
  ])('a refused name stays and shows the reason at its field', async (refusal, message) => {
    await open({ 'POST /api/acc/sign/rename': { error: 'no', ...refusal } });
    const box = screen.getByRole('textbox', { name: '登录名' });
    await rewrite(box, 'lin.xia');
    await app.person.click(screen.getByRole('button', { name: '更改登录名' }));
    await waitFor(() => expect(box).toHaveAccessibleDescription(expect.stringContaining(message)));
    expect(box).toHaveValue('lin.xia');
    expect(box).toHaveFocus();
  });

  test.each([
    [{ renameFrom: '2026-12-04T08:00:00.000Z' }, /2026-12-04 起可以再改/],
    [{ selfRename: false }, /由所有者统一修改/],
  ])('a login name that may not change shows the reason: %j', async (change, reason) => {
    await open({ [state]: protectedBy(change) });
    expect(screen.getByText(reason)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: '登录名' })).toBeNull();
  });
});

test('short and wrong passwords are reported and not stored', async () => {
  const change = 'POST /api/acc/sign/password';
  await open({
    [state]: protectedBy({ minLength: 8, totpSince: '2026-11-01T08:00:00.000Z', recoveryLeft: 10 }),
    [change]: { error: 'no', status: 422, code: 'invalid_fields', fields: { current: { code: 'wrong_password' } } },
  });
  const next = screen.getByLabelText('新密码');
  expect(next).toHaveAccessibleDescription(/至少 8 个字符/);
  await app.person.type(screen.getByLabelText('当前密码'), 'old one');
  await app.person.type(next, 'short');
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  await waitFor(() => expect(next).toHaveAccessibleDescription(expect.stringContaining('至少 8 个字符')));
  expect(app.server.calls(change)).toHaveLength(0);
  await app.person.type(next, ' no longer');
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  await waitFor(() => expect(screen.getByLabelText('当前密码')).toHaveAccessibleDescription(expect.stringContaining('密码不正确')));
  nowhereKept('old one');
  app.server.answer(change, { data: null });
  await app.person.click(screen.getByRole('button', { name: '修改密码' }));
  expect(await screen.findByText('密码已修改，其他设备已退出')).toBeVisible();
  expect(next).toHaveValue('');
});
