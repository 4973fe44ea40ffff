/** What begins a formula, also behind blanks, which spreadsheet programs leave out; and what they take for the end of a cell. */
const guarded = /^'*(?:[\t\r\n]|[\s\u200b]*[=+\-@＝＋－＠])/;

/**
 * A text that a spreadsheet program would run as a formula gets an apostrophe in front (OWASP, CSV injection): what stands in our files comes from anybody.
 * Texts that already look so guarded get one more, so that taking one away gives back what was there. Numbers are ours and stay numbers.
 */
export const safeCell = (text: string): string => (guarded.test(text) ? `'${text}` : text);
/** What `safeCell` was given. */
export const unsafeCell = (text: string): string => (text.startsWith("'") && guarded.test(text) ? text.slice(1) : text);

/** `number`: one written as a text, with all of its digits. */
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

/** Without it Excel reads Chinese as something else. */
export const byteOrderMark = '\uFEFF';
/** One line of RFC 4180. */
export const csvLine = (cells: readonly Cell[], delimiter: Delimiter = ','): string => `${cells.map((one) => cell(one, delimiter)).join(delimiter)}\r\n`;
