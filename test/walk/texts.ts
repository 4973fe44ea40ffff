import type { Page } from '@playwright/test';
import type { Catalog, Language } from './messages';

/** A text of the page: a text node, or an attribute that readers see or hear. */
type Text = { readonly text: string; readonly at: string };

/** Texts in the page that are in the page's language: not code, and not marked as another language. */
function readTexts(): Text[] {
  const texts: Text[] = [];
  const foreign = 'code, pre, kbd, samp, script, style, noscript, textarea, [contenteditable="true"], body [lang], [translate="no"]';
  const place = (element: Element): string => `${element.tagName.toLowerCase()}${element.id === '' ? '' : `#${element.id}`}`;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (text !== '' && parent && !parent.closest(foreign) && parent.checkVisibility({ visibilityProperty: true })) texts.push({ text, at: place(parent) });
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext', 'aria-roledescription'])
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const text = element.getAttribute(name)?.trim() ?? '';
      if (text !== '' && !element.closest(foreign)) texts.push({ text, at: `${place(element)}[${name}]` });
    }
  return [...texts, { text: document.title, at: 'document title' }];
}

const han = /[\p{Script=Han}]+/gu;
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
/** Numbers, dates and times as English writes them. */
const englishFigures = new RegExp(`\\b(?:${month} \\d|\\d{1,2} ${month}\\b|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\b|\\d{1,2}(?::\\d\\d)? ?[AP]M\\b)|\\d[KM]\\b`);
/** At least two words, of which the second is no proper noun. */
const englishSentence = /[A-Za-z]{2,} [a-z]{2,}/;
/** What remains of a message or value that was not formatted. */
const broken = /\{\{|\}\}|\bundefined\b|\bNaN\b|\[object |Invalid Date/;

/**
 * Whether `text` is data: `data` holds all responses of the API. A text may join several values, so each of `parts` is looked up.
 */
const isData = (data: string, parts: readonly string[]): boolean => parts.every((part) => data.includes(part));

function errorOf(text: string, language: Language, catalog: Catalog, data: string): string | null {
  // Canned replies contain the values that they are sent with.
  if (broken.test(text) && !data.includes(text)) return 'an unformatted value';
  if (catalog.keys.has(text) && !data.includes(text)) return 'a raw key';
  if (catalog.only[language === 'en' ? 'zh-CN' : 'en'].has(text) && text.length > 1 && !data.includes(`"${text}"`)) return 'a message of the other language';
  if (language === 'en') return isData(data, text.match(han) ?? []) ? null : 'Chinese text';
  if (data.includes(text)) return null;
  if (englishFigures.test(text)) return 'an English number or date';
  return englishSentence.test(text) && text.search(han) === -1 ? 'English text' : null;
}

/** The texts of the page that are not in its language, as sentences. */
export async function wrongTexts(page: Page, language: Language, catalog: Catalog, data: string): Promise<string[]> {
  const texts = await page.evaluate(readTexts);
  const declared = await page.evaluate(() => document.documentElement.lang);
  const sentences = texts.flatMap(({ text, at }) => {
    const reason = errorOf(text, language, catalog, data);
    return reason === null ? [] : [`${reason}: “${text.slice(0, 100)}” (${at})`];
  });
  return [...new Set([...(declared.startsWith(language.slice(0, 2)) ? [] : [`<html lang="${declared}">`]), ...sentences])];
}
