import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { SupportSettings } from '../../contract/support/settings';
import type { Site } from '../../contract/sites/schemas';
import { expect, owner, speak, test, type Office } from './support/accounts';
import { axe, violations } from './support/axe';

/** Customer service with two agents and three visitors at once, on a site that is delivered here. */

const slug = 'ganlu-tea';

/** A visitor in a browser of their own, with the widget of the delivered page. */
async function arrive(browser: Browser, office: Office) {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const chat = page.locator('[data-sitewright-chat]');
  // Pages have the chat soon after it was switched on, and it appears after they have loaded.
  await expect(async () => {
    await page.goto(`http://${slug}.localhost:${String(office.deliveryPort)}/`);
    await expect(chat.locator('.launcher')).toBeVisible({ timeout: 5000 });
  }).toPass();
  const field = chat.locator('.panel textarea');
  return {
    context,
    page,
    /** A second conversation of the same visitor. */
    beginAnother: (siteId: string, text: string): Promise<number> =>
      page.evaluate(
        async ([id, body]) => {
          const headers = { 'content-type': 'application/json', 'x-visitor': localStorage.getItem(`_sc.${id}.token`) ?? '' };
          const begun = {
            clientId: 'another-conversation',
            message: { clientId: 'another-message', text: body },
            fields: {},
            page: { url: location.href, title: '', referrer: '' },
            language: 'en',
          };
          return (await fetch(`/_cs/conversations?s=${id}`, { method: 'POST', headers, body: JSON.stringify(begun) })).status;
        },
        [siteId, text] as const,
      ),
    log: chat.getByRole('log'),
    async write(text: string): Promise<void> {
      if (await chat.locator('.launcher').isVisible()) await chat.locator('.launcher').click();
      await field.fill(text);
      await field.press('Enter');
    },
  };
}

/** A built site with its first release, open to everybody. */
async function publishSite(office: Office, context: BrowserContext): Promise<Site> {
  const input = { name: '甘露茶', slug, purpose: 'built', starter: 'blog', defaultLang: 'en' };
  const site = await office.ask<Site>(context, 'POST', '/api/core/sites', input);
  const at = `/api/site/${site.id}`;
  await expect
    .poll(async () => (await office.ask<{ routes: { content: unknown[] } }>(context, 'GET', `${at}/setting/parts`)).routes.content.length)
    .toBeGreaterThan(0);
  const { working } = await office.ask<{ working: string }>(context, 'GET', `${at}/setting/releases/preview`);
  await office.ask(context, 'POST', `${at}/setting/releases`, { working, note: 'First' });
  return site;
}

