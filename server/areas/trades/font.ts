import type { PathCommand } from 'fontkit';
import { notoGlyphs } from '../../kit/text/notoSans';

/*
 * pdfkit cannot embed the files of Noto Sans SC directly (fontkit 2.0.4 can subset neither WOFF2 nor variable fonts). This module therefore builds a plain TrueType font
 * with only the characters of one document: their outlines at one weight, advance widths and numbers.
 */

type Outline = { readonly advance: number; readonly data: Buffer; readonly points: number; readonly contours: number; readonly box: Box };
type Box = readonly [xMin: number, yMin: number, xMax: number, yMax: number];
type Point = { readonly x: number; readonly y: number; readonly on: boolean };

/** The contours of a path in TrueType form: points on the curve, with control points between them. */
function contoursOf(commands: readonly PathCommand[]): Point[][] {
  const contours: Point[][] = [];
  let contour: Point[] = [];
  const point = (x = 0, y = 0, on = true): Point => ({ x: Math.round(x), y: Math.round(y), on });
  for (const { command, args } of commands) {
    if (command === 'moveTo') contours.push((contour = [point(args[0], args[1])]));
    else if (command === 'lineTo') contour.push(point(args[0], args[1]));
    else if (command === 'quadraticCurveTo') contour.push(point(args[0], args[1], false), point(args[2], args[3]));
    else if (command === 'bezierCurveTo') throw new Error('a TrueType outline has no cubic curves');
  }
  for (const one of contours) {
    const [first, last] = [one[0], one.at(-1)];
    if (one.length > 1 && first && last?.on && first.x === last.x && first.y === last.y) one.pop();
  }
  return contours.filter((one) => one.length > 2);
}

/** One entry of the table `glyf` (OpenType 1.9.1, “Simple Glyph Description”), with two bytes per coordinate. */
function outline(commands: readonly PathCommand[], advance: number): Outline {
  const contours = contoursOf(commands);
  const points = contours.flat();
  if (points.length === 0) return { advance, data: Buffer.alloc(0), points: 0, contours: 0, box: [0, 0, 0, 0] };
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const shorts = (values: readonly number[]): Buffer => {
    const out = Buffer.alloc(values.length * 2);
    values.forEach((value, i) => out.writeInt16BE(value, i * 2));
    return out;
  };
  const steps = (values: readonly number[]): number[] => values.map((value, i) => value - (values[i - 1] ?? 0));
  let end = -1;
  const data = Buffer.concat([
    shorts([contours.length, ...box]),
    shorts(contours.map((one) => (end += one.length))),
    shorts([0]),
    Buffer.from(points.map(({ on }) => (on ? 1 : 0))),
    shorts(steps(xs)),
    shorts(steps(ys)),
  ]);
  return { advance, data, points: points.length, contours: contours.length, box };
}

/** An empty box, for characters missing in the font. */
const missing = (): Outline => {
  const commandOf = (args: number[], i: number): PathCommand => ({ command: i === 0 ? 'moveTo' : 'lineTo', args });
  const outer = [
    [100, -80],
    [100, 800],
    [900, 800],
    [900, -80],
  ].map(commandOf);
  const inner = [
    [150, -30],
    [850, -30],
    [850, 750],
    [150, 750],
  ].map(commandOf);
  return outline([...outer, ...inner], 1000);
};

/** A TrueType font with the characters of `texts` at one weight (100–900). */
export async function makeFont(texts: Iterable<string>, weight: number): Promise<Buffer> {
  const glyphs: Outline[] = [missing()];
  const numbers: [codePoint: number, glyph: number][] = [];
  for (const [code, { commands, advance }] of await notoGlyphs(texts, weight)) {
    numbers.push([code, glyphs.length]);
    glyphs.push(outline(commands, advance));
  }
  return assemble(glyphs, numbers, weight);
}

/** A binary table of numbers with two (`s`), four (`l`) and eight (`q`) bytes. */
function table(shape: string, values: readonly number[]): Buffer {
  const sizes = { s: 2, l: 4, q: 8 } as const;
  return Buffer.concat(
    values.map((value, i) => {
      const out = Buffer.alloc(sizes[(shape[i] ?? 's') as keyof typeof sizes]);
      if (out.length === 2) out.writeUInt16BE(value & 0xffff);
      else out.writeInt32BE(value | 0, out.length - 4);
      return out;
    }),
  );
}

/** The font file around the outlines (OpenType 1.9.1). Line metrics are those of Noto Sans SC. */
function assemble(glyphs: readonly Outline[], numbers: readonly (readonly [number, number])[], weight: number): Buffer {
  const [unitsPerEm, ascent, descent] = [1000, 1160, -288];
  const box: Box = [
    Math.min(...glyphs.map((glyph) => glyph.box[0])),
    Math.min(...glyphs.map((glyph) => glyph.box[1])),
    Math.max(...glyphs.map((glyph) => glyph.box[2])),
    Math.max(...glyphs.map((glyph) => glyph.box[3])),
  ];
  const padded = glyphs.map(({ data }) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]));
  const offsets = padded.reduce<number[]>((all, data) => [...all, (all.at(-1) ?? 0) + data.length], [0]);
  const most = (of: (glyph: Outline) => number): number => Math.max(...glyphs.map(of));
  const name = Buffer.from(`NotoSansSC-${weight}`, 'utf16le').swap16();
  const groups = numbers.flatMap(([code, glyph]) => [code, code, glyph]);
  const tables: Record<string, Buffer> = {
    cmap: Buffer.concat([
      table('ssssl', [0, 1, 3, 10, 12]),
      table(`ssll${'l'.repeat(groups.length + 1)}`, [12, 0, 16 + groups.length * 4, 0, numbers.length, ...groups]),
    ]),
    glyf: Buffer.concat(padded),
    head: table('llllssqqsssssssss', [0x10000, 0x10000, 0, 0x5f0f3cf5, 0, unitsPerEm, 0, 0, ...box, 0, 8, 2, 1, 0]),
    hhea: table('lssssssssssssssss', [0x10000, ascent, descent, 0, most(({ advance }) => advance), 0, 0, box[2], 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length]),
    hmtx: Buffer.concat(glyphs.map(({ advance, box: [xMin] }) => table('ss', [advance, xMin]))),
    loca: table('l'.repeat(offsets.length), offsets),
    maxp: table('lssssssssssssss', [0x10000, glyphs.length, most(({ points }) => points), most(({ contours }) => contours), 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
    name: Buffer.concat([table('sssssssss', [0, 1, 18, 3, 1, 0x409, 6, name.length, 0]), name]),
    post: table('llsslllll', [0x30000, 0, -100, 50, 0, 0, 0, 0, 0]),
  };
  const names = Object.keys(tables).toSorted();
  let at = 12 + names.length * 16;
  const directory = names.map((tag) => {
    const size = tables[tag]?.length ?? 0;
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), table('lll', [0, at, size])]);
    at += size + ((4 - (size % 4)) % 4);
    return entry;
  });
  const bodies = names.flatMap((tag) => {
    const body = tables[tag] ?? Buffer.alloc(0);
    return [body, Buffer.alloc((4 - (body.length % 4)) % 4)];
  });
  return Buffer.concat([table('lssss', [0x10000, names.length, 128, 3, names.length * 16 - 128]), ...directory, ...bodies]);
}
