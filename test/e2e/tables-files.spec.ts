import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import type { ContentPage } from '../../contract/tables/access';
import type { ContentTable } from '../../contract/tables/schemas';
import type { PublicResource } from '../../contract/resources/labels';
import type { Site } from '../../contract/sites/schemas';
import { expect, test } from './support/accounts';

/** Pictures of records: from dropped photos to a published article. */

const tables = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/tables${rest}`;
const jpeg = (width: number, height: number, hue: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: (hue * 37) % 256, g: (hue * 91) % 256, b: (hue * 53) % 256 } } })
    .jpeg()
    .toBuffer();

const noPicture = { url: '', srcset: '', width: 0, height: 0 };

/** Drops files on an element, as the browser does with files from a folder. */
async function drop(target: Locator, files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<void> {
  const data = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
  const transfer = await target.page().evaluateHandle((list) => {
    const into = new DataTransfer();
    for (const { name, base64 } of list)
      into.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name, { type: 'image/jpeg' }));
    return into;
  }, data);
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = { clientX: x + width / 2, clientY: y + height / 2 };
  for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, { ...at, dataTransfer: transfer });
}
const areLoaded = (images: Locator): Promise<boolean> =>
  images.evaluateAll((all) => all.length > 0 && all.every((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0));

test('thirty photos dropped on an empty table become records with thumbnails', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '三十张照片');
  const table = await office.ask<ContentTable>(desk.context(), 'POST', tables(site.id), { title: '照片墙' });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  const empty = desk.getByText('还没有记录');
  await expect(empty).toBeVisible();
  const photos = await Promise.all(Array.from({ length: 30 }, async (_, n) => ({ name: `山门 ${n + 1}.jpg`, bytes: await jpeg(90, 60, n + 1) })));
  await drop(empty, photos);
  await expect(desk.getByText('已添加 30 条记录')).toBeVisible({ timeout: 30_000 });
  await expect(desk.getByRole('columnheader', { name: '图片' })).toBeVisible();
  await expect(desk.getByRole('gridcell', { name: '山门 1', exact: true })).toBeVisible();
  const thumbnails = desk.getByRole('grid').locator('img');
  await expect.poll(() => areLoaded(thumbnails)).toBe(true);

  // One more on a row belongs to that record.
  const before = await thumbnails.count();
  await drop(desk.getByRole('gridcell', { name: '山门 1', exact: true }), [{ name: '侧门.jpg', bytes: await jpeg(90, 60, 31) }]);
  await expect(desk.getByText('已添加到“图片”')).toBeVisible({ timeout: 30_000 });
  await expect(thumbnails).toHaveCount(before + 1);

  // The gallery shows them as covers.
  const view = await office.ask<{ id: string }>(desk.context(), 'POST', tables(site.id, `/${table.id}/views`), { title: '相册', kind: 'gallery', query: {} });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}&view=${view.id}`);
  await expect(desk.locator('.tables-cover img')).toHaveCount(30);
  await expect
    .poll(() =>
      desk
        .locator('.tables-cover img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(90);
});

test('undo takes back the field that dropped photos added', async ({ desk, office }) => {
  const site = await office.addSite(desk.context(), '撤销照片');
  const table = await office.ask<ContentTable>(desk.context(), 'POST', tables(site.id), { title: '照片' });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  await drop(desk.getByText('还没有记录'), [{ name: '山门.jpg', bytes: await jpeg(90, 60, 1) }]);
  const header = desk.getByRole('columnheader', { name: '图片' });
  await expect(header).toBeVisible({ timeout: 30_000 });
  await desk.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(header).toBeHidden();
  await expect(desk.getByText('还没有记录')).toBeVisible();
});

