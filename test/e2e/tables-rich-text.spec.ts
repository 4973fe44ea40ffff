import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/accounts';
import { axe, violations } from './support/axe';

/** Rich text of a record: typed, formatted, pasted, linked, undone, stored and reloaded under the page's own policy. */

const post = async <T>(desk: Page, path: string, data: object): Promise<T> => {
  const origin = new URL(desk.url()).origin;
  const response = await desk.request.post(origin + path, { data, headers: { origin, 'x-requested-with': 'console' } });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { readonly data: T }).data;
};

const collectComplaints = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Trusted|Content Security/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
};

const paste = (page: Page, html: string, text: string): Promise<void> =>
  page.evaluate(
    ([rich, plain]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', rich ?? '');
      clipboardData.setData('text/plain', plain ?? '');
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, text],
  );

type Screen = { readonly desk: Page; readonly drawer: Locator; readonly body: Locator };

async function formatWithKeys({ desk, drawer, body }: Screen): Promise<void> {
  await expect(body).toHaveAttribute('aria-multiline', 'true');
  await body.focus();
  await desk.keyboard.type('明前 ');
  await desk.keyboard.press('Control+b');
  await desk.keyboard.type('龙井');
  await desk.keyboard.press('Control+b');
  await expect(body.locator('strong')).toHaveText('龙井');
  await desk.keyboard.press('Enter');
  await desk.keyboard.press('Control+Shift+Digit8');
  await desk.keyboard.type('水');
  await desk.keyboard.press('Enter');
  await desk.keyboard.type('茶');
  await expect(body.locator('ul > li')).toHaveText(['水', '茶']);
  await desk.keyboard.press('Alt+F10');
  const toolbar = drawer.getByRole('toolbar', { name: '文字格式' });
  await expect(toolbar.getByRole('button', { name: '加粗' })).toBeFocused();
  await desk.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: '斜体' })).toBeFocused();
  await expect(toolbar.getByRole('button', { name: '列表', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await desk.keyboard.press('Escape');
  await expect(body).toBeFocused();
  expect(await violations(desk)).toEqual([]);
}

async function undoTyping({ desk, drawer, body }: Screen): Promise<void> {
  await desk.keyboard.type('错');
  await expect(body).toContainText('茶错');
  await desk.keyboard.press('Control+z');
  await expect(body).not.toContainText('错');
  await desk.keyboard.press('Control+Shift+z');
  await expect(body).toContainText('错');
  await desk.keyboard.press('Backspace');
  await expect(drawer.getByRole('textbox', { name: '标题' })).toHaveValue('二');
}

async function pasteHostile({ desk, body }: Screen): Promise<void> {
  await desk.keyboard.press('Control+End');
  await desk.keyboard.press('Enter');
  await desk.keyboard.press('Enter');
  await paste(desk, '<meta charset="utf-8"><h2 style="color:red" class="x">来源</h2><p onclick="alert(1)">正<b>文</b></p>', '来源 正文');
  await expect(body.locator('h2')).toHaveText('来源');
  await expect(body.locator('[style], [onclick], [class="x"]')).toHaveCount(0);
  await paste(
    desk,
    '<img src="x" onerror="globalThis.attacked = true"><script>globalThis.attacked = true</script><a href="javascript:globalThis.attacked=true">坏</a><iframe src="https://a.example"></iframe><svg onload="attacked=1">图</svg>',
    '坏',
  );
  await expect(body.locator('script, iframe, svg, a, [onerror]')).toHaveCount(0);
  expect(await desk.evaluate(() => 'attacked' in globalThis)).toBe(false);
}

async function setLink({ desk, drawer, body }: Screen): Promise<void> {
  await desk.keyboard.press('Control+Home');
  await desk.keyboard.press('Shift+ArrowRight');
  await desk.keyboard.press('Shift+ArrowRight');
  await desk.keyboard.press('Control+k');
  const link = drawer.getByRole('textbox', { name: '链接地址' });
  await expect(link).toBeFocused();
  await link.fill('javascript:alert(1)');
  await desk.keyboard.press('Enter');
  await expect(drawer.getByRole('alert')).toContainText('https://');
  await link.fill('https://a.example/tea');
  await desk.keyboard.press('Enter');
  await expect(body.locator('a[href="https://a.example/tea"]')).toHaveText('明前');
  await expect(body).toBeFocused();
}

async function compose({ desk, body }: Screen): Promise<void> {
  await desk.keyboard.press('Control+End');
  const session = await desk.context().newCDPSession(desk);
  await session.send('Input.imeSetComposition', { text: 'cha', selectionStart: 3, selectionEnd: 3 });
  await session.send('Input.imeSetComposition', { text: '茶香', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.insertText', { text: '茶香' });
  await expect(body).toContainText('茶香');
  expect((await body.textContent())?.split('茶香')).toHaveLength(2);
}

test('rich text is typed, formatted, pasted clean, linked, undone, stored and reloaded', async ({ desk, office }) => {
  await desk.addInitScript({ path: axe });
  const site = await office.addSite(desk.context(), '云上书房');
  await desk.goto(`/site/${site.id}/table/records`);
  const tables = `/api/site/${site.id}/table/tables`;
  const table = await post<{ readonly id: string }>(desk, tables, {
    title: '文章',
    fields: [
      { key: 'title', type: 'text', title: '标题' },
      { key: 'body', type: 'richText', title: '正文' },
    ],
  });
  const old = '一<div>二</div><ul><li>甲</li></ul><table><tbody><tr><td>格</td></tr></tbody></table>';
  const created = await post<{ records: { id: string }[] }>(desk, `${tables}/${table.id}/records`, { records: [{ title: '一', body: old }, { title: '二' }] });
  const [oldId, newId] = created.records.map(({ id }) => id);
  const complaints = collectComplaints(desk);
  const address = (id: string | undefined): string => `/site/${site.id}/table/records?table=${table.id}&record=${id ?? ''}`;
  const drawer = desk.locator('.rec-drawer');
  const body = drawer.getByRole('textbox', { name: '正文' });
  const bodyOf = async (id: string | undefined): Promise<string> => {
    const response = await desk.request.get(`${tables}/${table.id}/records/${id ?? ''}`);
    return JSON.stringify(await response.json());
  };

  await desk.goto(address(newId));
  const screen: Screen = { desk, drawer, body };
  await test.step('typing and formatting with the keyboard alone', () => formatWithKeys(screen));
  await test.step('undo reverts only the text', () => undoTyping(screen));
  await test.step('pasted content is cleaned', () => pasteHostile(screen));
  await test.step('a link is set by keyboard and a script is refused', () => setLink(screen));
  await test.step('composed text is inserted once', () => compose(screen));

  await test.step('it is stored and reloaded', async () => {
    await desk.keyboard.press('Control+s');
    await expect.poll(() => bodyOf(newId)).toContain('<strong>龙井</strong>');
    const stored = await bodyOf(newId);
    expect(stored).toContain('<ul><li>水</li><li>茶</li></ul>');
    expect(stored).not.toMatch(/javascript|onerror|data-wrap|style=/);
    await desk.reload();
    await expect(body.locator('strong')).toHaveText('龙井');
    await expect(body.locator('a[href="https://a.example/tea"]')).toHaveText('明前');
    await expect(body).toContainText('茶香');
  });

  await test.step('an older text changes only where it is edited', async () => {
    await desk.goto(address(oldId));
    await expect(body.locator('td')).toHaveText('格');
    await body.locator('li').click();
    await desk.keyboard.press('End');
    await desk.keyboard.type('乙');
    await desk.keyboard.press('Control+s');
    await expect.poll(() => bodyOf(oldId)).toContain(old.replace('甲', '甲乙'));
  });
  expect(complaints).toEqual([]);
});
