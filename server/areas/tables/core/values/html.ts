/** Converts rich text to plain text and back: paragraphs and line breaks survive, formatting does not. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : whole;
  });

/** Plain text of rich text: one line per block, an empty line between paragraphs. */
export const plainOf = (html: string): string =>
  unescaped(
    html
      .replaceAll(/[\r\n\t ]+/g, ' ')
      .replaceAll(/<br\b[^<>]*> ?/gi, '\n')
      .replaceAll(/<\/(?:p|h[1-6]|blockquote|pre|table|ul|ol|figure)> ?/gi, '\n\n')
      .replaceAll(/<\/(?:li|tr|div|caption|figcaption)> ?/gi, '\n')
      .replaceAll(/<\/t[dh]> ?/gi, '\t')
      .replaceAll(/<[^>]*>?/g, ''),
  )
    // Anchored to the start of each run of blanks, because adjacent table cells produce long runs.
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Rich text of plain text: paragraphs at empty lines, line breaks elsewhere. */
export function richOf(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
    .join('');
}
