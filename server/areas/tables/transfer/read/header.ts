/** Line of the column names if not specified: the first that looks like a header rather than a title above the table; 0 if there is none. */
export function headerOf(lines: readonly { readonly line: number; readonly cells: readonly string[] }[]): number {
  const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
  const most = Math.max(0, ...lines.slice(0, 20).map(({ cells }) => filled(cells)));
  const found = lines.slice(0, 10).find(({ cells }) => filled(cells) > 0 && filled(cells) > most / 2);
  if (!found) return 1;
  const values = found.cells.filter((cell) => cell.trim() !== '');
  // Column names are not numbers.
  const numbers = values.filter((cell) => /^[-+]?\d[\d.,:/\s-]*%?$/.test(cell.trim())).length;
  return lines.length > 1 && numbers > values.length / 2 ? 0 : found.line;
}
