import { expect, test } from './support/accounts';
import { staticFiles, zipOf } from '../support/siteArchives';

test('a website of files is imported, published, and has no broken link', async ({ desk, office }) => {
  const { 'site/about.html': about = '', ...files } = await staticFiles();
  const whole = { ...files, 'site/about.html': String(about).replace(' <img src="img/missing.png">', '') };
  await desk.goto('/home/create');
  await desk.getByRole('link', { name: '导入网站' }).click();
  await desk.locator('input[type="file"]').setInputFiles({ name: 'tea.zip', mimeType: 'application/zip', buffer: await zipOf(whole) });
  await expect(desk.getByText('识别为HTML 网站。')).toBeVisible();
  await desk.getByRole('textbox', { name: '表的名称' }).first().fill('首页内容');
  await desk.getByRole('button', { name: '下一步' }).click();
  const name = desk.getByRole('textbox', { name: '站点名称' });
  await expect(name).toHaveValue('Tea House');
  await desk.getByRole('button', { name: '下一步' }).click();
  await desk.getByRole('button', { name: '上一步' }).click();
  await name.fill('茶舍');
  await desk.getByRole('button', { name: '下一步' }).click();
  await expect(desk.getByText('创建站点“茶舍”')).toBeVisible();
  await desk.getByRole('button', { name: '导入', exact: true }).click();
  await expect(desk.getByText('没有失效地址。')).toBeVisible({ timeout: 30_000 });
  await desk.reload();
  await expect(desk.getByText('已导入', { exact: true })).toBeVisible();

  await desk.getByRole('link', { name: '发布站点' }).click();
  await desk.getByRole('form', { name: '待发布的修改' }).getByRole('button', { name: '发布', exact: true }).click();
  await expect(desk.getByText('已发布第 1 版')).toBeVisible();
  const siteId = /\/site\/([a-z2-7]{12})/.exec(desk.url())?.[1] ?? '';
  const { systemHost } = await office.ask<{ systemHost: string }>(desk.context(), 'GET', `/api/core/sites/${siteId}`);
  const visitor = await desk.context().newPage();
  await visitor.goto(`${systemHost}/`);
  const crawled = await visitor.evaluate(async () => {
    const waiting = ['/', '/about.html', '/news/one.html', '/news/two.html', '/news/three.html'];
    const known = new Set(waiting);
    const broken: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const response = await fetch(path);
      if (!response.ok) broken.push(path);
      if (!response.headers.get('content-type')?.includes('html')) continue;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const addresses = [...page.querySelectorAll('a[href], img[src]')].map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '');
      for (const address of addresses) {
        const url = new URL(address, new URL(path, location.origin));
        if (url.origin !== location.origin || known.has(url.pathname)) continue;
        known.add(url.pathname);
        waiting.push(url.pathname);
      }
    }
    return { broken, pages: known.size };
  });
  expect(crawled.broken).toEqual([]);
  expect(crawled.pages).toBeGreaterThan(8);
});
