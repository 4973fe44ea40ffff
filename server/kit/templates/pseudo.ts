import type { TemplateRichText } from './richText';

/**
 * Texts of the pseudo-language of previews: accented, a third longer and in brackets, so that words that are fixed in templates stand out, and so do places that are too small. Chinese, Japanese and
 * Korean cannot be accented: their texts get wide brackets and wide characters at the end. Placeholders, addresses, tags and code stay as they are.
 */

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = Array.from('áƀçďéƒğĥíĵķĺḿñóþɋŕšťúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶĹḾÑÓÞɊŔŠŤÚṼŴẊÝŽ');
const accents = new Map(Array.from(plain).map((letter, at) => [letter, accented[at] ?? letter]));
const accent = (text: string): string => text.replaceAll(/[a-z]/gi, (letter) => accents.get(letter) ?? letter);

/** Parts that no translation changes. Each alternative is bounded or ends at its own first character, so that long texts take linear time. */
const fixed = /(\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[\p{L}\p{N}_.]+\}|%(?:\d\$)?[sd]\b|https?:\/\/[^\s<>"']+|[\w.+-]{1,64}@[\w.-]{1,255}|&(?:#x?)?[\da-z]{1,32};)/giu;

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const letters = /[\p{L}\p{N}]/gu;
const share = 0.35;
const sentence = accent('one two three four five six seven eight nine ten ');
const numerals = '㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉';

const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;
const repeated = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** `fixed`: stays. `other`: stays, and is no text that people translate, such as a tag. */
type Part = { readonly text: string; readonly kind: 'free' | 'fixed' | 'other' };

/** Texts of one line or block: a bracket before the first one that is not blank; more characters and a bracket at the end. */
function stretch(parts: readonly Part[]): string[] {
  const free = parts.filter(({ kind }) => kind === 'free').map(({ text }) => text);
  const isRead = ({ text, kind }: Part): boolean => kind !== 'other' && text.trim() !== '';
  const begin = parts.findIndex(isRead);
  if (begin === -1) return parts.map(({ text }) => text);
  const size = free.reduce((sum, text) => sum + count(text, letters), 0);
  const isWide = free.reduce((sum, text) => sum + count(text, wide), 0) * 2 > size;
  const more = Math.ceil(size * share);
  // Wide characters right behind an address would belong to it.
  const gap = more > 0 && (!isWide || parts.findLast(isRead)?.kind === 'fixed') ? ' ' : '';
  const filler = gap + repeated(isWide ? numerals : sentence, more).trimEnd();
  const [open, close] = isWide ? ['〔', '〕'] : ['[', ']'];
  return parts.map(({ text, kind }, at) => {
    const changed = kind === 'free' ? accent(text) : text;
    const start = changed.length - changed.trimStart().length;
    const opened = at === begin ? changed.slice(0, start) + open + changed.slice(start) : changed;
    if (at < parts.length - 1) return opened;
    const stop = kind === 'free' ? opened.trimEnd().length : opened.length;
    return opened.slice(0, stop) + filler + close + opened.slice(stop);
  });
}

const partsOf = (text: string): Part[] => text.split(fixed).map((part, at) => ({ text: part, kind: at % 2 === 0 ? 'free' : 'fixed' }));

export const pseudoText = (text: string): string => stretch(partsOf(text)).join('');

/** Sanitised HTML has no `<` or `>` inside of attributes. */
const anyTag = /(<[^<>]*>)/;
const inline = new Set([
  'a',
  'abbr',
  'b',
  'br',
  'cite',
  'code',
  'del',
  'em',
  'i',
  'img',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'u',
  'var',
  'wbr',
]);
const code = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'var']);
const nameOf = (tag: string): string => /^<\/?([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
/** A tag with the attributes that people read in the pseudo-language. */
const readable = (tag: string): string =>
  tag.replaceAll(/(\s(?:alt|title)=")([^"]*)"/gi, (_all, before: string, text: string) => `${before}${pseudoText(text)}"`);

/** Sanitised HTML, each of its blocks as one text. */
export function pseudoHtml(html: string): string {
  const result: string[] = [];
  let block: Part[] = [];
  let inCode = 0;
  const endBlock = (): void => {
    result.push(stretch(block).join(''));
    block = [];
  };
  for (const [at, token] of html.split(anyTag).entries()) {
    if (at % 2 === 0) {
      // One by one: as arguments of a single call, the parts of a long text would exceed the stack.
      for (const part of inCode > 0 ? [{ text: token, kind: 'other' } as const] : partsOf(token)) block.push(part);
      continue;
    }
    const name = nameOf(token);
    if (code.has(name)) inCode = Math.max(0, inCode + (token.startsWith('</') ? -1 : 1));
    if (inline.has(name)) block.push({ text: readable(token), kind: 'other' });
    else {
      endBlock();
      result.push(readable(token));
    }
  }
  endBlock();
  return result.join('');
}

/** A prepared rich text. Its headings keep their ids, to which other texts may link. */
export const pseudoRichText = ({ html, headings, minutes }: TemplateRichText): TemplateRichText => ({
  html: pseudoHtml(html),
  headings: headings.map((heading) => ({ ...heading, title: pseudoText(heading.title) })),
  minutes,
});