test.describe.serial('customer service', () => {
  let lin: BrowserContext;
  let desk: Page;
  let ada: BrowserContext;
  let colleague: Page;
  let site: Site;
  const visitors: Awaited<ReturnType<typeof arrive>>[] = [];
  const visitor = (at: number): Awaited<ReturnType<typeof arrive>> => {
    const found = visitors[at];
    if (!found) throw new Error('The visitor has not arrived');
    return found;
  };

  test.beforeAll(async ({ browser, office }) => {
    lin = await browser.newContext({ baseURL: office.origin, locale: 'en-US' });
    await lin.addInitScript({ path: axe });
    await office.signIn(lin);
    await speak(office, lin, 'en');
    site = await publishSite(office, lin);
    ada = await office.join(browser, { loginName: 'ada.support', displayName: 'Ada' });
    await ada.addInitScript({ path: axe });
    await speak(office, ada, 'zh-CN');
    const { userId } = await office.ask<{ userId: string }>(ada, 'GET', '/api/acc/token/session');
    await office.ask(lin, 'PATCH', '/api/acc/grants', { changes: [{ userId, siteId: site.id, role: 'support' }] });
    desk = await lin.newPage();
    colleague = await ada.newPage();
  });
  test.afterEach(async ({ office }, info) => {
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: office.said() });
  });
  test.afterAll(async () => {
    for (const { context } of visitors) await context.close();
    await lin.close();
    await ada.close();
  });

  /** In the list; the pane of the visitor lists conversations as well. */
  const row = (page: Page, text: string) => page.locator('a[data-conversation]').filter({ hasText: text });

  test('it is switched on in the settings, with a preview', async () => {
    await desk.goto(`/site/${site.id}/cs`);
    await desk.getByRole('button', { name: 'Set up the chat' }).click();
    const drawer = desk.getByRole('dialog', { name: 'Customer service settings' });
    await drawer.getByRole('radio', { name: /Built-in/ }).check();
    await drawer.getByRole('textbox', { name: /^Greeting/ }).fill('Welcome to the tea house');
    await expect(drawer.getByRole('complementary', { name: 'Preview' })).toContainText('Welcome to the tea house');
    expect(await violations(desk)).toEqual([]);
    await drawer.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(desk.getByText('Customer service settings saved')).toBeVisible();
    await drawer.getByRole('button', { name: 'Close the settings' }).click();
    await expect(desk.getByText('Waiting for the first visitor')).toBeVisible();
  });

  test('three visitors write, and two agents see all of them', async ({ browser, office }) => {
    await desk.goto(`/site/${site.id}/cs?view=all`);
    await colleague.goto(`/site/${site.id}/cs?view=all`);
    visitors.push(...(await Promise.all([1, 2, 3].map(() => arrive(browser, office)))));
    await Promise.all(visitors.map(({ write }, at) => write(`Question ${String(at + 1)}`)));
    for (const page of [desk, colleague]) for (const number of [1, 2, 3]) await expect(row(page, `Question ${String(number)}`)).toBeVisible();
    await row(desk, 'Question 1').click();
    await desk.getByRole('textbox', { name: 'Reply to the visitor' }).fill('Answer 1\nin two lines');
    await desk.getByRole('button', { name: 'Send' }).click();
    await expect(visitor(0).log).toContainText('Answer 1');
    await visitor(0).write('Thanks');
    await expect(desk.getByRole('log')).toContainText('Thanks');
    expect(await violations(desk)).toEqual([]);
  });

  test('two agents on one conversation see each other, and a note stays among them', async () => {
    await row(colleague, 'Thanks').click();
    await expect(colleague.getByText(`${owner.displayName} 正在查看`)).toBeVisible();
    await colleague.getByRole('button', { name: '备注', exact: true }).click();
    await colleague.getByRole('textbox', { name: '写备注' }).fill('老客户');
    await colleague.getByRole('button', { name: '添加备注' }).click();
    await expect(desk.getByRole('log')).toContainText('老客户');
    await expect(visitor(0).log).not.toContainText('老客户');
    await desk.getByRole('textbox', { name: 'Reply to the visitor' }).pressSequentially('I am');
    await expect(colleague.getByText(`${owner.displayName} 也在回复`)).toBeVisible();
    expect(await violations(colleague)).toEqual([]);
    await desk.getByRole('textbox', { name: 'Reply to the visitor' }).fill('');
  });

  test('offline, messages wait in their order, and arrive once when the connection is back', async () => {
    await row(desk, 'Question 2').click();
    const box = desk.getByRole('textbox', { name: 'Reply to the visitor' });
    const log = desk.getByRole('log');
    await expect(log).toContainText('Question 2');
    await lin.setOffline(true);
    for (const text of ['first', 'second', 'third']) {
      await box.fill(text);
      await box.press('Enter');
    }
    await expect(log.getByText(/Waiting for the connection|Sending/)).toHaveCount(3);
    await visitor(1).write('Still there?');
    await lin.setOffline(false);
    await expect(log.getByText(/Waiting for the connection|Sending/)).toHaveCount(0, { timeout: 15_000 });
    await expect(log).toContainText('Still there?');
    const written = (): Promise<string[]> => visitor(1).log.locator('.bubble').allInnerTexts();
    await expect.poll(async () => (await written()).filter((text) => ['first', 'second', 'third'].includes(text.trim()))).toEqual(['first', 'second', 'third']);
  });

  test('a conversation is transferred with a note, and another one merged into it', async () => {
    const more = async (item: string): Promise<void> => {
      await desk.getByRole('button', { name: 'More actions' }).click();
      await desk.getByRole('menuitem', { name: item }).click();
    };
    await more('Transfer…');
    const transfer = desk.getByRole('dialog', { name: 'Transfer the conversation' });
    await transfer.getByRole('textbox', { name: /^Note/ }).fill('She knows the teas');
    await transfer.getByRole('button', { name: 'Transfer' }).click();
    await expect(desk.getByText('Conversation transferred to Ada')).toBeVisible();
    await colleague.getByRole('link', { name: /^我的/ }).click();
    await colleague.getByRole('list', { name: '我的', exact: true }).getByRole('link').click();
    await expect(colleague.getByRole('log')).toContainText('She knows the teas');
    expect(await visitor(1).beginAnother(site.id, 'By the way')).toBeLessThan(300);
    await expect(row(desk, 'By the way')).toBeVisible();
    await more('Merge…');
    const merge = desk.getByRole('dialog', { name: 'Merge conversations' });
    await expect(merge.getByRole('combobox', { name: 'Conversation to merge' })).toContainText('By the way');
    await merge.getByRole('button', { name: 'Merge' }).click();
    await expect(desk.getByRole('log')).toContainText('By the way');
    await expect(colleague.getByRole('log')).toContainText('By the way');
  });

  test('a blocked visitor reaches nobody and cannot tell, until blocking is undone', async () => {
    const pane = desk.getByRole('complementary', { name: 'Visitor' });
    await pane.getByRole('button', { name: 'Block…' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Block' });
    await dialog.getByRole('button', { name: 'Block' }).click();
    await expect(pane.getByRole('button', { name: 'Unblock' })).toBeVisible();
    await visitor(1).write('Nobody reads this');
    await expect(visitor(1).log.locator('.bubble').last()).toHaveText('Nobody reads this');
    const notSpam = desk.getByRole('button', { name: 'Not spam' });
    await expect(notSpam).toBeVisible();
    await expect(row(desk, 'Nobody reads this')).toHaveCount(0);
    await desk.getByRole('button', { name: 'Undo' }).click();
    await expect(pane.getByRole('button', { name: 'Block…' })).toBeVisible();
    await notSpam.click();
    await visitor(1).write('Back again');
    await expect(row(desk, 'Back again')).toBeVisible();
  });

  test('a reply that was not sent outlives its tab', async () => {
    await desk.getByRole('textbox', { name: 'Reply to the visitor' }).fill('Half a sentence');
    const address = desk.url();
    await desk.close();
    desk = await lin.newPage();
    await desk.goto(address);
    await expect(desk.getByRole('textbox', { name: 'Reply to the visitor' })).toHaveValue('Half a sentence');
    await desk.getByRole('textbox', { name: 'Reply to the visitor' }).fill('');
  });

  test('on a phone the panes are pages, and keys resolve with undo on a desk', async () => {
    await colleague.setViewportSize({ width: 390, height: 844 });
    await colleague.goto(`/site/${site.id}/cs?view=all`);
    await row(colleague, 'Question 3').click();
    await expect(colleague.getByRole('log')).toContainText('Question 3');
    await colleague.getByRole('button', { name: '访客资料' }).click();
    await expect(colleague.getByRole('heading', { name: '访客', exact: true })).toBeVisible();
    await colleague.getByRole('button', { name: '返回会话' }).click();
    expect(await colleague.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violations(colleague)).toEqual([]);
    await colleague.getByRole('button', { name: '返回列表' }).click();
    await expect(colleague.getByRole('heading', { level: 1, name: '客服' })).toBeVisible();
    await row(desk, 'Question 3').click();
    await expect(desk.getByRole('log')).toContainText('Question 3');
    await desk.getByRole('heading', { level: 1 }).focus();
    await desk.keyboard.press('e');
    await desk.getByRole('button', { name: 'Undo' }).click();
    await expect(row(desk, 'Question 3')).toBeVisible();
  });

  test('settings are read as they were saved', async ({ office }) => {
    const settings = await office.ask<SupportSettings>(lin, 'GET', `/api/site/${site.id}/cs/settings`);
    expect([settings.mode, settings.texts['en']?.greeting]).toEqual(['builtin', 'Welcome to the tea house']);
  });
});
