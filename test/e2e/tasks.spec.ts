import type { Page } from '@playwright/test';
import type { Digests } from '../../contract/digests/schemas';
import type { Invite } from '../../contract/people/schemas';
import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { startFixtureSite } from '../fixtures/site/server';
import { expect, test } from './support/accounts';
import { comeAs } from './support/visitor';

/**
 * Everyday tasks and the clicks that they take. Typing is free; whatever a pointer presses, and Enter outside of a text, counts. The sharing of a report and the
 * comparison of months are in the specs of their screens.
 */

/** Counts the presses of real pointers, and of Enter, that anything on the page reacts to. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const add = (): void => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
    addEventListener('pointerdown', (event) => event.isTrusted && add(), true);
    addEventListener(
      'keydown',
      (event) => {
        const cell = event.target instanceof Element && event.target.closest('[role="grid"], .g-editor, .g-catcher') !== null;
        if (event.isTrusted && event.key === 'Enter' && !cell) add();
      },
      true,
    );
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')));
}
const rail = (page: Page, name: string) => page.getByRole('navigation', { name: '导航' }).getByRole('link', { name, exact: true });

test('the first visit is on screen after four clicks', async ({ desk, office }) => {
  await desk.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clicks = await countClicks(desk);
  const shop = await startFixtureSite();
  await desk.goto('/home');
  await desk.getByRole('link', { name: '添加站点' }).first().click();
  await desk.getByRole('button', { name: '下一步' }).click();
  await desk.getByLabel('站点名称').fill('山间茶铺');
  await desk.getByLabel('网址').fill(shop.origin);
  await desk.getByRole('button', { name: '直接添加' }).click();
  await desk.getByRole('button', { name: '复制代码' }).click();
  await expect.poll(() => desk.evaluate(() => navigator.clipboard.readText())).toContain('data-site');
  shop.tag = await desk.evaluate(() => navigator.clipboard.readText());
  const visitor = await comeAs({ agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', address: '114.114.114.114' }, office.origin);
  await visitor.page.goto(shop.origin);
  await expect(desk.getByText('已收到第一次访问')).toBeVisible();
  expect(await clicks()).toBe(4);
  await visitor.leave();
  await shop.close();
});

test('a CSV becomes a table with its records in four clicks', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '云上茶舍');
  const clicks = await countClicks(desk);
  await desk.goto(`/site/${site.id}/table/records`);
  await desk.getByRole('button', { name: '从文件新建' }).click();
  const choosing = desk.waitForEvent('filechooser');
  await desk.getByRole('dialog').getByRole('button', { name: '选择文件' }).click();
  const buffer = Buffer.from('名称,产地,价格\n龙井,杭州,268\n白毫银针,福鼎,320\n');
  await (await choosing).setFiles({ name: '茶叶.csv', mimeType: 'text/csv', buffer });
  await desk.getByRole('button', { name: '试运行' }).click();
  await desk.getByRole('button', { name: '导入 2 行' }).click();
  await expect(desk.getByText('导入完成')).toBeVisible();
  expect(await clicks()).toBe(4);
  const path = `/api/site/${site.id}/table/tables`;
  const [table] = await office.ask<ContentTable[]>(desk.context(), 'GET', path);
  expect(table?.fields.map(({ title }) => title)).toEqual(['名称', '产地', '价格']);
  expect((await office.ask<RecordPage>(desk.context(), 'GET', `${path}/${table?.id ?? ''}/records?count=exact`)).total).toBe(2);
});

/** Drops a picture on what is at a point, as a person does with the mouse: one press. */
async function dropPicture(page: Page, point: { readonly x: number; readonly y: number }): Promise<void> {
  await page.evaluate(async ({ x, y }) => {
    const canvas = new OffscreenCanvas(640, 400);
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = '#4f8672';
    context?.fillRect(0, 0, 640, 260);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([await canvas.convertToBlob()], 'spring-tea.png', { type: 'image/png' }));
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.elementFromPoint(x, y)?.dispatchEvent(new DragEvent(type, { dataTransfer, clientX: x, clientY: y, bubbles: true, cancelable: true }));
  }, point);
}

