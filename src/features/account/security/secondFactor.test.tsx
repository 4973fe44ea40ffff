import { act, screen, waitFor } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { session } from '../../../../test/support/factories';
import { app, codes, draw, inDialog, keepCodes, offer, open, path, phone, protectedBy, state } from '../../../../test/support/securityScreen';

test('a tab that failed loads again, and axe finds nothing', async () => {
  await draw(path, { answers: { [state]: { error: '出错了', status: 500 } } });
  expect(await screen.findByText('出错了')).toBeVisible();
  app.server.answer(state, protectedBy({ mail: true, pendingEmail: 'lin@example.com', passkeys: [phone], totpSince: phone.createdAt, recoveryLeft: 3 }));
  await app.person.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('lin@example.com 等待确认');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

describe('a required second factor', () => {
  const current = 'GET /api/acc/token/session';
  const begin = 'POST /api/acc/totp/begin';
  const confirm = 'POST /api/acc/totp/confirm';

  test('before the deadline a banner shows the days left', async () => {
    const due = session({ enrolment: 'due', serverTime: '2026-11-20T08:00:00.000Z', enrolBy: '2026-11-24T07:00:00.000Z' });
    await open({ [current]: { data: due } });
    expect(await screen.findByText(/还剩 4 天/)).toBeVisible();
    expect(screen.getByRole('link', { name: '去开启' })).toHaveAttribute('href', '/account/center/account_center?tab=security');
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
    expect(await screen.findByRole('heading', { name: '开启两步验证' })).toBeVisible();
    expect(app.server.calls('GET /api/core/load/rpm')).toHaveLength(0);
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.queryByLabelText('当前密码')).toBeNull();
    await app.person.click(await screen.findByRole('button', { name: '开启身份验证器' }));
    await app.person.type(await (await inDialog('开启身份验证器')).findByLabelText('验证码'), '123456');
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
    await app.person.type(await screen.findByLabelText('当前密码'), 'short one');
    await app.person.type(screen.getByLabelText('新密码'), 'a much longer password');
    app.server.answer(current, { data: session() });
    await app.person.click(screen.getByRole('button', { name: '修改密码' }));
    expect(await screen.findByRole('navigation', { name: '导航' })).toBeVisible();
  });

  test('signing out is possible, and axe finds nothing', async () => {
    await draw('/home', {
      answers: {
        [current]: { data: session({ enrolment: 'required', enrolBy: null }) },
        [state]: protectedBy({}),
        'POST /api/acc/token/sign-out': { data: null },
      },
    });
    await screen.findByRole('button', { name: '开启身份验证器' });
    expect(await violationsOf(app.container)).toEqual([]);
    await app.person.click(screen.getByRole('button', { name: '退出登录' }));
    await waitFor(() => expect(app.left).toHaveLength(1));
  });

  test('a session whose deadline passes is sent to the setup page', async () => {
    await open();
    app.server.answer(current, { data: session({ enrolment: 'required', enrolBy: '2026-11-01T08:00:00.000Z' }) });
    app.server.answer(begin, { error: 'no', status: 403, code: 'enrolment_required' });
    await app.person.click(screen.getByRole('button', { name: '开启身份验证器' }));
    expect(await screen.findByText(/这里的账号都要开启两步验证/)).toBeVisible();
  });
});

test('a live event reloads changes made elsewhere', async () => {
  await open();
  app.server.answer(state, protectedBy({ totpSince: '2026-11-20T08:00:00.000Z', recoveryLeft: 10 }));
  const { securityApi } = await import('../securityApi');
  await act(async () => void app.store.dispatch(securityApi.util.invalidateTags(['Security'])));
  expect(await screen.findByRole('button', { name: '关闭身份验证器' })).toBeVisible();
});
