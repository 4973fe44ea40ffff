import { hash as digest } from 'node:crypto';

/** At most `length` code units, whole characters. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
};

/** White space as one space. Single spaces, by far the most frequent case, are not touched. */
export const squeezed = (text: string): string => text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim();

/** Frequent characters that only one of the two ways of writing Chinese has. */
const simplified = new Set<string>(
  '这个们来时说国会对过发后为里还进没动样现实长问关点业将两间见产总电报结统边张该规达放难权记设华应听与车东马门书学无万专员术办变从网开',
);
const traditional = new Set<string>(
  '這個們來時說國會對過發後為裡還進沒動樣現實長問關點業將兩間見產總電報結統邊張該規達難權記設華應聽與車東馬門書學無萬專員術辦變從網開',
);

export type TextMeasures = { readonly wordCount: number; readonly han: number; readonly script: string | null };

/** Kinds of code units: the first ones are part of no word, except that an apostrophe or a hyphen within one does not end it. */
const kinds = ['other', 'joiner', 'Hani', 'Kana', 'digit', 'Latn', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Thai', 'Deva', 'Hang'] as const;
type Kind = (typeof kinds)[number];
type Script = Exclude<Kind, 'other' | 'joiner' | 'digit'>;
const [joiner, digit] = [kinds.indexOf('joiner'), kinds.indexOf('digit')];
const ranges: readonly (readonly [number, number, Kind])[] = [
  [0x27, 0x27, 'joiner'],
  [0x2d, 0x2d, 'joiner'],
  [0x30, 0x39, 'digit'],
  [0x41, 0x5a, 'Latn'],
  [0x61, 0x7a, 'Latn'],
  [0xc0, 0x24f, 'Latn'],
  [0x370, 0x3ff, 'Grek'],
  [0x400, 0x52f, 'Cyrl'],
  [0x590, 0x5ff, 'Hebr'],
  [0x600, 0x77f, 'Arab'],
  [0x900, 0x97f, 'Deva'],
  [0xe00, 0xe7f, 'Thai'],
  [0x3040, 0x30ff, 'Kana'],
  [0x3400, 0x9fff, 'Hani'],
  [0xac00, 0xd7a3, 'Hang'],
  // Surrogates of the planes that hold rare Han characters.
  [0xd840, 0xd888, 'Hani'],
  [0xf900, 0xfaff, 'Hani'],
];
const kindOf = new Uint8Array(65_536);
for (const [from, to, kind] of ranges) kindOf.fill(kinds.indexOf(kind), from, to + 1);

/** Code units of the text that is measured: a loop over them is faster than one over a string, whatever that is made of. */
let scratch = Buffer.alloc(256 * 1024);
function codeUnits(text: string): Uint16Array {
  if (text.length * 2 > scratch.length) scratch = Buffer.alloc(text.length * 2);
  scratch.write(text, 'utf16le');
  return new Uint16Array(scratch.buffer, scratch.byteOffset, text.length);
}

/** Words of alphabetic scripts, Han characters, and the script of most letters. */
export function measureText(text: string): TextMeasures {
  const counts = new Uint32Array(kinds.length);
  const units = codeUnits(text);
  let wordCount = 0;
  let inWord = false;
  for (let at = 0; at < units.length; at += 1) {
    const kind = kindOf[units[at] as number] as number;
    counts[kind] = (counts[kind] as number) + 1;
    if (kind >= digit) {
      if (!inWord) wordCount++;
      inWord = true;
    } else if (kind !== joiner) inWord = false;
  }
  const count = (kind: Script): number => counts[kinds.indexOf(kind)] as number;
  const letters = Object.fromEntries(scripts.map((script) => [script, count(script)])) as Record<Script, number>;
  return { wordCount, han: letters.Hani + letters.Kana, script: usualScript(letters, text) };
}
const scripts = kinds.filter((kind): kind is Script => kind !== 'other' && kind !== 'joiner' && kind !== 'digit');

function usualScript(letters: Readonly<Record<Script, number>>, text: string): string | null {
  const total = Object.values(letters).reduce((sum, n) => sum + n, 0);
  if (total < 50) return null;
  const { Hani, Kana, Hang } = letters;
  const cjk = Hani + Kana + Hang;
  const [most = 'Latn'] = (Object.entries(letters) as [Script, number][]).toSorted((a, b) => b[1] - a[1])[0] ?? [];
  // A Han character is a word or half of one, a Latin letter a fifth.
  if (cjk * 3 < total) return most;
  if (Hang > Hani) return 'Kore';
  if (Kana * 10 > Hani) return 'Jpan';
  let balance = 0;
  for (const character of text.slice(0, 20_000))
    balance += Number(simplified.has(character) && !traditional.has(character)) - Number(traditional.has(character) && !simplified.has(character));
  return balance >= 0 ? 'Hans' : 'Hant';
}

/** SHA-256 of the text in hex. */
export const textHashOf = (text: string): string => digest('sha256', text);

/** The four bits of each value as the four bytes of a number, so that one addition counts four bits. */
const spread = Uint32Array.from({ length: 16 }, (_, value) => (value & 1) | ((value & 2) << 7) | ((value & 4) << 14) | ((value & 8) << 21));
const lanes = new Uint32Array(16);
const ones = new Uint32Array(64);
/** Additions after which a byte may be full. */
const mostAdded = 255;

function flushLanes(): void {
  for (let lane = 0; lane < 16; lane += 1) {
    const counts = lanes[lane] as number;
    for (let byte = 0; byte < 4; byte += 1) ones[lane * 4 + byte] = (ones[lane * 4 + byte] as number) + ((counts >>> (byte * 8)) & 255);
  }
  lanes.fill(0);
}
function addLanes(hash: number, from: number): void {
  for (let nibble = 0; nibble < 8; nibble += 1) lanes[from + nibble] = (lanes[from + nibble] as number) + (spread[(hash >>> (nibble * 4)) & 15] as number);
}

/**
 * Charikar's simhash over eight characters in a row: texts that differ little have hashes that differ in few bits. Of long texts a part of the places, chosen by their content, is
 * counted, which equal passages of two texts agree about.
 */
export function simhash(text: string): bigint {
  lanes.fill(0);
  ones.fill(0);
  let counted = 0;
  const end = Math.min(text.length, 60_000);
  const units = codeUnits(text);
  const mask = end < 4000 ? 0 : end < 16_000 ? 7 : 31;
  // The last eight characters, so that the same words in another order are another text; those beyond ASCII overlap.
  let window = 0;
  let before = 0;
  for (let at = 0; at < end; at += 1) {
    before = (before << 8) ^ (window >>> 24);
    window = (window << 8) ^ (units[at] as number);
    let h = Math.imul(window, 0x9e3779b1) ^ Math.imul(before, 0x85ebca6b);
    h ^= h >>> 15;
    if ((h & mask) !== 0) continue;
    const first = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
    addLanes(first, 0);
    addLanes(Math.imul(first ^ (first >>> 13), 0x119de1f3), 8);
    counted++;
    if (counted % mostAdded === 0) flushLanes();
  }
  flushLanes();
  let [lower, upper] = [0, 0];
  for (let bit = 0; bit < 32; bit += 1) {
    if ((ones[bit] as number) * 2 > counted) lower |= 1 << bit;
    if ((ones[bit + 32] as number) * 2 > counted) upper |= 1 << bit;
  }
  return BigInt.asIntN(64, (BigInt(upper >>> 0) << 32n) | BigInt(lower >>> 0));
}

/** Number of bits that are set in 32. */
export function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Number of bits in which two hashes differ. */
export function hamming(one: bigint, other: bigint): number {
  const rest = BigInt.asUintN(64, one ^ other);
  return bitsOf(Number(rest & 0xffffffffn)) + bitsOf(Number(rest >> 32n));
}
