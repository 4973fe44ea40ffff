import type { Page } from '@playwright/test';
import { axe, violations } from './support/axe';
import { expect, open, owner, rail, screens, test, title } from './support/console';

/** The console as a whole: no browser errors, and accessibility. */

/** What the browser reports: errors, warnings and every policy violation, including Trusted Types. */
async function hearComplaints(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()} at ${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught at ${page.url()}: ${String(error)}`));
  await page.exposeFunction('complain', (complaint: string) => complaints.push(complaint));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      (globalThis as unknown as { complain: (complaint: string) => void }).complain(
        `policy at ${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      ),
    ),
  );
  return complaints;
}

test('visiting every screen and menu logs no browser errors', async ({ desk, program }) => {
  const complaints = await hearComplaints(desk);
  for (const { path, zh } of screens(program.demo.id)) await test.step(path, () => open(desk, path, zh));

  await test.step('the events of one page', async () => {
    await open(desk, `/site/${program.demo.id}/als/latest`, '实时访问');
    await desk.getByRole('table', { name: '访问列表' }).locator('tbody').getByRole('rowheader').first().getByRole('button').click();
    await desk.getByRole('row', { name: '访问路径' }).getByRole('listitem').getByRole('link').first().click();
    await expect(desk).toHaveURL(/\/als\/latest\/events\/[0-9a-f]{16}/);
    await expect(title(desk, /./)).toBeVisible();
  });
  await test.step('menus', async () => {
    for (const [button, panel] of [
      [`我的账号：${owner.displayName}`, '我的账号'],
      ['通知', '通知'],
    ] as const) {
      await desk.getByRole('button', { name: button }).click();
      await expect(desk.getByRole(button === '通知' ? 'dialog' : 'menu', { name: panel })).toBeVisible();
      await desk.keyboard.press('Escape');
    }
    await desk.getByRole('button', { name: /^切换站点/ }).click();
    await expect(desk.getByRole('option', { name: program.demo.name })).toBeVisible();
    await desk.keyboard.press('Escape');
    await desk.keyboard.press('Control+k');
    await expect(desk.getByRole('dialog', { name: '搜索页面、站点和操作' })).toBeVisible();
    await desk.keyboard.press('Escape');
  });
  await test.step('from screen to screen without loading a document', async () => {
    await open(desk, `/site/${program.demo.id}/als/latest`, '实时访问');
    await rail(desk, '概况').click();
    await desk.getByRole('navigation', { name: '概况' }).getByRole('link', { name: '趋势' }).click();
    await expect(title(desk, '趋势')).toBeVisible();
    for (const name of ['概况', '仪表盘', '站点', '联系人', '成员与权限', '订单与发票', '个人中心']) {
      await rail(desk, name).click();
      await expect(title(desk, name)).toBeVisible();
    }
  });
  await test.step('the steps of adding a site', async () => {
    await open(desk, '/home/create/home_create_empty', '添加站点');
    await desk.getByRole('button', { name: '下一步' }).click();
    await desk.getByRole('button', { name: '下一步' }).click();
    await expect(desk.getByLabel('站点名称')).toHaveAttribute('aria-invalid', 'true');
    await expect(desk.getByText('必填').first()).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test.describe('accessibility of', () => {
  test.beforeEach(async ({ context }) => context.addInitScript({ path: axe }));
  test.afterEach(async ({ context, program }) => {
    await program.signIn(context);
    await program.prefer(context, { locale: 'zh-CN', colorScheme: 'system' });
  });

  const looks = [
    { locale: 'zh-CN', colorScheme: 'light', key: 'zh', signIn: '登录', done: '已经设置过了' },
    { locale: 'en', colorScheme: 'dark', key: 'en', signIn: 'Sign in', done: /./ },
  ] as const;
  for (const { locale, colorScheme, key, signIn, done } of looks) {
    test(`every screen, ${locale} ${colorScheme}`, async ({ context, page, program }) => {
      test.slow();
      await context.addInitScript(
        ([name, scheme]) => {
          localStorage.setItem('console:locale', name);
          localStorage.setItem('console:scheme', scheme);
        },
        [locale, colorScheme] as const,
      );
      const found: string[] = [];
      await open(page, '/sign/', signIn);
      found.push(...(await violations(page)));
      await open(page, '/sign/setup', done);
      found.push(...(await violations(page)));

      await program.signIn(context);
      await program.prefer(context, { locale, colorScheme });
      for (const screen of screens(program.demo.id)) {
        await test.step(screen.path, async () => {
          await open(page, screen.path, screen[key]);
          await expect(page.locator('html')).toHaveAttribute('data-scheme', colorScheme);
          found.push(...(await violations(page)));
        });
      }
      expect(found).toEqual([]);
    });
  }

  test('the form of the first owner, light and dark', async ({ page }) => {
    // An owner exists; the response is changed to say otherwise.
    await page.route('**/api/acc/sign/setup-state', (route) => route.fulfill({ json: { data: { needed: true, tokenValid: true } } }));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/sign/setup?again#t=a-token');
      await expect(title(page, '创建第一个账号')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.goto('about:blank');
    }
  });
});
