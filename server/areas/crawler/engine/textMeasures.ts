import { transcode } from 'node:buffer';
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

/** Kinds of code units. Scripts without spaces have no words; a joiner within a word does not end it. */
const kinds = ['other', 'space', 'joiner', 'digit', 'Latn', 'Hani', 'Kana', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Thai', 'Deva', 'Hang'] as const;
type Kind = (typeof kinds)[number];
const scripts = kinds.slice(kinds.indexOf('Latn')) as Exclude<Kind, 'other' | 'space' | 'joiner' | 'digit'>[];
type Script = (typeof scripts)[number];
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
for (let unit = 0; unit < 65_536; unit += 1) if (/\s/.test(String.fromCharCode(unit))) kindOf[unit] = kinds.indexOf('space');
const [space, joiner, digit, latin] = [kinds.indexOf('space'), kinds.indexOf('joiner'), kinds.indexOf('digit'), kinds.indexOf('Latn')];
const hasWords = Uint8Array.from(kinds, (kind) => Number(kinds.indexOf(kind) >= digit && kind !== 'Hani' && kind !== 'Kana'));

/** Code units of the text that is measured: a loop over them is faster than one over a string, whatever that is made of. */
let scratch = Buffer.alloc(256 * 1024);
function codeUnits(text: string): Uint16Array {
  if (text.length * 2 > scratch.length) scratch = Buffer.alloc(text.length * 2);
  scratch.write(text, 'utf16le');
  return new Uint16Array(scratch.buffer, scratch.byteOffset, text.length);
}

export type TextMeasures = {
  /** White space as one space, at most `most` code units. */
  readonly text: string;
  /** Words of alphabetic scripts. */
  readonly wordCount: number;
  /** Han characters. */
  readonly han: number;
  /** The script of most letters. */
  readonly script: string | null;
  /** SHA-256 of the text in hex. */
  readonly textHash: string;
  /** As `simhash`. */
  readonly simhash: bigint;
};

/** Counts the kinds of code units and the words; moves the units together, so that white space is one space. */
function squeezeUnits(units: Uint16Array, most: number) {
  const counts = new Uint32Array(kinds.length);
  let wordCount = 0;
  let inWord = false;
  let length = 0;
  let at = 0;
  const end = units.length;
  while (at < end && length < most) {
    const kind = kindOf[units[at] as number] as number;
    if (kind === latin) {
      // Runs of these are long, so that they get a loop of their own.
      const from = at;
      do {
        units[length++] = units[at++] as number;
      } while (at < end && kindOf[units[at] as number] === latin);
      counts[latin] = (counts[latin] as number) + at - from;
      wordCount += inWord ? 0 : 1;
      inWord = true;
    } else if (kind === space) {
      at += 1;
      if (length > 0 && units[length - 1] !== 0x20) units[length++] = 0x20;
      inWord = false;
    } else {
      units[length++] = units[at++] as number;
      counts[kind] = (counts[kind] as number) + 1;
      const isWord = hasWords[kind] === 1;
      wordCount += isWord && !inWord ? 1 : 0;
      inWord = isWord || (inWord && kind === joiner);
    }
  }
  const isCut = length > most || units.subarray(at).some((unit) => kindOf[unit] !== space);
  length = Math.min(length, most);
  const last = units[length - 1] ?? 0;
  // Nothing follows a space at the end; the half of a character that does not fit is left out.
  if (isCut ? last >= 0xd800 && last < 0xdc00 : last === 0x20) length -= 1;
  return { length, wordCount, counts };
}

/** UTF-8 of code units, several times as fast as that of a string. Halves of characters, which it lacks, are replaced. */
function utf8Of(units: Buffer): Buffer {
  try {
    return transcode(units, 'utf16le', 'utf8');
  } catch {
    return Buffer.from(units.toString('utf16le'));
  }
}

/** Everything that is measured of the text of a page, which is as long as all the rest of it together. */
export function measureText(written: string, most: number): TextMeasures {
  const units = codeUnits(written);
  const { length, wordCount, counts } = squeezeUnits(units, most);
  const squeezedBytes = scratch.subarray(0, length * 2);
  const text = squeezedBytes.toString('utf16le');
  const letters = Object.fromEntries(scripts.map((script) => [script, counts[kinds.indexOf(script)]])) as Record<Script, number>;
  return {
    text,
    wordCount,
    han: letters.Hani + letters.Kana,
    script: usualScript(letters, text),
    textHash: digest('sha256', utf8Of(squeezedBytes)),
    simhash: simhashOf(units.subarray(0, length)),
  };
}

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

/** How many of many hashes have each bit. Eight registers hold the lowest digits of all counts at once, so that a hash is added by a few operations on whole words. */
function countBits(hashes: Uint32Array): Uint32Array {
  const ones = new Uint32Array(32);
  const planes = new Uint32Array(8);
  for (let from = 0; from < hashes.length; from += 255) {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = [0, 0, 0, 0, 0, 0, 0, 0];
    const to = Math.min(hashes.length, from + 255);
    for (let at = from; at < to; at += 1) {
      let carry = hashes[at] as number;
      let next = p0 & carry;
      p0 ^= carry;
      carry = p1 & next;
      p1 ^= next;
      next = p2 & carry;
      p2 ^= carry;
      carry = p3 & next;
      p3 ^= next;
      next = p4 & carry;
      p4 ^= carry;
      carry = p5 & next;
      p5 ^= next;
      next = p6 & carry;
      p6 ^= carry;
      p7 ^= next;
    }
    planes.set([p0, p1, p2, p3, p4, p5, p6, p7]);
    for (let bit = 0; bit < 32; bit += 1)
      for (let plane = 0; plane < 8; plane += 1) ones[bit] = (ones[bit] as number) + ((((planes[plane] as number) >>> bit) & 1) << plane);
  }
  return ones;
}
/** A bit is set that more than half of the hashes have. */
function majority(hashes: Uint32Array): number {
  const ones = countBits(hashes);
  let bits = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((ones[bit] as number) * 2 > hashes.length) bits |= 1 << bit;
  return bits >>> 0;
}

const mostHashed = 60_000;
const lowerHashes = new Uint32Array(mostHashed);
const upperHashes = new Uint32Array(mostHashed);

/**
 * Charikar's simhash over eight characters in a row: texts that differ little have hashes that differ in few bits. Of long texts a part of the places, chosen by their content, is
 * counted, which equal passages of two texts agree about.
 */
function simhashOf(units: Uint16Array): bigint {
  const end = Math.min(units.length, mostHashed);
  const mask = end < 4000 ? 0 : end < 16_000 ? 7 : 31;
  // The last eight characters, so that the same words in another order are another text; those beyond ASCII overlap.
  let [window, before, count] = [0, 0, 0];
  for (let at = 0; at < end; at += 1) {
    before = (before << 8) ^ (window >>> 24);
    window = (window << 8) ^ (units[at] as number);
    let h = Math.imul(window, 0x9e3779b1) ^ Math.imul(before, 0x85ebca6b);
    h ^= h >>> 15;
    if ((h & mask) !== 0) continue;
    const first = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
    lowerHashes[count] = first;
    upperHashes[count] = Math.imul(first ^ (first >>> 13), 0x119de1f3);
    count += 1;
  }
  const [lower, upper] = [majority(lowerHashes.subarray(0, count)), majority(upperHashes.subarray(0, count))];
  return BigInt.asIntN(64, (BigInt(upper) << 32n) | BigInt(lower));
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
