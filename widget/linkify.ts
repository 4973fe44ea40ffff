export type TextPart = { readonly text: string; readonly url: string | null };

const address = /https?:\/\/[^\s<>"'“”‘’（）【】《》，。；！？、]{1,1000}/gi;
/** Punctuation that ends a sentence rather than an address. */
const trailing = /[.,;:!?)\]}]+$/;

/** Divides a text into plain parts and addresses of the web. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = match[0].replace(trailing, '');
    if (!URL.canParse(found)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), url: null });
    parts.push({ text: found, url: found });
    end = match.index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), url: null });
  return parts;
}
