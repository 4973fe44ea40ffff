import type { BrowserContext, Page } from '@playwright/test';
import type { Conversation, ConversationMessage } from '../../contract/support/conversations';
import type { SupportSettings } from '../../contract/support/settings';
import type { Site } from '../../contract/sites/schemas';
import { streamLimits } from '../../contract/support/visitors';
import { expect, speak, test } from './support/accounts';
import type { Office } from './support/accounts';
import { axe, violations } from './support/axe';

/** The widget on a delivered site, as visitors use it: by keyboard, offline and back, in two tabs, from right to left, on a phone. */

test.describe.serial('the chat of a site', () => {
  let agent: BrowserContext;
  let site: Site;
  let origin: string;
  let ask: <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  const refused: string[] = [];

  test.beforeAll(async ({ browser, office }) => {
    agent = await browser.newContext({ baseURL: office.origin });
    await office.signIn(agent);
    site = await office.ask<Site>(agent, 'POST', '/api/core/sites', {
      name: 'Hill tea',
      slug: 'hill-tea',
      purpose: 'built',
      defaultLang: 'en',
      starter: 'company',
    });
    origin = `http://hill-tea.localhost:${String(office.deliveryPort)}`;
    ask = (method, path, body, headers) => office.ask(agent, method, `/api/site/${site.id}/cs/${path}`, body, headers);
    await publish(office);
    await configure({});
  });
  test.afterAll(() => agent.close());

  async function publish(office: Office): Promise<void> {
    const base = `/api/site/${site.id}/setting`;
    await expect
      .poll(async () => (await office.ask<{ routes: { content: unknown[] } }>(agent, 'GET', `${base}/parts`)).routes.content.length)
      .toBeGreaterThan(0);
    const { working } = await office.ask<{ working: string }>(agent, 'GET', `${base}/releases/preview`);
    await office.ask(agent, 'POST', `${base}/releases`, { working, records: [] });
  }
  async function configure(change: object): Promise<void> {
    const { hasWebhookSecret: _1, recipients: _2, mail: _3, revision, ...settings } = await ask<SupportSettings>('GET', 'settings');
    const next = { ...settings, mode: 'builtin', ...change };
    await ask('PUT', 'settings', next, { 'if-match': `"${String(revision)}"` });
  }
  const conversations = async () => (await ask<{ rows: Conversation[] }>('GET', 'conversations?list=all')).rows;
  const answer = (id: string, body: string, resolve = false) => ask('POST', `conversations/${id}/messages`, { clientId: crypto.randomUUID(), body, resolve });
  const texts = async (id: string) =>
    (await ask<{ rows: ConversationMessage[] }>('GET', `conversations/${id}/messages?after=0`)).rows
      .filter(({ kind }) => kind === 'text')
      .map(({ body }) => body);

  /** A page of a visitor. Everything that the policy of the page refuses is noted. */
  async function visit(context: BrowserContext, path = '/'): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) refused.push(message.text());
    });
    await page.goto(origin + path);
    return page;
  }
  const launcher = (page: Page) => page.getByRole('button', { name: /^(Chat|Customer service)/ });
  const log = (page: Page) => page.getByRole('log');
  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  async function write(page: Page, text: string): Promise<void> {
    await box(page).fill(text);
    await page.keyboard.press('Enter');
  }

  test('a conversation by keyboard, without anything that the page forbids', async ({ browser, office }) => {
    const context = await browser.newContext({ locale: 'en-US' });
    await context.addInitScript({ path: axe });
    await expect
      .poll(async () => (await context.request.get(`http://localhost:${String(office.deliveryPort)}/`, { headers: { host: 'hill-tea.localhost' } })).text())
      .toContain('/_cs/w.js');
    const page = await visit(context);
    await launcher(page).focus();
    await page.keyboard.press('Enter');
    await expect(box(page)).toBeFocused();
    await page.keyboard.type('Do you have <b>green</b> tea? https://example.com/tea');
    await page.keyboard.press('Enter');
    await expect(log(page).getByRole('link', { name: 'https://example.com/tea' })).toHaveAttribute('rel', /noopener/);
    await expect.poll(async () => (await conversations()).length).toBe(1);
    const [conversation] = await conversations();
    const id = conversation?.id ?? '';
    await answer(id, 'Yes, <i>fresh</i>');
    await expect(log(page)).toContainText('Yes, <i>fresh</i>');
    expect(await violations(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await expect(launcher(page)).toBeFocused();
    await answer(id, 'Anything else?');
    await expect(launcher(page)).toHaveAccessibleName(/unread messages: 1/);
    await launcher(page).click();
    await expect.poll(async () => (await conversations())[0]?.visitorReadSeq ?? 0).toBeGreaterThan(2);
    await page
      .getByLabel('Attach a file')
      .last()
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('oolong') });
    await expect(log(page).getByRole('link', { name: /note\.txt/ })).toBeVisible();

    await answer(id, 'Bye', true);
    await page.getByRole('radio', { name: '4 of 5 stars' }).focus();
    await page.keyboard.press('Space');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send rating' }).click();
    await expect(log(page)).toContainText('Thank you for the rating.');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the conversation' }).click();
    expect((await download).suggestedFilename()).toBe('Hill tea.txt');
    expect(refused).toEqual([]);
    await context.close();
  });

  test('nobody there: the form, from right to left, on a phone', async ({ browser }) => {
    await configure({ needsAgent: true });
    const context = await browser.newContext({ locale: 'ar', viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await context.addInitScript({ path: axe });
    await context.route(`${origin}/arabic`, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: `<!doctype html><html lang="ar" dir="rtl"><title>شاي</title><meta name="viewport" content="width=device-width"><body><main><h1>شاي</h1></main><script defer src="/_cs/w.js" data-site="${site.id}"></script></body></html>`,
      }),
    );
    const page = await visit(context, '/arabic');
    await page.getByRole('button', { name: 'محادثة' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hill tea' });
    await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    expect(await dialog.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    await dialog.getByRole('button', { name: 'إرسال الرسالة' }).click();
    await expect(dialog.getByRole('textbox', { name: /البريد/ })).toBeFocused();
    expect(await violations(page)).toEqual([]);
    // The focus stays in the dialog that covers the page.
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-sitewright-chat'))).toBe(true);
    await dialog.getByRole('textbox', { name: /البريد/ }).fill('visitor@example.com');
    await dialog.getByRole('textbox', { name: 'الرسالة' }).fill('متى تفتحون؟');
    await dialog.getByRole('button', { name: 'إرسال الرسالة' }).click();
    await expect(dialog.getByRole('status').getByText(/وصلت الرسالة/)).toBeVisible();
    await expect
      .poll(async () => (await ask<{ rows: Conversation[] }>('GET', 'conversations?list=forms')).rows.map(({ visitor }) => visitor.email))
      .toEqual(['visitor@example.com']);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await context.close();
  });

  test('the chat ignores rules of the page, and hides while nobody is there', async ({ browser }) => {
    const context = await browser.newContext({ locale: 'en-US' });
    await context.route(`${origin}/strict`, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: `<!doctype html><html lang="en"><title>Tea</title><style>body > div { display: none !important; opacity: 0 }</style><body><script defer src="/_cs/w.js" data-site="${site.id}"></script></body></html>`,
      }),
    );
    await configure({ needsAgent: false });
    const page = await visit(context, '/strict');
    await expect(launcher(page)).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('[data-sitewright-chat]') as Element).opacity)).toBe('1');
    await configure({ needsAgent: true, awayPolicy: 'hide' });
    await page.reload();
    await expect(page.locator('[data-sitewright-chat]')).toBeAttached();
    await expect(launcher(page)).toBeHidden();
    await context.close();
  });

  test('five minutes offline on both sides: nothing lost, doubled or out of order', async ({ browser, office }) => {
    await configure({ needsAgent: false });
    const context = await browser.newContext({ locale: 'en-US' });
    await context.clock.install();
    const page = await visit(context);
    await launcher(page).click();
    await write(page, 'one');
    await expect.poll(async () => (await conversations())[0]?.lastMessage?.text).toBe('one');
    const id = (await conversations())[0]?.id ?? '';
    const other = await visit(context);
    await launcher(other).click();
    await expect(log(other)).toContainText('one');
    await speak(office, agent, 'en');
    const offline = await browser.newContext({ baseURL: office.origin, storageState: await agent.storageState() });
    await offline.clock.install();
    const desk = await offline.newPage();
    await desk.goto(`/site/${site.id}/cs?view=all&conversation=${id}`);
    const reply = desk.getByRole('textbox', { name: 'Reply to the visitor' });
    await expect(log(desk)).toContainText('one');

    await Promise.all([context.setOffline(true), offline.setOffline(true)]);
    await write(page, 'two');
    for (const text of ['first answer', 'second answer']) {
      await reply.fill(text);
      await reply.press('Enter');
    }
    // Open streams survive being offline in this browser; silence ends them, as it does where a network is gone.
    await Promise.all([context, offline].map(({ clock }) => clock.runFor(70_000)));
    await expect(other.getByRole('status').getByText(/Reconnecting/)).toBeVisible();
    // Five minutes are longer than every pause between two attempts, and more answers of a colleague come than one event has.
    const colleague = Array.from({ length: 2 * streamLimits.event.messages + 5 }, (_, n) => `colleague ${String(n + 1)}`);
    for (const [n, text] of colleague.entries()) {
      await answer(id, text);
      if (n % 5 === 0) await Promise.all([context, offline].map(({ clock }) => clock.runFor(30_000)));
    }
    await write(other, 'three');
    await expect(log(other).getByText('Waiting for a connection…').first()).toBeVisible();
    await expect(other.getByRole('status').getByText(/Reconnecting/)).toBeVisible();
    await expect(log(desk).getByText(/Waiting for the connection|Sending/)).toHaveCount(2);
    expect((await texts(id)).at(-1)).toBe(colleague.at(-1));
    // The tab in which the second message was written is gone; the other one sends it.
    await page.close();

    await Promise.all([context.setOffline(false), offline.setOffline(false)]);
    await expect.poll(() => texts(id), { timeout: 20_000 }).toHaveLength(colleague.length + 5);
    const all = await texts(id);
    expect(all.slice(0, colleague.length + 1)).toEqual(['one', ...colleague]);
    const among = (some: readonly string[]) => all.filter((text) => some.includes(text));
    expect(among(['two', 'three'])).toEqual(['two', 'three']);
    expect(among(['first answer', 'second answer'])).toEqual(['first answer', 'second answer']);
    // Both see what is stored.
    const written = /^(one|two|three|(first|second) answer|colleague \d+)$/;
    await expect(log(other).locator('.bubble').filter({ hasText: written })).toHaveText(all);
    await expect(log(desk).locator('.support-text').filter({ hasText: written })).toHaveText(all);
    await expect(other.getByRole('status').getByText(/Reconnecting/)).toBeHidden();
    await context.close();
    await offline.close();
  });
});
