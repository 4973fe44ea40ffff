import { addAuthenticator, codeFor, expect, owner, password, test, turnOnAuthenticator, typeNameAndPassword } from './support/accounts';

/** Every way to sign in, and the links that lead to the sign page. */

const security = '/account/center/account_center?tab=security';

test('an authenticator code works once, and a recovery code replaces it', async ({ browser, office, page }) => {
  const mei = await office.join(browser, { loginName: 'mei.totp', displayName: '梅雨' });
  const desk = await mei.newPage();
  await desk.goto(security);
  const { secret, codes } = await turnOnAuthenticator(desk);

  await page.goto('/sign/?redirect=/account/center/account_center%3Ftab%3Dsessions');
  await typeNameAndPassword(page, 'mei.totp');
  await expect(page.getByRole('heading', { name: '两步验证' })).toBeVisible();
  await page.getByLabel('验证码').fill('000000');
  await expect(page.getByRole('alert')).toContainText('验证码不正确');
  // The time step of the confirmation code is used up, so the next one is needed.
  const code = codeFor(secret, 1);
  await page.getByLabel('验证码').fill(code);
  await page.waitForURL('**/account/center/account_center?tab=sessions');

  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/sign/');
  await typeNameAndPassword(page, 'mei.totp');
  await page.getByLabel('验证码').fill(code);
  await expect(page.getByRole('alert')).toContainText('验证码不正确');
  await page.getByRole('button', { name: '恢复码' }).click();
  await page.getByLabel('恢复码').fill((codes[0] ?? '').toLowerCase());
  await page.getByRole('button', { name: '验证', exact: true }).click();
  await page.waitForURL('**/home');
  await mei.close();
});

