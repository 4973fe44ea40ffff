import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from './support/accounts';

/** A photo of so much noise that it takes two chunks. */
async function largePhoto(path: string): Promise<void> {
  const [width, height] = [3200, 2400];
  const noise = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < noise.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    noise[at] = state >> 16;
  }
  await writeFile(
    path,
    await sharp(noise, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer(),
  );
}

test('an upload that was interrupted goes on after the page is opened again', async ({ desk, office }, info) => {
  const path = info.outputPath('waterfall.jpg');
  await largePhoto(path);
  const site = await office.addSite(desk.context(), '松风图库');
  const chunks: number[] = [];
  let cut = true;
  await desk.route('**/resource/uploads/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    const offset = Number(request.headers()['upload-offset']);
    // The connection breaks after the first chunk.
    if (offset > 0 && cut) return route.abort();
    chunks.push(offset);
    return route.continue();
  });
  await desk.goto(`/site/${site.id}/resource/images`);
  // The button for files changes its place once the list is known to be empty.
  await expect(desk.getByText('还没有图片')).toBeVisible();
  await desk.getByLabel('要上传的文件').setInputFiles(path);
  const uploads = desk.getByRole('region', { name: '上传', exact: true });
  await expect(uploads.getByText(/等待网络恢复/)).toBeVisible();
  desk.on('dialog', (dialog) => void dialog.accept());
  await desk.reload();
  await expect(uploads.getByText('上传中断')).toBeVisible();
  cut = false;
  await uploads.getByLabel('重新选择 waterfall.jpg').setInputFiles(path);
  await expect(uploads.getByText('上传完成。')).toBeVisible({ timeout: 30_000 });
  expect(chunks).toEqual([0, 8 * 1024 * 1024]);
  const card = desk.getByRole('link', { name: 'waterfall.jpg' });
  await expect(card).toBeVisible();
  await expect.poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);

  // The same content again: nothing is sent.
  await desk.getByLabel('要上传的文件').setInputFiles(path);
  await expect(uploads.getByText('站点已有此文件，无需上传。')).toBeVisible();
  expect(chunks).toHaveLength(2);

  // It opens, and moves to the bin and back.
  await card.first().click();
  const drawer = desk.getByRole('dialog', { name: 'waterfall.jpg' });
  await drawer.getByLabel('替代文本').fill('山间瀑布');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(desk.getByText('已保存“waterfall.jpg”')).toBeVisible();
  await drawer.getByRole('button', { name: '更多操作' }).click();
  await desk.getByRole('menuitem', { name: '移到回收站' }).click();
  await desk.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(card).toHaveCount(2);
});
