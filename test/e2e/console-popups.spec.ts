import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Popups stay at their button and inside the window, work by keyboard and comply with the page's policy. */

const collectComplaints = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Trusted|Content Security/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
};
const post = async <T>(desk: Page, path: string, data: object): Promise<T> => {
  const origin = new URL(desk.url()).origin;
  const response = await desk.request.post(origin + path, { data, headers: { origin, 'x-requested-with': 'console' } });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { readonly data: T }).data;
};
const expectInside = async (desk: Page, panel: Locator): Promise<void> => {
  await expect
    .poll(async () => {
      const box = await panel.boundingBox();
      const { width, height } = desk.viewportSize() ?? { width: 0, height: 0 };
      return box !== null && box.width > 0 && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    })
    .toBe(true);
};

test('menus, panels and cell editors fit the window and manage focus', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上画室');
  await desk.goto(`/site/${site.id}/table/records`);
  const tables = `/api/site/${site.id}/table/tables`;
  const fields = [
    { key: 'title', type: 'text', title: '标题' },
    { key: 'kind', type: 'select', title: '栏目', options: { choices: [{ id: 'guide', title: '指南', color: 'green' }] } },
  ];
  const table = await post<{ readonly id: string }>(desk, tables, { title: '画', fields });
  await post(desk, `${tables}/${table.id}/records`, { records: Array.from({ length: 60 }, (_, at) => ({ title: `画 ${String(at)}` })) });
  const complaints = collectComplaints(desk);
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  const grid = desk.getByRole('grid');
  await expect(grid).toBeVisible();

  await test.step('the filter is a dialog beside its button', async () => {
    const button = desk.getByRole('button', { name: '筛选' }).first();
    await button.focus();
    await desk.keyboard.press('Enter');
    const panel = desk.getByRole('dialog', { name: '筛选' });
    await expectInside(desk, panel);
    expect((await panel.boundingBox())?.y).toBeGreaterThan((await button.boundingBox())?.y ?? Infinity);
    expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  await test.step('a menu at the lower edge stays inside, with arrow-key navigation', async () => {
    const { height } = desk.viewportSize() ?? { height: 0 };
    const box = await grid.boundingBox();
    await desk.mouse.click((box?.x ?? 0) + 200, height - 60, { button: 'right' });
    const menu = desk.getByRole('menu');
    await expectInside(desk, menu);
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await desk.keyboard.press('ArrowDown');
    await expect(menu.getByRole('menuitem').first()).not.toBeFocused();
    await desk.mouse.click(700, 20);
    await expect(menu).toHaveCount(0);
  });

  await test.step('the editor of a cell lies over its cell', async () => {
    const box = await grid.boundingBox();
    await desk.mouse.click((box?.x ?? 0) + 160, (box?.y ?? 0) + 90);
    await desk.keyboard.press('ArrowRight');
    await desk.keyboard.press('Enter');
    const panel = desk.getByRole('dialog', { name: '栏目' });
    await expectInside(desk, panel);
    expect((await panel.boundingBox())?.y).toBeLessThan((box?.y ?? 0) + 140);
    await desk.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});
