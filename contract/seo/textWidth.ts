import type { widthTargets } from './terms';

/** Widths of titles and descriptions as lists of results show them. Search engines cut by pixels, not by characters; Han is about twice as wide as Latin. */

export type WidthTarget = (typeof widthTargets)[number];

/** Advance widths of Arial in thousandths of the font size, for U+0020 to U+007E (Helvetica has the same). */
const arial = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584,
  556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278,
  469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260,
  334, 584,
] as const;
const wide = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;
/** Without a width of their own: combining marks (with the variation selectors) and joiners. */
const none = /[\p{M}\u200B-\u200F\u2060\uFEFF]/u;

/** Pixels of a text at a font size in pixels. Letters beyond ASCII count as an average lower-case letter. */
export function textPixels(text: string, size: number): number {
  let thousandths = 0;
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0;
    if (none.test(character)) continue;
    thousandths += code >= 0x20 && code <= 0x7e ? (arial[code - 0x20] ?? 0) : wide.test(character) ? 1000 : 556;
  }
  return (thousandths * size) / 1000;
}

/** Font size and available width in pixels. Search engines publish neither and change both, so they are a hint and no rule. */
const sizes: Readonly<Record<WidthTarget, Readonly<Record<'title' | 'description', { readonly size: number; readonly limit: number }>>>> = {
  desktop: { title: { size: 20, limit: 600 }, description: { size: 14, limit: 960 } },
  mobile: { title: { size: 20, limit: 640 }, description: { size: 14, limit: 680 } },
  baidu: { title: { size: 18, limit: 560 }, description: { size: 13, limit: 1000 } },
};

/** `pixels` is rounded; `cut`: the end is probably replaced by dots. */
export function resultWidth(
  text: string,
  part: 'title' | 'description',
  target: WidthTarget,
): { readonly pixels: number; readonly limit: number; readonly cut: boolean } {
  const { size, limit } = sizes[target][part];
  const pixels = Math.round(textPixels(text, size));
  return { pixels, limit, cut: pixels > limit };
}

/** A text as a list of results shows it: what does not fit is replaced by dots. */
export function resultText(text: string, part: 'title' | 'description', target: WidthTarget): string {
  const { size, limit } = sizes[target][part];
  if (!resultWidth(text, part, target).cut) return text;
  let visible = '';
  for (const character of text) {
    if (textPixels(`${visible}${character}…`, size) > limit) break;
    visible += character;
  }
  return `${visible.trimEnd()}…`;
}
