import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { User } from '../../contract/session/schemas';
import { codeFor, expect, owner, test } from './support/accounts';
import type { Office } from './support/accounts';
import { axe, violations } from './support/axe';

/** Checks accessibility and phone widths of every sign page state and account screen. Pages are recognised by structure, as labels depend on the language. */

const looks = [
  { locale: 'zh-CN', colorScheme: 'light' },
  { locale: 'en', colorScheme: 'dark' },
] as const;
const [screen, phone] = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];
type Look = (typeof looks)[number];

const contextIn = async (browser: Browser, office: Office, { locale, colorScheme }: Look): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: office.origin, locale, colorScheme });
  await context.addInitScript({ path: axe });
  await context.addInitScript(
    ([name, scheme]) => {
      localStorage.setItem('console:locale', name);
      localStorage.setItem('console:scheme', scheme);
    },
    [locale, colorScheme] as const,
  );
  return context;
};
/** Waits until the heading is shown and nothing is loading. */
const waitForPage = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};

for (const look of looks) {
  test(`sign page, ${look.locale} ${look.colorScheme}`, async ({ browser, context, desk: _desk, office }) => {
    test.slow();
    const loginName = `axe.${look.colorScheme}`;
    const theirs = await office.join(browser, { loginName, displayName: '安可' });
    const { userId } = await office.ask<{ userId: string }>(theirs, 'GET', '/api/acc/token/session');
    const { secret } = await office.ask<{ secret: string }>(theirs, 'POST', '/api/acc/totp/begin');
    await office.ask(theirs, 'POST', '/api/acc/totp/confirm', { code: codeFor(secret) });
    await theirs.close();
    const reset = await office.ask<{ url: string }>(context, 'POST', `/api/acc/users/${userId}/link`, { kind: 'reset' });
    const invite = await office.ask<{ url: string }>(context, 'POST', '/api/acc/invites', { role: 'finance', email: null, message: '欢迎' });

    const guests = await contextIn(browser, office, look);
    const page = await guests.newPage();
    const found: string[] = [];
    const lookAt = async (address: string, change?: () => Promise<unknown>): Promise<void> =>
      test.step(`${address.split('#')[0]}${change ? ' and on' : ''}`, async () => {
        await page.goto(address);
        await waitForPage(page);
        await change?.();
        found.push(...(await violations(page)));
      });
    const submit = page.locator('button[type="submit"]');
    await lookAt('/sign/');
    await lookAt('/sign/', async () => {
      await submit.click();
      await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
    });
    await lookAt('/sign/', async () => {
      await page.locator('input[name="username"]').fill(loginName);
      await page.locator('input[name="password"]').fill(owner.password);
      await submit.click();
      await expect(page.locator('input[name="one-time-code"]')).toBeVisible();
    });
    await lookAt('/sign/forgot');
    await lookAt('/sign/forgot', async () => {
      await page.locator('input[name="username"]').fill(loginName);
      await submit.click();
      await expect(page.locator('input[name="username"]')).toHaveCount(0);
    });
    await lookAt(reset.url, () => page.locator('input[name="new-password"]').fill('short'));
    await lookAt(invite.url);
    await lookAt(`/sign/reset#t=${'x'.repeat(43)}`);
    await lookAt(`/sign/email#t=${'x'.repeat(43)}`);
    await page.route('**/api/acc/sign/setup-state', (route) => route.fulfill({ json: { data: { needed: true, tokenValid: true, mail: true } } }));
    await lookAt('/sign/setup?again#t=a-token');
    expect(found).toEqual([]);
    await guests.close();
  });

  test(`account screens, ${look.locale} ${look.colorScheme}`, async ({ browser, office }) => {
    test.slow();
    const context = await contextIn(browser, office, look);
    await office.signIn(context);
    const { userId } = await office.ask<{ userId: string }>(context, 'GET', '/api/acc/token/session');
    const me = await office.ask<User>(context, 'GET', `/api/acc/user/${userId}`);
    await office.ask(context, 'PATCH', `/api/acc/user/${userId}`, look, { 'if-match': `"${me.revision}"` });
    const site = await office.addSite(context, `无障碍 ${look.colorScheme}`);
    const theirs = await office.join(browser, { loginName: `reader.${look.colorScheme}`, displayName: '阅读者' });
    const { userId: reader } = await office.ask<{ userId: string }>(theirs, 'GET', '/api/acc/token/session');
    await theirs.close();
    await office.ask(context, 'PATCH', '/api/acc/grants', { changes: [{ userId: reader, siteId: site.id, role: 'editor' }] });
    await office.ask(context, 'POST', '/api/acc/invites', { role: 'member', email: `${look.colorScheme}@example.com` });
    await office.ask(context, 'POST', '/api/acc/tokens', { name: '每周报表', scopes: ['site:read'] });
    const contact = await office.ask<{ id: string }>(context, 'POST', '/api/acc/contacts', {
      name: '周明远',
      email: `zhou.${look.colorScheme}@example.com`,
      webhook: 'https://hooks.example/in',
      subscriptions: { billing: ['mail', 'webhook'] },
    });
    const items = [{ name: '套餐', quantity: '1', unitPrice: 50_000, discount: 100, taxRate: 600 }];
    const draft = { customerId: reader, title: '年度套餐', items, note: '谢谢' };
    const first = await office.ask<{ id: string; revision: number }>(context, 'POST', '/api/acc/trades/orders', draft);
    await office.ask(context, 'POST', '/api/acc/trades/orders', draft);
    await office.ask(context, 'POST', `/api/acc/trades/orders/${first.id}/state`, { to: 'pending' }, { 'if-match': `"${first.revision}"` });
    const payment = { method: 'bank', amount: 52_894, paidAt: '2026-11-01', reference: '1' };
    await office.ask(context, 'POST', `/api/acc/trades/orders/${first.id}/payments`, payment);

    const page = await context.newPage();
    const [center, users, contacts, trades] = [
      '/account/center/account_center',
      '/account/users/account_users',
      '/account/contacts/account_contacts',
      '/account/trades/account_trades',
    ];
    const parts = [
      ...['security', 'sessions', 'history', 'tokens', 'tokens&new=1', 'notices', 'data'].map((tab) => `${center}?tab=${tab}`),
      ...['tab=invites', 'tab=grants', 'tab=audit', 'tab=policy', `person=${reader}`, 'invite=1'].map((part) => `${users}?${part}`),
      ...['id=new', `id=${contact.id}`, 'import=1'].map((part) => `${contacts}?${part}`),
      ...['', `order=${first.id}`, 'order=new', 'tab=invoices', `tab=statement&customer=${reader}`, 'tab=titles'].map((part) => `${trades}?${part}`),
    ];
    const found: string[] = [];
    for (const address of parts) {
      await test.step(address, async () => {
        await page.goto(address);
        await waitForPage(page);
        if (/(person|invite|id|import|order|new)=/.test(address.replace('tab=', ''))) await expect(page.getByRole('dialog')).toBeVisible();
        await expect(page.locator('html')).toHaveAttribute('data-scheme', look.colorScheme);
        found.push(...(await violations(page)));
        await page.setViewportSize(phone);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: 'the width of the page on a phone' })
          .toBeLessThanOrEqual(phone.width);
        await page.setViewportSize(screen);
      });
    }
    expect(found).toEqual([]);
    await context.close();
  });
}