test('articles with an author and a picture, one of them published, take eight clicks', async ({ desk, office }) => {
  // Wide enough for the column of covers.
  await desk.setViewportSize({ width: 1600, height: 900 });
  const site = await office.addSite(desk.context(), '问山茶肆');
  const clicks = await countClicks(desk);
  await desk.goto(`/site/${site.id}/table/records`);
  await desk.getByRole('button', { name: '新建内容表' }).click();
  const dialog = desk.getByRole('dialog', { name: '新建内容表' });
  await dialog.getByText('文章', { exact: true }).click();
  await dialog.getByLabel('先存草稿，再发布').click();
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  await desk.getByRole('button', { name: '新建记录' }).first().click();
  await expect(desk.locator('.g-catcher')).toBeFocused();
  await desk.keyboard.type('春茶上市');
  await desk.keyboard.press('Enter');
  const written = desk.getByRole('gridcell').filter({ hasText: '春茶上市' });
  await expect(written).toBeVisible();
  const path = `/api/site/${site.id}/table/tables`;
  const [table] = await office.ask<ContentTable[]>(desk.context(), 'GET', path);
  const state = async () => (await office.ask<RecordPage>(desk.context(), 'GET', `${path}/${table?.id ?? ''}/records?names=key`)).rows[0];
  const [row, column] = [await written.boundingBox(), await desk.getByRole('columnheader', { name: '封面' }).boundingBox()];
  await dropPicture(desk, { x: (column?.x ?? 0) + 30, y: (row?.y ?? 0) + 10 });
  const pressesOfDrop = 1;
  await expect.poll(async () => (await state())?.values['cover']).toEqual([{ resource: expect.any(String) }]);
  await desk.getByRole('grid').getByRole('checkbox').nth(1).click();
  await desk.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '发布', exact: true }).click();
  await expect.poll(async () => (await state())?.state).toBe('published');
  expect((await state())?.values['author']).toEqual(expect.any(String));
  expect((await clicks()) + pressesOfDrop).toBe(8);
});

test('an editor of one site is invited in five clicks', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '小满书铺');
  const clicks = await countClicks(desk);
  await desk.goto('/home');
  await rail(desk, '成员与权限').click();
  await desk.getByRole('button', { name: '邀请成员' }).click();
  const dialog = desk.getByRole('dialog', { name: '邀请成员' });
  await dialog.getByLabel('邮箱').fill('editor@xiaoman.example');
  const sites = dialog.getByRole('combobox', { name: '选择站点…' });
  // A person opens the list and presses an entry of it.
  const pressesOfList = 2;
  await sites.selectOption('小满书铺');
  const role = dialog.getByRole('combobox', { name: '在 小满书铺 的角色' });
  await expect(role).toBeFocused();
  while ((await role.inputValue()) !== 'editor') await desk.keyboard.press('ArrowUp');
  await dialog.getByRole('button', { name: '生成邀请' }).click();
  await expect(desk.getByRole('dialog', { name: '邀请已生成' })).toBeVisible();
  expect((await clicks()) + pressesOfList).toBe(5);
  const invites = await office.ask<Invite[]>(desk.context(), 'GET', '/api/acc/invites');
  expect(invites.find(({ email }) => email === 'editor@xiaoman.example')?.grants).toMatchObject([{ siteId: site.id, role: 'editor' }]);
});

test('an alert for half the visits takes three clicks', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '海风民宿');
  const clicks = await countClicks(desk);
  await desk.goto(`/site/${site.id}/als/trend`);
  await desk.getByRole('button', { name: '分享', exact: true }).click();
  await desk.getByRole('link', { name: '流量异常时通知我' }).click();
  await desk.getByRole('button', { name: '访问减半时通知我' }).click();
  await expect(desk.getByText('已保存')).toBeVisible();
  expect(await clicks()).toBe(3);
  const { rules } = await office.ask<Digests>(desk.context(), 'GET', `/api/site/${site.id}/als/digests`);
  expect(rules).toMatchObject([{ measure: 'visits', direction: 'drop', percent: 50 }]);
});

test('archiving a site and removing a goal are undone in one click', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '归去来书屋');
  const goals = `/api/site/${site.id}/als/goals`;
  await office.ask(desk.context(), 'POST', goals, { name: '下单', condition: { kind: 'page', match: 'is', path: '/thanks' }, worth: { kind: 'none' } });
  const clicks = await countClicks(desk);
  const undo = async (): Promise<void> => {
    const before = await clicks();
    await desk.getByRole('button', { name: '撤销', exact: true }).click();
    expect(await clicks()).toBe(before + 1);
  };
  await desk.goto('/home');
  const card = desk.getByRole('main').getByRole('link', { name: '归去来书屋', exact: true });
  await desk.getByRole('button', { name: '“归去来书屋”的操作' }).click();
  await desk.getByRole('menuitem', { name: '归档' }).click();
  await expect(card).toHaveCount(0);
  await undo();
  await expect(card).toBeVisible();

  await desk.goto(`/site/${site.id}/als/goal`);
  await desk.getByRole('button', { name: '删除 下单' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(desk.getByText('已删除目标“下单”')).toBeVisible();
  await undo();
  await expect.poll(async () => (await office.ask<{ name: string }[]>(desk.context(), 'GET', goals)).map(({ name }) => name)).toEqual(['下单']);
});
