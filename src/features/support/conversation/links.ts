export type TextPart = { readonly text: string; readonly href?: string };

/** An address ends before the punctuation of its sentence. */
const address = /https?:\/\/[^\s<>"'，。；！？、（）《》【】]+[^\s<>"'，。；！？、（）《》【】.,;:!?)\]}]/gu;

/** Splits a plain text into its web addresses and what is between them. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    if (URL.canParse(match[0])) parts.push({ text: match[0], href: match[0] });
    else parts.push({ text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
