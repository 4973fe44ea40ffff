import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Font, PathCommand } from 'fontkit';

/** Outlines of Noto Sans SC, which consists of about a hundred small variable WOFF2 files with some of the characters each. */

const family = '@fontsource-variable/noto-sans-sc';
const folder = (): string => path.dirname(createRequire(import.meta.url).resolve(`${family}/package.json`));

type Parts = { readonly of: (codePoint: number) => readonly string[] };
let parts: Promise<Parts> | null = null;

/**
 * The files that may contain a character, from the list supplied with the fonts (`"[119]": "U+30,U+4e00-4e03"`). The list includes characters that the files
 * lack.
 */
async function readParts(): Promise<Parts> {
  const list = JSON.parse(await readFile(path.join(folder(), 'unicode.json'), 'utf8')) as Record<string, string>;
  const names = new Map<number, string[]>();
  // Latin letters are last in the list and also in some of the other files.
  for (const [key, ranges] of Object.entries(list).toReversed())
    for (const [, from = '', to = from] of ranges.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi))
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code++)
        names.set(code, [...(names.get(code) ?? []), key.replaceAll(/[[\]]/g, '')]);
  return { of: (codePoint) => names.get(codePoint) ?? [] };
}

/** Cache of the most recently used files as TrueType; about 100 kB each. */
const opened = new Map<string, Promise<Uint8Array>>();
const mostOpened = 32;

function open(part: string): Promise<Uint8Array> {
  const found = opened.get(part) ?? readPart(part);
  opened.delete(part);
  opened.set(part, found);
  const [oldest] = opened.keys();
  if (opened.size > mostOpened && oldest !== undefined) opened.delete(oldest);
  return found;
}
async function readPart(part: string): Promise<Uint8Array> {
  const { default: decompress } = await import('woff2-encoder/decompress');
  return decompress(await readFile(path.join(folder(), 'files', `noto-sans-sc-${part}-wght-normal.woff2`)));
}

/** Advance width and outline of a character, in thousandths of the font size; the vertical axis points up. */
export type Glyph = { readonly advance: number; readonly commands: readonly PathCommand[] };

/** Outlines of the characters of `texts` at one weight (100–900), by code point in ascending order. Characters that the font lacks are absent. */
export async function notoGlyphs(texts: Iterable<string>, weight: number): Promise<ReadonlyMap<number, Glyph>> {
  const { create } = await import('fontkit');
  const { of } = await (parts ??= readParts());
  const codePoints = [...new Set([...texts].flatMap((text) => Array.from(text, (c) => c.codePointAt(0) ?? 0)))].toSorted((a, b) => a - b);
  const fonts = new Map<string, Font>();
  const glyphs = new Map<number, Glyph>();
  async function fontOf(part: string): Promise<Font> {
    const found = fonts.get(part) ?? (create(Buffer.from(await open(part))) as Font).getVariation({ wght: weight });
    fonts.set(part, found);
    return found;
  }
  for (const code of codePoints) {
    for (const part of of(code)) {
      const font = await fontOf(part);
      if (!font.hasGlyphForCodePoint(code)) continue;
      const glyph = font.glyphForCodePoint(code);
      glyphs.set(code, { advance: Math.round(glyph.advanceWidth), commands: glyph.path.commands });
      break;
    }
  }
  return glyphs;
}
