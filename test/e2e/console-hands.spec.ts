import type { Page } from '@playwright/test';
import { expect, open, owner, rail, test, title } from './support/console';

/** Use of the console by keyboard, on a phone, in a chosen look, and the management of sites. */

const siteMenu = (page: Page, name: string) => page.getByRole('button', { name: `“${name}”的操作` });

test.describe('by keyboard alone', () => {
  test('screens are reached and the focus moves to the new content', async ({ desk, program }) => {
    const keys = desk.keyboard;
    await open(desk, `/site/${program.demo.id}/als/overview`, '概况');
    await keys.press('Tab');
    await expect(desk.getByRole('link', { name: '跳到正文' })).toBeFocused();
    await keys.press('Enter');
    await expect(desk.getByRole('main')).toBeFocused();

    await keys.press('Control+k');
    const palette = desk.getByRole('dialog', { name: '搜索页面、站点和操作' });
    await expect(palette.getByRole('combobox')).toBeFocused();
    await keys.type('qs');
    await expect(palette.getByRole('option', { selected: true })).toContainText('趋势');
    await keys.press('Enter');
    await expect(title(desk, '趋势')).toBeFocused();
    expect(new URL(desk.url()).pathname).toBe(`/site/${program.demo.id}/als/trend`);

    await keys.press('g');
    await keys.press('h');
    await expect(title(desk, '站点')).toBeFocused();
    await expect(desk).toHaveTitle(/站点 · Sitewright/);
  });

  test('the list of shortcuts opens, closes and returns the focus', async ({ desk }) => {
    await open(desk, '/home', '站点');
    const find = desk.getByRole('button', { name: /搜索或跳转/ });
    await find.focus();
    await desk.keyboard.press('Shift+?');
    const help = desk.getByRole('dialog', { name: '键盘快捷键' });
    await expect(help).toContainText('搜索或跳转');
    // A modal dialog traps the focus.
    for (let at = 0; at < 4; at += 1) {
      await desk.keyboard.press('Tab');
      expect(await desk.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null)).toBe(true);
    }
    await desk.keyboard.press('Escape');
    await expect(help).toHaveCount(0);
    await expect(find).toBeFocused();
  });

  test('the site switcher keeps the current section', async ({ context, desk, program }) => {
    const site = await program.addSite(context, '竹里茶舍');
    await open(desk, `/site/${program.demo.id}/als/trend`, '趋势');
    await desk.getByRole('button', { name: /^切换站点/ }).press('Enter');
    await expect(desk.getByRole('combobox', { name: '搜索站点' })).toBeFocused();
    await desk.keyboard.type('竹里');
    await expect(desk.getByRole('option')).toHaveCount(1);
    await desk.keyboard.press('Enter');
    await expect(desk).toHaveURL(`${program.origin}/site/${site.id}/als/trend`);
    await expect(title(desk, '趋势')).toBeVisible();
  });

  test('the site menu opens a dialog that traps and restores focus', async ({ context, desk, program }) => {
    await program.addSite(context, '南山陶坊');
    await open(desk, '/home', '站点');
    const button = siteMenu(desk, '南山陶坊');
    await button.press('Enter');
    const rename = desk.getByRole('menuitem', { name: '重命名…' });
    while (!(await rename.evaluate((item) => item === document.activeElement))) await desk.keyboard.press('ArrowDown');
    await desk.keyboard.press('Enter');
    const dialog = desk.getByRole('dialog', { name: '重命名站点' });
    await expect(dialog.getByLabel('名称')).toBeFocused();
    for (let at = 0; at < 5; at += 1) {
      await desk.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toHaveCount(1);
    }
    await desk.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the drawer reaches screens, and targets are large enough to tap', async ({ desk, program }) => {
    await open(desk, `/site/${program.demo.id}/als/overview`, '概况');
    const drawer = desk.getByRole('dialog', { name: '导航' });
    await expect(drawer).toHaveCount(0);
    await desk.getByRole('button', { name: '打开导航' }).tap();
    await expect(drawer).toBeVisible();
    // Measured after the drawer's animation.
    await drawer.evaluate((element) => Promise.all(element.getAnimations().map((one) => one.finished)));
    const targets = [...(await drawer.locator('a, button').all()), ...(await desk.getByRole('banner').getByRole('button').all())];
    expect(targets.length).toBeGreaterThan(8);
    for (const target of targets) {
      const box = await target.boundingBox();
      const accessibleLabel = (await target.getAttribute('aria-label')) ?? (await target.innerText());
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), accessibleLabel).toBeGreaterThanOrEqual(40);
    }
    await drawer.getByRole('link', { name: '推广活动' }).tap();
    await expect(drawer).toHaveCount(0);
    await expect(title(desk, '推广活动')).toBeVisible();
  });
});

