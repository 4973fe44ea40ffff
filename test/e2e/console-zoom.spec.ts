import type { Page } from '@playwright/test';
import type { ConsoleProgram } from './support/console';
import { expect, test, title } from './support/console';

/** Small windows: 1440 × 900 zoomed to 200 %, and 320 px wide (WCAG 1.4.4 and 1.4.10). All content can be scrolled into view. */
const windows = [
  { width: 720, height: 450 },
  { width: 320, height: 568 },
];
const layer = '[role="dialog"], dialog[open], [role="menu"], .MuiPopover-root';

/** Elements of the last selector that cannot be scrolled fully into the window, uncovered. */
function unreachable(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((within) => {
    const scope = [...document.querySelectorAll(within)].at(-1);
    if (!scope) return [`there is no ${within}`];
    const controls = 'a[href], button, input, select, textarea, [role="menuitem"], [role="tab"], [role="option"], [contenteditable="true"], td, th';
    return [...scope.querySelectorAll<HTMLElement>(controls)].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isHidden = !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('[aria-hidden="true"], [inert]');
      // One pixel: visible to screen readers only.
      if (isHidden || width <= 1 || height <= 1) return [];
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, right, top } = element.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      const isSeen = there !== null && (element.contains(there) || there.contains(element) || element.closest('label')?.contains(there) === true);
      const isCut = width <= innerWidth && (left < -1 || right > innerWidth + 1);
      return isSeen && !isCut ? [] : [`${element.tagName} ${element.ariaLabel ?? element.textContent ?? ''} (${Math.round(left)}…${Math.round(right)})`];
    });
  }, selector);
}
async function expectRoom(page: Page, selector = 'main'): Promise<void> {
  await expect.poll(() => unreachable(page, selector), selector).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function addTable(page: Page, program: ConsoleProgram): Promise<{ readonly records: string }> {
  const site = await program.addSite(page.context(), '云上茶舍');
  const tables = `/api/site/${site.id}/table/tables`;
  const { id } = await program.ask<{ id: string }>(page.context(), 'POST', tables, {
    title: '文章',
    drafts: true,
    locales: ['zh-Hans', 'en'],
    fields: [
      { key: 'title', type: 'text', title: '标题', localized: true, required: true },
      { key: 'body', type: 'richText', title: '正文' },
      { key: 'kind', type: 'select', title: '栏目', options: { choices: [{ id: 'guide', title: '指南', color: 'green' }] } },
      { key: 'day', type: 'date', title: '日期' },
    ],
  });
  await program.ask(page.context(), 'POST', `${tables}/${id}/records`, { records: [{ title: '龙井', kind: 'guide' }] });
  return { records: `/site/${site.id}/table/records?table=${id}` };
}

for (const size of windows) {
  test.describe(`in a window of ${size.width} px`, () => {
    test.use({ viewport: size });

    test('every column of a report can be scrolled to by keyboard', async ({ desk, program }) => {
      await desk.goto(`/site/${program.demo.id}/als/device`);
      await expect(title(desk, '设备与系统')).toBeVisible();
      // All blocks load at once, and this test may be the first to request them.
      await expect(desk.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 45_000 });
      await expectRoom(desk);
      const table = desk.getByRole('group', { name: '设备类型明细' });
      const end = () => table.evaluate((frame) => frame.scrollWidth - frame.clientWidth - frame.scrollLeft);
      await table.evaluate((frame) => frame.scrollTo({ left: 0, behavior: 'instant' }));
      await table.focus();
      await expect(async () => {
        await desk.keyboard.press('ArrowRight');
        expect(await end()).toBeLessThanOrEqual(1);
      }).toPass({ intervals: [50] });
    });

    test('a new record can be added and filled in', async ({ desk, program }) => {
      const { records } = await addTable(desk, program);
      await desk.goto(records);
      const add = desk.getByRole('button', { name: '新建记录' }).first();
      await expect(add).toBeInViewport({ ratio: 1 });
      await expectRoom(desk, '[role="toolbar"]');
      await add.click();
      await expect(desk.getByRole('grid')).toHaveAttribute('aria-rowcount', /[3-9]/);
      await desk.getByRole('button', { name: '打开记录' }).first().dispatchEvent('click');
      await expect(desk.locator('.rec-drawer')).toBeVisible();
      await expectRoom(desk, '.rec-drawer');
    });

    test('dialogs, drawers and menus remain usable to the end', async ({ desk, program }) => {
      test.slow();
      const { records } = await addTable(desk, program);
      const press = (name: string | RegExp) => desk.getByRole('button', { name, exact: true }).first().click();
      const als = `/site/${program.demo.id}/als`;
      const layers: readonly (readonly [path: string, openIt: () => Promise<void>])[] = [
        [`${records}&import=new`, async () => undefined],
        [records, () => press('新建视图')],
        [`${als}/overview`, () => press(/最近 7 天/)],
        [`${als}/goal`, () => press(/^(添加|新建)目标/)],
        ['/account/users/account_users', () => press('邀请成员')],
        ['/account/contacts/account_contacts', () => desk.getByRole('link', { name: '添加联系人' }).first().click()],
        ['/home', () => press(/^我的账号/)],
      ];
      for (const [path, openIt] of layers) {
        await test.step(path, async () => {
          await desk.goto(path);
          await openIt();
          await expect(desk.locator(layer).last()).toBeVisible();
          await expectRoom(desk, layer);
        });
      }
    });
  });
}
