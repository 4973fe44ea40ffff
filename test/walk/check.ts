import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from '../e2e/support/axe';
import { cutTexts, sideways } from './layout';
import type { Catalog, Language } from './messages';
import type { Place } from './places';
import { wrongTexts } from './texts';
import { smallTargets } from './touch';
import type { Watch } from './watch';

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Heights of the windows that belong to the widths: a desktop, a small laptop or tablet, a phone. */
const heights: Readonly<Record<number, number>> = { 1440: 900, 1024: 768, 390: 844 };
const heightOf = (width: number): number => heights[width] ?? 800;

/** One thing that is wrong with a place, in the form in which it was looked at. */
export type Finding = { readonly place: string; readonly look: string; readonly sentence: string };

export type Looks = {
  readonly language: Language;
  readonly schemes: readonly Scheme[];
  readonly widths: readonly number[];
  readonly catalog: Catalog;
  /** The pages are those of a touch device: touch targets are measured too. */
  readonly touch?: boolean;
  /** Folder for pictures named `<place>.<language>.<scheme>.<width>.png`. */
  readonly pictures?: string;
};

/** Takes a picture of the whole page. `fullPage` renders pages taller than the window without touch emulation, so for touch the window is enlarged instead. */
async function takePicture(page: Page, file: string, touch: boolean): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  const window = page.viewportSize();
  if (touch && window) await page.setViewportSize({ ...window, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  await page.screenshot({ path: file, animations: 'disabled', fullPage: !touch });
  if (touch && window) await page.setViewportSize(window);
}

/** Opens a place once, then looks at it in every width and scheme: the person's scheme is that of the system, so neither needs another load. */
export async function checkPlace(page: Page, watch: Watch, place: Place, looks: Looks): Promise<Finding[]> {
  const { language, catalog, pictures } = looks;
  const found: Finding[] = [];
  const add = (look: string, sentences: readonly string[]): void => void found.push(...sentences.map((sentence) => ({ place: place.id, look, sentence })));
  const [firstWidth = 1440] = looks.widths;
  await page.setViewportSize({ width: firstWidth, height: heightOf(firstWidth) });
  await page.emulateMedia({ colorScheme: looks.schemes[0] ?? 'light', reducedMotion: 'reduce' });
  watch.begin(place.refused);
  await page.goto(place.address);
  const settle = async (look: string): Promise<void> => {
    const late = await watch.settle();
    if (late !== null) add(look, [late]);
  };
  await settle(language);
  if (place.act) {
    await place.act(page);
    await settle(language);
  }
  for (const width of looks.widths) {
    if (width !== firstWidth) {
      await page.setViewportSize({ width, height: heightOf(width) });
      await settle(`${language} ${width}`);
    }
    add(`${language} ${width}`, [...(await sideways(page)), ...(await cutTexts(page)), ...(await wrongTexts(page, language, catalog, watch.data()))]);
    for (const scheme of looks.schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-scheme="${scheme}"]`).waitFor({ state: 'attached' });
      if (pictures !== undefined) await takePicture(page, path.join(pictures, `${place.id}.${language}.${scheme}.${width}.png`), looks.touch === true);
      add(`${language} ${scheme} ${width}`, await violations(page, scheme === looks.schemes[0] ? 'all' : 'colours'));
    }
    // After the pictures, because it scrolls.
    if (looks.touch === true) add(`${language} ${width}`, await smallTargets(page));
  }
  add(language, watch.errors());
  return found;
}