test.describe('the look', () => {
  test.afterEach(async ({ context, program }) => program.prefer(context, { locale: 'zh-CN', colorScheme: 'system', primary: 'grey' }));
  const choose = async (page: Page, name: string): Promise<void> => {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
    await page.getByRole('menuitemradio', { name, exact: true }).click();
    await saved;
  };
  type RootState = { readonly scheme: string | null; readonly primary: string | null; readonly lang: string; readonly hasBody: boolean };

  test('changes at once and is applied before the next first paint', async ({ desk }) => {
    await desk.emulateMedia({ colorScheme: 'light' });
    await desk.addInitScript(() => {
      const rootStates: RootState[] = [];
      Object.assign(globalThis, { rootStates });
      new MutationObserver(() => {
        const { documentElement: root, body } = document;
        rootStates.push({ scheme: root.getAttribute('data-scheme'), primary: root.getAttribute('data-primary'), lang: root.lang, hasBody: body !== null });
      }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-scheme', 'data-primary', 'lang'] });
    });
    await open(desk, '/home', '站点');
    const root = desk.locator('html');
    const ground = () => desk.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await desk.getByRole('button', { name: `我的账号：${owner.displayName}` }).click();
    await choose(desk, '深色');
    await expect(root).toHaveAttribute('data-scheme', 'dark');
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await choose(desk, '蓝色');
    await expect(root).toHaveAttribute('data-primary', 'blue');
    await choose(desk, 'English');
    await expect(title(desk, 'Sites')).toBeVisible();
    await expect(root).toHaveAttribute('lang', 'en');

    await desk.reload();
    await expect(title(desk, 'Sites')).toBeVisible();
    expect(await ground()).toBe(dark);
    const recordedStates = await desk.evaluate(() => (globalThis as unknown as { rootStates: RootState[] }).rootStates);
    expect(recordedStates[0]).toEqual({ scheme: 'dark', primary: 'blue', lang: 'en', hasBody: false });
    expect(new Set(recordedStates.map((one) => `${one.scheme} ${one.primary} ${one.lang}`))).toEqual(new Set(['dark blue en']));
  });

  test('follows the system when set to', async ({ desk }) => {
    await desk.emulateMedia({ colorScheme: 'dark' });
    await open(desk, '/account/center/account_center', '个人中心');
    const root = desk.locator('html');
    await expect(root).toHaveAttribute('data-scheme', 'dark');
    await desk.emulateMedia({ colorScheme: 'light' });
    await expect(root).toHaveAttribute('data-scheme', 'light');
    await desk.getByRole('group', { name: '外观' }).getByRole('button', { name: '深色' }).click();
    await expect(root).toHaveAttribute('data-scheme', 'dark');
    await desk.getByRole('group', { name: '外观' }).getByRole('button', { name: '跟随系统' }).click();
    await expect(root).toHaveAttribute('data-scheme', 'light');
  });
});

test.describe('sites', () => {
  const show = (page: Page, name: string) => page.getByRole('group', { name: '显示哪些站点' }).getByRole('button', { name }).click();
  const act = async (page: Page, site: string, action: string): Promise<void> => {
    await siteMenu(page, site).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('are renamed, archived, restored, deleted by typed name and undeleted', async ({ context, desk, program }) => {
    const { id } = await program.addSite(context, '旧书店');
    await open(desk, '/home', '站点');
    const link = desk.getByRole('list', { name: '站点列表' }).getByRole('link', { name: '江边书店', exact: true });

    await act(desk, '旧书店', '重命名…');
    await desk.getByRole('dialog').getByLabel('名称').fill('江边书店');
    await desk.getByRole('dialog').getByRole('button', { name: '保存' }).click();
    await expect(link).toBeVisible();
    await expect(siteMenu(desk, '旧书店')).toHaveCount(0);

    await act(desk, '江边书店', '归档');
    await expect(link).toHaveCount(0);
    await desk.getByRole('button', { name: '撤销' }).click();
    await expect(link).toBeVisible();

    await act(desk, '江边书店', '归档');
    await expect(desk.getByText('已归档“江边书店”')).toBeVisible();
    await show(desk, '已归档');
    await expect(link).toBeVisible();

    await act(desk, '江边书店', '删除…');
    const dialog = desk.getByRole('dialog', { name: '删除“江边书店”' });
    const confirm = dialog.getByRole('button', { name: '移到回收站' });
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel('输入“江边书店”确认').fill('江边');
    await confirm.click();
    await expect(dialog).toContainText('和上面的文字不一致');
    await dialog.getByLabel('输入“江边书店”确认').fill('江边书店');
    await confirm.click();
    await expect(dialog).toHaveCount(0);
    await expect(link).toHaveCount(0);

    await show(desk, '回收站');
    await expect(desk.getByRole('list', { name: '回收站' })).toContainText('还剩 30 天');
    await desk.getByRole('button', { name: '恢复“江边书店”' }).click();
    await show(desk, '使用中');
    await expect(link).toBeVisible();
    await link.click();
    await expect(title(desk, '仪表盘')).toBeVisible();
    expect(desk.url()).toBe(`${program.origin}/site/${id}/dashboard`);
    await expect(rail(desk, '分析')).toBeVisible();
  });
});
