/** Beginnings of a formula, also after whitespace, which spreadsheet programs ignore, and characters that they treat as the end of a cell. */
const guarded = /^'*(?:[\t\r\n]|[\s\u200b]*[=+\-@＝＋－＠])/;

/**
 * Prefixes text that a spreadsheet program would evaluate as a formula with an apostrophe (OWASP, CSV injection), because exported text is untrusted. Text that
 * already looks guarded gets one more apostrophe, so that removing one restores the original. Numbers are not untrusted and stay numbers.
 */
export const safeCell = (text: string): string => (guarded.test(text) ? `'${text}` : text);
/** The inverse of `safeCell`. */
export const unsafeCell = (text: string): string => (text.startsWith("'") && guarded.test(text) ? text.slice(1) : text);

/** `number`: a number as text, with all of its digits. */
export type Cell = string | number | { readonly number: string } | null;
const special = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/, '|': /["|\r\n]/ } as const;
export type Delimiter = keyof typeof special;

function cell(value: Cell, delimiter: Delimiter): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.number;
  const safe = safeCell(value);
  return special[delimiter].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Without it Excel misreads Chinese text. */
export const byteOrderMark = '\uFEFF';
/** One line as in RFC 4180. */
export const csvLine = (cells: readonly Cell[], delimiter: Delimiter = ','): string => `${cells.map((one) => cell(one, delimiter)).join(delimiter)}\r\n`;
