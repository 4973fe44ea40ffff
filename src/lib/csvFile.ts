/**
 * Text that a spreadsheet program would run as a formula gets a leading apostrophe (OWASP, CSV injection), as in the server's files
 * (server/areas/analytics/exportFile.ts): the text comes from visitors' browsers. Numbers are our own and stay numbers.
 */
const safe = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const text = safe(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180 with a byte order mark, without which Excel misreads Chinese. */
export const csvText = (lines: readonly (readonly (string | number)[])[]): string => `\uFEFF${lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')}`;

/** Downloads text generated in the browser as a file. */
export const saveText = (name: string, type: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
