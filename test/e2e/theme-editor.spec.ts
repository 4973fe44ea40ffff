import { expect, test } from './support/accounts';

test('a theme is chosen, set and edited beside its preview', async ({ desk, office }) => {
  const violations: string[] = [];
  desk.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) violations.push(message.text());
  });
  const site = await office.ask<{ id: string }>(desk.context(), 'POST', '/api/core/sites', { name: '云山茶舍', purpose: 'built' });
  const home = [{ kind: 'template', path: '/', template: 'home', title: {} }];
  await office.ask(desk.context(), 'PUT', `/api/site/${site.id}/setting/parts/routes`, home, { 'if-match': '"0"' });
  await desk.goto(`/site/${site.id}/setting/base/theme`);
  await desk.getByRole('button', { name: '使用主题“公司”' }).click();
  await expect(desk.getByText('已换成主题“公司”')).toBeVisible();

  // The frame of a site's host is admitted, and follows a setting.
  const page = desk.frameLocator('iframe.theme-page[data-loading="false"]');
  await expect(page.locator('body')).toBeVisible();
  await desk.getByRole('textbox', { name: '大标题' }).fill('山间一杯茶');
  await expect(page.getByRole('heading', { name: '山间一杯茶' })).toBeVisible();

  // CodeMirror has its styles and accepts typing under the console's policy.
  await desk.getByRole('button', { name: '文件', exact: true }).click();
  const editor = desk.getByRole('textbox', { name: 'templates/home.liquid 的内容' });
  await expect(editor).toBeVisible();
  await expect(desk.locator('.cm-gutters')).toHaveCSS('display', 'flex');
  await editor.press('ControlOrMeta+End');
  await desk.keyboard.type('{% nope %}');
  const problems = desk.getByRole('list', { name: '主题的问题' });
  await expect(problems).toContainText('nope');
  await expect(desk.locator('.cm-lint-marker-error')).toHaveCount(1);
  await desk.getByRole('button', { name: '保存', exact: true }).click();
  await expect(desk.getByText(/没有保存，修改还在这里/)).toBeVisible();
  await desk.getByRole('button', { name: '放弃修改' }).click();
  await editor.press('ControlOrMeta+End');
  await desk.keyboard.type('<p>{{ site.title }}：新的一行</p>');
  await expect(desk.getByText('没有发现问题')).toBeVisible();
  await desk.keyboard.press('ControlOrMeta+s');
  await expect(desk.getByText('templates/home.liquid 已保存')).toBeVisible();

  await desk.getByRole('button', { name: '与自带主题对比' }).click();
  await expect(desk.locator('.cm-merge-b .cm-changedLine')).not.toHaveCount(0);
  expect(violations).toEqual([]);
});
