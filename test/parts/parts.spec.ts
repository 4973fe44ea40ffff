import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { axe, violations } from '../e2e/support/axe';

const folder = path.join(import.meta.dirname, '../../.cache/parts');
const origin = 'http://parts.localhost';

/** Opens the built page; its files come from the folder of the build. */
async function openParts(page: Page, locale: 'zh-CN' | 'en', scheme: 'light' | 'dark'): Promise<void> {
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname === '/missing.png'
      ? route.fulfill({ status: 404 })
      : route.fulfill({ path: path.join(folder, pathname === '/__parts' ? 'parts.html' : pathname) });
  });
  await page.addInitScript(
    ([language, look]) => {
      localStorage.setItem('console:locale', language);
      localStorage.setItem('console:scheme', look);
    },
    [locale, scheme] as const,
  );
  await page.addInitScript({ path: axe });
  await page.goto(`${origin}/__parts`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}

const looks = [
  ['zh-CN', 'light'],
  ['zh-CN', 'dark'],
  ['en', 'light'],
  ['en', 'dark'],
] as const;

for (const [locale, scheme] of looks)
  test(`every part is accessible in ${locale}, ${scheme}`, async ({ page }, info) => {
    await openParts(page, locale, scheme);
    await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
    await info.attach(`${locale} ${scheme}`, { path: await picture(page, info.outputPath(`parts-${locale}-${scheme}.png`)) });
    expect(await violations(page)).toEqual([]);
  });

for (const [locale, scheme] of looks)
  test(`every dialog is accessible in ${locale}, ${scheme}`, async ({ page }, info) => {
    await openParts(page, locale, scheme);
    const openers = page.locator(':is([data-part="FormDialog"], [data-part="ConfirmDialog"], [data-part="TypedConfirm"]) button');
    for (const opener of await openers.all()) {
      const name = await opener.innerText();
      await opener.click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.screenshot({ path: info.outputPath(`dialog-${name}-${locale}-${scheme}.png`), animations: 'disabled' });
      expect([name, await violations(page)]).toEqual([name, []]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

for (const [locale, scheme] of looks)
  test(`calendars are accessible in ${locale}, ${scheme}`, async ({ page }, info) => {
    await openParts(page, locale, scheme);
    const fields = [
      page.locator('[data-part="DateInput"] [aria-haspopup]').first(),
      page.locator('[data-part="DateRangeField"] [aria-haspopup]'),
      page.locator('[data-part="DateRangeField compare"] [aria-haspopup]'),
    ];
    for (const [at, field] of fields.entries()) {
      await field.click();
      await expect(page.getByRole('dialog').locator(':is([data-day], [role="gridcell"])').first()).toBeVisible();
      await page.screenshot({ path: info.outputPath(`calendar-${String(at)}-${locale}-${scheme}.png`), animations: 'disabled' });
      expect([at, await violations(page)]).toEqual([at, []]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

test('a date is chosen with the keyboard alone', async ({ page }) => {
  await openParts(page, 'en', 'light');
  const input = page.locator('[data-part="DateInput"]').getByRole('textbox', { name: 'Date' });
  await input.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Friday, November 20, 2026' }).and(page.locator('[data-autofocus]'))).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(input).toHaveValue('2026-11-27');
  await expect(page.locator('[data-part="DateInput"]').getByRole('button', { name: 'Open the calendar' }).first()).toBeFocused();
});

async function picture(page: Page, file: string): Promise<string> {
  await page.screenshot({ path: file, fullPage: true });
  return file;
}

test('the switches change language and scheme', async ({ page }) => {
  await openParts(page, 'en', 'light');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
  await page.getByRole('button', { name: '中文' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '界面部件' })).toBeVisible();
});

test('text is drawn with the sizes and weights of the scale', async ({ page }) => {
  await openParts(page, 'en', 'light');
  const { sizes, weights } = await page.evaluate(() => {
    const styles = [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '') && element.tagName !== 'NOSCRIPT',
      )
      .map((element) => getComputedStyle(element));
    return { sizes: [...new Set(styles.map((style) => style.fontSize))], weights: [...new Set(styles.map((style) => style.fontWeight))] };
  });
  expect(sizes.sort()).toEqual(['12px', '13px', '14px', '16px', '20px', '28px']);
  expect(weights.sort()).toEqual(['400', '500', '600']);
});

test('Latin text is set in Inter, which the page serves itself', async ({ page }) => {
  await openParts(page, 'en', 'light');
  const { family, faces, tabular } = await page.evaluate(async () => {
    const loaded = await document.fonts.load('14px Inter', 'Sitewright 0123');
    const style = getComputedStyle(document.body);
    return { family: style.fontFamily, faces: loaded.map(({ status }) => status), tabular: style.fontVariantNumeric };
  });
  expect(family).toMatch(/^Inter, /);
  expect(faces).toEqual(['loaded']);
  expect(tabular).toBe('tabular-nums');
});

test('controls are 32 px high and filters 28 px', async ({ page }) => {
  await openParts(page, 'zh-CN', 'light');
  const heights = (part: string, selector: string): Promise<number[]> =>
    page.locator(`[data-part="${part}"] ${selector}`).evaluateAll((all) => [...new Set(all.map((element) => element.getBoundingClientRect().height))]);
  for (const [part, selector, height] of [
    ['Button medium', '.MuiButton-root', 32],
    ['Button small', '.MuiButton-root', 28],
    ['PlainButton', '.plain-button', 32],
    ['IconButton', '.icon-button', 32],
    ['Input medium', '.MuiOutlinedInput-root', 32],
    ['Input small', '.MuiOutlinedInput-root', 28],
    ['SearchBox', '.search-box', 28],
    ['DateRangeField', '.MuiButtonBase-root', 28],
    ['DateInput', '.date-input', 32],
    ['DateInput small', '.date-input', 28],
  ] as const)
    expect([part, await heights(part, selector)]).toEqual([part, [height]]);
});
