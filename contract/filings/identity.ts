/** Check digits of the numbers with which subjects of filings identify themselves. */

const creditAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const creditWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Whether a unified social credit code (18 characters, upper case) has the right check character (GB 32100-2015). */
export function isCreditCode(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(code)) return false;
  const sum = creditWeights.reduce((total, weight, at) => total + weight * creditAlphabet.indexOf(code.charAt(at)), 0);
  return creditAlphabet.charAt((31 - (sum % 31)) % 31) === code.charAt(17);
}

const identityWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Whether a resident identity number (17 digits and a digit or X) has a date of birth and the right check character (GB 11643-1999). */
export function isIdentityNumber(number: string): boolean {
  const [, year = '', month = '', day = ''] = /^\d{6}((?:19|20)\d{2})(\d{2})(\d{2})\d{3}[\dX]$/.exec(number) ?? [];
  if (year === '') return false;
  const born = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (born.getUTCMonth() !== Number(month) - 1 || born.getUTCDate() !== Number(day)) return false;
  const sum = identityWeights.reduce((total, weight, at) => total + weight * Number(number.charAt(at)), 0);
  return '10X98765432'.charAt(sum % 11) === number.charAt(17);
}

/** `9111********0X`: the first four and the last two characters. */
export const maskedIdentity = (number: string): string =>
  number.length <= 6 ? '*'.repeat(number.length) : `${number.slice(0, 4)}${'*'.repeat(number.length - 6)}${number.slice(-2)}`;