test('the picture of a published article arrives as AVIF in the size that fits', async ({ desk, office }) => {
  const context = desk.context();
  const site = await office.ask<Site>(context, 'POST', '/api/core/sites', { name: '图文站', purpose: 'built', slug: 'pictured-articles' });
  const fields = [
    { key: 'title', type: 'text', title: '标题' },
    { key: 'cover', type: 'image', title: '封面' },
  ];
  const table = await office.ask<ContentTable>(context, 'POST', tables(site.id), { title: '图文', key: 'stories', drafts: true, fields });
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  await drop(desk.getByText('还没有记录'), [{ name: '春茶开采.jpg', bytes: await jpeg(1000, 600, 5) }]);
  await expect(desk.getByText('已添加 1 条记录')).toBeVisible({ timeout: 30_000 });
  await desk.getByRole('button', { name: '发布 1 条' }).click();
  await expect(desk.getByRole('button', { name: '发布', exact: true })).toBeDisabled();
  const rules = await office.ask<{ revision: number }>(context, 'GET', tables(site.id, `/${table.id}/rules`));
  const open = { rules: [{ role: 'public', action: 'read', allowed: true }] };
  await office.ask(context, 'PUT', tables(site.id, `/${table.id}/rules`), open, { 'if-match': `"${rules.revision}"` });

  // The page is that of a theme: made of what the content API returns.
  type Story = { readonly title: string; readonly cover: readonly PublicResource[] };
  const { rows } = await office.ask<ContentPage>(context, 'GET', `/api/site/${site.id}/content/stories`);
  const [{ title, cover } = { title: '', cover: [] }] = rows.map(({ values }) => values as Story);
  const [{ url, srcset, width, height } = noPicture] = cover;
  const picture = (side: number): string =>
    `<img src="${url}" srcset="${srcset}" sizes="${side}px" width="${width}" height="${height}" alt="" style="width:${side}px">`;
  const origin = `http://pictured-articles.localhost:${office.deliveryPort}`;
  await desk.route(`${origin}/stories/1`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: `<h1>${title}</h1>${picture(300)}${picture(600)}` }),
  );
  const types: string[] = [];
  desk.on('response', (response) => {
    if (response.url().includes('/_r/')) types.push(`${String(response.status())} ${response.headers()['content-type'] ?? ''}`);
  });
  await desk.goto(`${origin}/stories/1`);
  await expect(desk.getByRole('heading', { name: '春茶开采' })).toBeVisible();
  await expect.poll(() => areLoaded(desk.locator('img'))).toBe(true);
  const chosen = await desk.locator('img').evaluateAll((all) => all.map((image) => new URL((image as HTMLImageElement).currentSrc).pathname.split('/')[4]));
  expect(chosen).toEqual(['thumbnail', 'small']);
  expect(types).toEqual(['200 image/avif', '200 image/avif']);
});

test('a photo sent with a form is in the record and the resources', async ({ desk, office, browser }) => {
  const context = desk.context();
  const site = await office.addSite(context, '摄影征集');
  const fields = [
    { key: 'title', type: 'text', title: '题目' },
    { key: 'photo', type: 'image', title: '照片' },
  ];
  const table = await office.ask<ContentTable>(context, 'POST', tables(site.id), { title: '投稿', fields });
  const view = await office.ask<{ id: string }>(context, 'POST', tables(site.id, `/${table.id}/views`), { title: '征集', kind: 'form', query: {} });
  const files = { maxBytes: 1_000_000, most: 1, types: ['image'] };
  const { url } = await office.ask<{ url: string }>(context, 'POST', tables(site.id, `/${table.id}/views/${view.id}/shares`), {
    name: '征集',
    form: { files },
  });
  const visitor = await browser.newPage();
  await visitor.goto(url);
  await visitor.getByLabel('题目').fill('云海');
  await visitor.getByLabel('照片').setInputFiles([{ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html></html>') }]);
  await expect(visitor.getByText('这个表单不接受 page.jpg。')).toBeVisible();
  await visitor.getByLabel('照片').setInputFiles([{ name: '云海.jpg', mimeType: 'image/jpeg', buffer: await jpeg(120, 80, 7) }]);
  await expect(visitor.getByRole('button', { name: '移除 云海.jpg' })).toBeVisible();
  await visitor.getByRole('button', { name: '提交' }).click();
  await expect(visitor.getByRole('heading', { name: '提交成功' })).toBeVisible();
  await visitor.close();
  await desk.goto(`/site/${site.id}/table/records?table=${table.id}`);
  await expect(desk.getByRole('gridcell', { name: '云海', exact: true })).toBeVisible();
  await expect.poll(() => areLoaded(desk.getByRole('grid').locator('img'))).toBe(true);
  await desk.goto(`/site/${site.id}/resource/images`);
  await expect(desk.getByRole('link', { name: '云海.jpg' })).toBeVisible();
});
