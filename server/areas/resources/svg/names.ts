/** Ids as programs write them, including names of layers in any language. */
export const idPattern = String.raw`[\p{L}_][\p{L}\p{N}_:.\-]{0,199}`;
const id = new RegExp(`^${idPattern}$`, 'u');
export const isId = (text: string): boolean => id.test(text);

/** Text of a style without comments; one that never ends reaches to the end, as in CSS. */
export function withoutComments(text: string): string {
  let rest = '';
  let start = 0;
  for (let open = text.indexOf('/*'); open !== -1; open = text.indexOf('/*', start)) {
    rest += `${text.slice(start, open)} `;
    const close = text.indexOf('*/', open + 2);
    if (close === -1) return rest;
    start = close + 2;
  }
  return rest + text.slice(start);
}

/** Finds where a string or parentheses that begin at a position end; the position itself if none begins there or it never ends. */
export function closeFinder(text: string): (at: number) => number {
  // Looking for one that does not exist again and again would take a time that grows with the square of the length.
  const last = { '"': text.lastIndexOf('"'), "'": text.lastIndexOf("'"), '(': text.lastIndexOf(')') };
  return (at) => {
    const open = text[at];
    if (open !== '"' && open !== "'" && open !== '(') return at;
    return last[open] > at ? text.indexOf(open === '(' ? ')' : open, at + 1) : at;
  };
}
