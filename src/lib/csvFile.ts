/**
 * A text that a spreadsheet program would run as a formula gets an apostrophe in front (OWASP, CSV injection), as in the files that the server
 * writes (server/areas/analytics/exportFile.ts): what stands in it comes from visitors' browsers. Numbers are ours and stay numbers.
 */
const safe = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const text = safe(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180 with a byte order mark, without which Excel reads Chinese as something else. */
export const csvText = (lines: readonly (readonly (string | number)[])[]): string => `\uFEFF${lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')}`;

/** Hands a text that was made here to the reader as a file. */
export const saveText = (name: string, type: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