test('a passkey serves as second step and as the only one', async ({ browser, office }) => {
  const context = await office.join(browser, { loginName: 'hao.key', displayName: '郝明' });
  const desk = await context.newPage();
  const device = await addAuthenticator(desk);
  await desk.goto(security);
  await desk.getByRole('button', { name: '添加通行密钥' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('名称').fill('办公电脑');
  await dialog.getByRole('button', { name: '继续' }).click();
  await dialog.getByLabel('我已经保存好恢复码').check();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(desk.getByRole('list', { name: '通行密钥列表' })).toContainText('办公电脑');

  await device.answer(false);
  await desk.goto('/frame');
  await context.clearCookies();
  await desk.goto('/sign/');
  await typeNameAndPassword(desk, 'hao.key');
  await expect(desk.getByRole('heading', { name: '两步验证' })).toBeVisible();
  await device.answer(true);
  await desk.getByRole('button', { name: '使用通行密钥' }).click();
  await desk.waitForURL('**/home');

  // The device answers the request in the name field at once, so nothing has to be typed.
  await desk.goto('/frame');
  await context.clearCookies();
  await desk.goto('/sign/?redirect=/account/center/account_center', { waitUntil: 'commit' });
  await desk.waitForURL('**/account/center/account_center');

  await device.remove();
  await context.close();
});

test('a mailed link resets the password once and ends all sessions', async ({ browser, office, page }) => {
  const context = await office.join(browser, { loginName: 'yu.forgot', displayName: '于飞', email: 'yu@example.com' });
  const desk = await context.newPage();
  await desk.goto(security);
  if ((await office.ask<{ pendingEmail: string | null }>(context, 'GET', '/api/acc/security')).pendingEmail !== null) {
    // The invitation link was copied, so the address is still unconfirmed.
    const letter = await office.mail.waitFor('yu@example.com', ({ text }) => text.includes('/sign/email#t='));
    await desk.goto(letter.links.find((link) => link.includes('/sign/email')) ?? '');
    await desk.getByRole('button', { name: '确认邮箱' }).click();
    await expect(desk.getByRole('heading', { name: '邮箱已确认' })).toBeVisible();
    await desk.goto(security);
  }

  await page.goto('/sign/');
  await page.getByRole('link', { name: '忘记密码？' }).click();
  await page.getByLabel('登录名或邮箱').fill('yu@example.com');
  await page.getByRole('button', { name: '发送链接' }).click();
  await expect(page.getByRole('heading', { name: '查收邮件' })).toBeVisible();
  const letter = await office.mail.waitFor('yu@example.com', ({ text }) => text.includes('/sign/reset#t='));
  const link = letter.links.find((one) => one.includes('/sign/reset')) ?? '';
  await page.goto(link);
  await expect(page.getByText('账号：yu.forgot')).toBeVisible();
  expect(page.url()).not.toContain('#t=');
  await page.getByRole('textbox', { name: '新密码' }).fill('short');
  await page.getByRole('button', { name: '保存新密码' }).click();
  await expect(page.getByRole('textbox', { name: '新密码' })).toBeFocused();
  await page.getByRole('textbox', { name: '新密码' }).fill('three quiet rivers meet');
  await page.getByRole('button', { name: '保存新密码' }).click();
  await expect(page.getByRole('heading', { name: '密码已更新' })).toBeVisible();

  // The open console is notified without a reload.
  await desk.waitForURL('**/sign/?redirect=*', { timeout: 10_000 });
  await page.goto('/sign/');
  await typeNameAndPassword(page, 'yu.forgot');
  await expect(page.getByRole('alert')).toContainText('登录名或密码不正确');
  await page.getByLabel('密码', { exact: true }).fill('three quiet rivers meet');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL('**/home');

  const guest = await browser.newContext();
  const late = await guest.newPage();
  await late.goto(link);
  await expect(late.getByRole('heading', { name: '链接已失效' })).toBeVisible();
  await guest.close();
  await context.close();
});

test('after a session ends, signing in returns to the same address', async ({ browser, desk, office }) => {
  const other = await browser.newContext({ baseURL: office.origin });
  await office.signIn(other);
  const phone = await other.newPage();
  await phone.goto('/account/contacts/account_contacts');
  await expect(phone.getByRole('heading', { level: 1, name: '联系人' })).toBeVisible();
  await desk.goto('/account/center/account_center?tab=sessions');
  await desk.getByRole('button', { name: /^退出/ }).first().click();
  await phone.waitForURL('**/sign/?redirect=*', { timeout: 5000 });
  await typeNameAndPassword(phone, owner.loginName);
  await phone.waitForURL('**/account/contacts/account_contacts');
  await other.close();
});

test('a sensitive action asks for proof and keeps the typed input', async ({ browser, office }) => {
  const context = await office.join(browser, { loginName: 'old.name', displayName: '老名字' });
  const desk = await context.newPage();
  // The server requires proof older than ten minutes; this first response simulates that.
  let requestCount = 0;
  await desk.route('**/api/acc/sign/rename', async (route) => {
    requestCount += 1;
    if (requestCount > 1) return route.continue();
    return route.fulfill({ status: 403, json: { error: '请再次确认身份。', code: 'reauth_required', requestId: 'r1' } });
  });
  await desk.goto(security);
  await desk.getByRole('textbox', { name: '登录名' }).fill('new.name');
  await desk.getByRole('button', { name: '修改登录名' }).click();
  const proof = desk.getByRole('dialog', { name: '确认是你本人' });
  await proof.getByRole('textbox', { name: '密码' }).fill('not the password');
  await proof.getByRole('button', { name: '确认' }).click();
  await expect(proof.getByRole('textbox', { name: '密码' })).toBeFocused();
  await proof.getByRole('textbox', { name: '密码' }).fill(password);
  await proof.getByRole('button', { name: '确认' }).click();
  await expect(desk.getByText('登录名已改为“new.name”')).toBeVisible();
  expect(requestCount).toBe(2);

  const guest = await browser.newContext({ baseURL: office.origin });
  const page = await guest.newPage();
  await page.goto('/sign/');
  await typeNameAndPassword(page, 'old.name');
  await expect(page.getByRole('alert')).toContainText('登录名或密码不正确');
  await page.getByLabel('登录名或邮箱').fill('new.name');
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL('**/home');
  await guest.close();
  await context.close();
});

test('an invalid, used or foreign link shows one clear page', async ({ page }) => {
  for (const path of ['reset', 'invite', 'email', 'contact']) {
    await page.goto(`/sign/${path}#t=${'x'.repeat(43)}`);
    // Confirmation needs a click, because mail scanners also open links.
    if (path === 'email') await page.getByRole('button', { name: '确认邮箱' }).click();
    await expect(page.getByRole('heading', { name: '链接已失效' })).toBeVisible();
  }
});
