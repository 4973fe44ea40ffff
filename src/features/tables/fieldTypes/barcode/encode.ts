import { symbologyOf } from '@contract/tables/fieldTypes/barcode';

/** ISO/IEC 15420: seven modules per digit; 1 is a bar. The right half inverts the left one; set G mirrors the right half. */
const left = ['0001101', '0011001', '0010011', '0111101', '0100011', '0110001', '0101111', '0111011', '0110111', '0001011'];
const right = left.map((digit) => [...digit].map((module) => (module === '1' ? '0' : '1')).join(''));
const mirrored = right.map((digit) => [...digit].toReversed().join(''));
/** The first digit of an EAN-13 determines which digits of the left half use set G. */
const parities = ['LLLLLL', 'LLGLGG', 'LLGGLG', 'LLGGGL', 'LGLLGG', 'LGGLLG', 'LGGGLL', 'LGLGLG', 'LGLGGL', 'LGGLGL'];

const drawn = (digits: string, codes: readonly string[]): string => [...digits].map((digit) => codes[Number(digit)] ?? '').join('');
function ean13(code: string): string {
  const parity = parities[Number(code[0])] ?? '';
  const first = Array.from(code.slice(1, 7), (digit, at) => drawn(digit, parity[at] === 'G' ? mirrored : left)).join('');
  return `101${first}01010${drawn(code.slice(7), right)}101`;
}
const ean8 = (code: string): string => `101${drawn(code.slice(0, 4), left)}01010${drawn(code.slice(4), right)}101`;

/** ISO/IEC 15417: widths of alternating bars and spaces, by value; 104 starts code set B, the last one is the stop pattern. */
export const widths =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'.split(
    ' ',
  );
const [startB, stop] = [104, 106];
function code128(code: string): string {
  const values = [...code].map((character) => character.charCodeAt(0) - 32);
  const check = values.reduce((sum, value, at) => sum + value * (at + 1), startB) % 103;
  return [startB, ...values, check, stop]
    .map((value) => [...(widths[value] ?? '')].map((width, at) => (at % 2 === 0 ? '1' : '0').repeat(Number(width))).join(''))
    .join('');
}

/** Modules of a code from left to right, without the quiet zones; null where the text is not a valid code. */
export function modulesOf(code: string): string | null {
  switch (symbologyOf(code)) {
    case 'ean13':
      return ean13(code);
    case 'upcA':
      return ean13(`0${code}`);
    case 'ean8':
      return ean8(code);
    case 'code128':
      return code128(code);
    case null:
      return null;
  }
}
