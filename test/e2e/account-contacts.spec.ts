import { expect, test } from './support/accounts';

/** Contacts without an account, who choose their own notices. */

test('a contact confirms the address, receives a test and unsubscribes by link', async ({ browser, desk, office }) => {
  await desk.goto('/account/contacts/account_contacts');
  await desk.getByRole('link', { name: '添加联系人' }).first().click();
  const drawer = desk.getByRole('dialog');
  await drawer.getByLabel('姓名').fill('周明远');
  await drawer.getByLabel('邮箱').fill('zhou@example.com');
  for (const topic of ['账单', '安全']) await drawer.getByRole('checkbox', { name: `${topic}：邮件` }).check();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('已添加“周明远”')).toBeVisible();
  const row = desk.getByRole('table', { name: '联系人列表' }).getByRole('row').filter({ hasText: '周明远' });
  await expect(row).toContainText('未验证');

  await row.getByRole('link', { name: '周明远' }).click();
  await expect(drawer.getByText('验证之前，只会收到验证邮件')).toBeVisible();
  await expect(drawer.getByRole('button', { name: '发送测试' })).toHaveCount(0);
  await drawer.getByRole('button', { name: '发送验证链接' }).click();
  await expect(drawer.getByText('验证邮件已寄出，请 zhou@example.com')).toBeVisible();
  const letter = await office.mail.waitFor('zhou@example.com', ({ text }) => text.includes('/sign/contact#t='));

  // The person who opens the link has no account here.
  const guest = await browser.newContext({ baseURL: office.origin });
  const page = await guest.newPage();
  await page.goto(letter.links.find((link) => link.includes('/sign/contact')) ?? '');
  await expect(page.getByRole('heading', { name: '确认接收通知' })).toBeVisible();
  await page.getByRole('button', { name: '确认邮箱' }).click();
  await expect(page.getByRole('heading', { name: '邮箱已确认' })).toBeVisible();

  await desk.reload();
  await expect(drawer.getByText(/已验证（/)).toBeVisible();
  await drawer.getByRole('button', { name: '发送测试' }).click();
  await expect(drawer.getByText('邮件服务器已接收')).toBeVisible();
  await office.mail.waitFor('zhou@example.com', ({ text }) => !text.includes('/sign/contact#t='));

  // The unsubscribe link of a notice, signed here as the program does, because notices are sent only hourly.
  const id = new URL(desk.url()).searchParams.get('id') ?? '';
  const signature = office.secrets.mac('contact-unsubscribe', `${id}\nbilling\nzhou@example.com`);
  await page.goto(`/sign/contact#t=u.${id}.billing.${signature}`);
  await expect(page.getByRole('heading', { name: '退订“账单”通知？' })).toBeVisible();
  await page.getByRole('button', { name: '退订' }).click();
  await expect(page.getByRole('heading', { name: '已退订' })).toBeVisible();
  await guest.close();
  await desk.reload();
  await expect(drawer.getByRole('checkbox', { name: '安全：邮件' })).toBeChecked();
  await expect(drawer.getByRole('checkbox', { name: '账单：邮件' })).not.toBeChecked();
});
