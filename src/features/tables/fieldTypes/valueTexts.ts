/** A duration such as 1:05:09 or 0:45, in whole seconds. */
export function showDuration(seconds: number): string {
  const s = Math.abs(Math.round(seconds));
  const two = (n: number): string => String(n).padStart(2, '0');
  const text =
    s >= 3600 ? `${String(Math.floor(s / 3600))}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}` : `${String(Math.floor(s / 60))}:${two(s % 60)}`;
  return seconds < 0 ? `−${text}` : text;
}

/** HTML of rich text as one line of plain text, for previews only: the result must not be inserted as HTML. */
export const plainOf = (html: string): string =>
  html
    .slice(0, 4000)
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => ({ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
