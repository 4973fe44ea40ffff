import type { Page } from '@playwright/test';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** A form with sections: designed by pointer, then filled in. */

type Table = { readonly id: string };
const post = async <T>(desk: Page, path: string, data: object): Promise<T> => {
  const origin = new URL(desk.url()).origin;
  const answer = await desk.request.post(origin + path, { data, headers: { origin, 'x-requested-with': 'console' } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { readonly data: T }).data;
};

test('a form is divided into sections, in which records are edited', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上茶舍');
  await desk.goto(`/site/${site.id}/table/records`);
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await post<Table>(desk, tables, {
    title: '茶叶',
    fields: [
      { key: 'name', type: 'text', title: '名称' },
      { key: 'origin', type: 'text', title: '产地' },
      { key: 'price', type: 'number', title: '价格' },
      { key: 'stock', type: 'integer', title: '库存', options: { min: 0 } },
      { key: 'note', type: 'longText', title: '备注' },
    ],
  });
  const created = await post<{ records: { id: string }[] }>(desk, `${tables}/${table.id}/records`, { records: [{ name: '龙井' }] });

  await desk.goto(`/site/${site.id}/table/table_fields?table=${table.id}`);
  await desk.getByRole('tab', { name: '表单布局' }).click();
  await expect(desk).toHaveURL(/part=layout/);
  await desk.getByRole('button', { name: '添加分组' }).click();
  const second = desk.getByRole('region', { name: '第 2 个分组' });
  await expect(second.getByLabel(/^标题/)).toBeFocused();
  await second.getByLabel(/^标题/).fill('售卖');
  const drag = async (name: string): Promise<void> => {
    const grip = desk.getByRole('button', { name: `移动“${name}”` });
    const end = second.getByRole('list');
    await grip.scrollIntoViewIfNeeded();
    await grip.hover();
    await desk.mouse.down();
    // The list scrolls while an item is dragged to its edge.
    await expect(async () => {
      const box = await end.boundingBox();
      await desk.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + (box?.height ?? 0) - 6, { steps: 4 });
      await expect(second).toHaveAttribute('data-over', '', { timeout: 500 });
    }).toPass();
    await desk.mouse.up();
  };
  await drag('价格');
  await drag('库存');
  await expect(second.getByRole('listitem')).toHaveText([/价格/, /库存/]);
  await desk.getByRole('combobox', { name: '“价格”的宽度' }).selectOption('半行');
  await desk.getByRole('combobox', { name: '“库存”的宽度' }).selectOption('半行');
  await second.getByRole('checkbox', { name: '默认折叠' }).check();
  await desk.getByRole('button', { name: '把“备注”移出表单' }).click();
  await expect(desk.getByRole('region', { name: '预览' }).getByRole('button', { name: '售卖' })).toHaveAttribute('aria-expanded', 'false');
  expect(await violations(desk)).toEqual([]);
  await desk.getByRole('button', { name: '保存布局' }).click();
  await expect(desk.getByText('已保存“茶叶”的表单布局')).toBeVisible();
  await desk.reload();
  await expect(second.getByRole('listitem')).toHaveText([/价格/, /库存/]);

  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&record=${created.records[0]?.id ?? ''}`);
  const drawer = desk.locator('.rec-drawer');
  await expect(drawer.getByRole('textbox', { name: '产地' })).toBeVisible();
  await expect(drawer.getByText('备注')).toHaveCount(0);
  const heading = drawer.getByRole('button', { name: '售卖' });
  await expect(heading).toHaveAttribute('aria-expanded', 'false');
  await heading.click();
  const stock = drawer.getByRole('textbox', { name: '库存' });
  await stock.fill('-3');
  await heading.click();
  await expect(stock).toBeHidden();
  // An error in a collapsed section expands it and moves the focus there.
  await desk.keyboard.press('Control+s');
  await expect(stock).toBeFocused();
  const [left, right] = [await drawer.getByText('价格').boundingBox(), await drawer.getByText('库存').boundingBox()];
  expect(right?.y).toBe(left?.y);
  await desk.setViewportSize({ width: 390, height: 844 });
  await expect(async () => {
    const [above, below] = [await drawer.getByText('价格').boundingBox(), await drawer.getByText('库存').boundingBox()];
    expect(below?.x).toBe(above?.x);
  }).toPass();
  await stock.fill('3');
  await drawer.getByRole('button', { name: '保存', exact: true }).click();
  await expect(drawer.getByRole('region', { name: '有未保存的修改' })).toHaveCount(0);
  expect(await violations(desk)).toEqual([]);
});
