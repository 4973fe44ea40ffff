import type { Referrer } from './referrers';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** gb18030 reads GBK and gb2312 as well. */
const gb18030 = new TextDecoder('gb18030');

/** The bytes of a percent-encoded value; unencoded characters become their UTF-8 bytes. */
const bytesOf = (value: string): Uint8Array => {
  const plain = new TextEncoder().encode(value.replaceAll('+', ' '));
  const bytes = new Uint8Array(plain.length);
  let length = 0;
  for (let i = 0; i < plain.length; i++) {
    const hex = plain[i] === 0x25 ? String.fromCharCode(plain[i + 1] ?? 0, plain[i + 2] ?? 0) : '';
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      bytes[length++] = Number.parseInt(hex, 16);
      i += 2;
    } else bytes[length++] = plain[i] as number;
  }
  return bytes.subarray(0, length);
};

const decode = (value: string, encoding: 'gbk' | 'chinese' | 'guess' | 'utf-8'): string => {
  const bytes = bytesOf(value);
  if (encoding === 'gbk') return gb18030.decode(bytes);
  try {
    const text = utf8.decode(bytes);
    // Two bytes of GBK are often also valid UTF-8 (鞋 would read Ь): on a Chinese search engine, Chinese characters are more likely.
    if (encoding !== 'chinese' || !/^[ -\u07ff]*[\u0080-\u07ff][ -\u07ff]*$/.test(text)) return text;
    const han = gb18030.decode(bytes);
    return /^[\p{Script=Han}\p{ASCII}]+$/u.test(han) ? han : text;
  } catch {
    return encoding === 'utf-8' ? '' : gb18030.decode(bytes);
  }
};

const rawPairs = (search: string): [string, string][] =>
  search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const gap = pair.indexOf('=');
      return gap < 0 ? [pair, ''] : [pair.slice(0, gap), pair.slice(gap + 1)];
    });

/** Query parameters by lower-case name; the first of equal names is used. Decoded as UTF-8, or as GBK if that is impossible. */
export const parametersOf = (search: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [name, value] of rawPairs(search)) {
    const key = decode(name, 'guess').toLowerCase();
    if (!found.has(key)) found.set(key, decode(value, 'guess'));
  }
  return found;
};

/**
 * The search term, at most 100 characters; '' if the engine does not pass it on. Baidu and similar engines declare their encoding in `ie` (or `enc`,
 * `charset`); old pages use GBK without declaring it.
 */
export const keywordIn = (search: string, engine: Referrer): string => {
  const pairs = rawPairs(search);
  const named = pairs.find(([name]) => /^(?:ie|enc|charset)$/i.test(name))?.[1] ?? '';
  const encoding = !engine.gbk || /^utf/i.test(named) ? 'utf-8' : /^gb/i.test(named) ? 'gbk' : 'chinese';
  for (const parameter of engine.searchParameters) {
    const value = pairs.find(([name, raw]) => name.toLowerCase() === parameter.toLowerCase() && raw !== '')?.[1];
    // oxlint-disable-next-line no-control-regex
    const text = value
      ? decode(value, encoding)
          .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
          .trim()
      : '';
    if (text !== '') return [...text].slice(0, 100).join('');
  }
  return '';
};
