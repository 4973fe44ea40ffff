/** Rich text as templates receive it. */
export type TemplateRichText = {
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly title: string; readonly level: number }[];
  /** Minutes that reading takes, at least 1; 0 for an empty text. */
  readonly minutes: number;
};

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => named[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** Text of all blocks of HTML, in one line. */
export const blockText = (html: string): string => textOf(html.replaceAll(/<\/(?:p|li|h[1-6]|td|th|pre|blockquote|figcaption)>|<br\b[^>]*>/g, ' '));

const slugOf = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);

/** Characters of Chinese, Japanese and Korean, and words of other scripts, that people read in a minute. */
const charactersPerMinute = 350;
const wordsPerMinute = 220;

function minutesOf(text: string): number {
  const characters = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  const others = text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return text === '' ? 0 : Math.max(1, Math.round(characters / charactersPerMinute + others / wordsPerMinute));
}

/**
 * Prepares sanitised HTML for a page: headings begin at level 2, skip no level and have ids; tables scroll by themselves; pictures load when they are near.
 * Expects the output of `cleanHtml`, whose tags are well-formed.
 */
export function templateRichText(sanitised: string): TemplateRichText {
  const headings: { id: string; title: string; level: number }[] = [];
  const used = new Map<string, number>();
  let previous = 1;
  const html = sanitised
    .replaceAll(/<h([1-6])((?:\s[^>]*)?)>([^]*?)<\/h\1>/g, (_, digit: string, attributes: string, content: string) => {
      const title = textOf(content);
      if (title === '') return '';
      const level = Math.max(2, Math.min(Number(digit), previous + 1));
      previous = level;
      const slug = slugOf(title) || 'section';
      const count = (used.get(slug) ?? 0) + 1;
      used.set(slug, count);
      const id = count === 1 ? slug : `${slug}-${String(count)}`;
      headings.push({ id, title, level });
      return `<h${String(level)} id="${id}"${attributes}>${content}</h${String(level)}>`;
    })
    .replaceAll(/<table[\s>][^]*?<\/table>/g, (table) => `<div class="table">${table}</div>`)
    .replaceAll(/<img (?![^>]*\bloading=)/g, '<img loading="lazy" ');
  return { html, headings, minutes: minutesOf(blockText(sanitised)) };
}
