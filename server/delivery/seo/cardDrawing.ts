import type { Glyph } from '../../kit/text/notoSans';

/** Drawn social cards: the title of a page and its site, as an SVG whose letters are outlines, so that it needs no fonts. */

export const cardSize = { width: 1200, height: 630 } as const;
const margin = 80;
const sizes = { largest: 72, smallest: 44, site: 32 } as const;
const lineHeight = 1.35;
const titleLines = 4;

export type CardTexts = { readonly title: string; readonly site: string; readonly color: string };
type Glyphs = ReadonlyMap<number, Glyph>;

/** Whether the bundled font has the scripts of a text. */
export const canDraw = (text: string): boolean =>
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u.test(
    text,
  );

const advanceOf = (glyphs: Glyphs, text: string, size: number): number =>
  Array.from(text).reduce((sum, character) => sum + ((glyphs.get(character.codePointAt(0) ?? 0)?.advance ?? 0) * size) / 1000, 0);

/** What stays together in a line: a word with the space after it, or one character of Chinese and Japanese. */
const units = (text: string): string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\u3001-\u303F\uFF00-\uFF0F\uFF1A-\uFF20]*\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
  ) ?? [];

/** Lines of a text that are at most `width` pixels wide. A word that is wider alone is broken. */
function linesOf(glyphs: Glyphs, text: string, size: number, width: number): string[] {
  const lines: string[] = [''];
  const isTooWide = (line: string): boolean => advanceOf(glyphs, line.trimEnd(), size) > width;
  for (const unit of units(text).flatMap((one) => (isTooWide(one) ? Array.from(one) : [one]))) {
    const current = lines.at(-1) ?? '';
    if (current !== '' && isTooWide(current + unit)) lines.push(unit.trimStart());
    else lines[lines.length - 1] = current + unit;
  }
  return lines.map((line) => line.trimEnd());
}

/** The largest size at which the title fits; at the smallest, what does not fit is replaced by dots. */
function fitted(glyphs: Glyphs, title: string): { readonly size: number; readonly lines: readonly string[] } {
  const width = cardSize.width - 2 * margin;
  for (let size: number = sizes.largest; size > sizes.smallest; size -= 4) {
    const lines = linesOf(glyphs, title, size, width);
    if (lines.length < titleLines) return { size, lines };
  }
  const lines = linesOf(glyphs, title, sizes.smallest, width);
  if (lines.length <= titleLines) return { size: sizes.smallest, lines };
  const last = Array.from(lines[titleLines - 1] ?? '');
  while (last.length > 0 && advanceOf(glyphs, `${last.join('')}…`, sizes.smallest) > width) last.pop();
  return { size: sizes.smallest, lines: [...lines.slice(0, titleLines - 1), `${last.join('').trimEnd()}…`] };
}

const letters = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' } as const;

/** A line of text as the data of one path. `y`: of its baseline. */
function pathOf(glyphs: Glyphs, text: string, size: number, x: number, y: number): string {
  const scale = size / 1000;
  let at = x;
  const data: string[] = [];
  for (const character of text) {
    const glyph = glyphs.get(character.codePointAt(0) ?? 0);
    if (!glyph) continue;
    for (const { command, args } of glyph.commands)
      data.push(letters[command] + args.map((value, index) => (index % 2 === 0 ? at + value * scale : y - value * scale).toFixed(1)).join(' '));
    at += glyph.advance * scale;
  }
  return data.join('');
}

/** `glyphs`: outlines of all characters of the card, and of the dots `…`. */
export function cardSvg({ title, site, color }: CardTexts, glyphs: Glyphs): string {
  const { size, lines } = fitted(glyphs, title);
  const { width, height } = cardSize;
  const top = (height - 60 - lines.length * size * lineHeight) / 2 + size;
  const titlePaths = lines.map((line, at) => `<path d="${pathOf(glyphs, line, size, margin, top + at * size * lineHeight)}"/>`);
  const [siteLine = ''] = linesOf(glyphs, site, sizes.site, width - 2 * margin);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#fff"/><rect width="${width}" height="16" fill="${color}"/>
<g fill="#18181b">${titlePaths.join('')}</g>
<path fill="#52525b" d="${pathOf(glyphs, siteLine, sizes.site, margin, height - margin + 16)}"/>
</svg>`;
}
