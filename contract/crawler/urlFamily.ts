/**
 * The family of an address: addresses that most likely come from one template have the same family. The crawler limits its work by it, and web vitals of pages
 * with few visits are evaluated together by it. Pure, without dependencies, linear in the length of its input, and its result has at most `maxLength` characters.
 *
 *   /blog/2026-11-20/why-we-moved-to-http3?utm=1&page=2   →   /blog/{date}/{slug}?page&utm
 *   /product/84213.html                                   →   /product/{number}.html
 */
const maxSegments = 8;
const maxSegmentLength = 48;
const maxParameters = 8;
const maxLength = 512;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const number = /^\d+$/;
const date = /^(?:19|20)\d\d(?:([-_.])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/;
/** Ids of stores and digests: hexadecimal with a digit. */
const hex = /^(?=[a-f]*\d)[\da-f]{8,}$/i;
const digit = /\d/;
const extension = /\.[a-z][a-z\d]{0,4}$/i;
/** Names such as `v2`, `page3` or `h1` name a place rather than one of many records. */
const shortName = /^[a-z]{1,5}\d{1,2}$/i;

/** Percent-encoded text, decoded; the text itself where it is not valid UTF-8. */
const decoded = (text: string): string => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Whether the segment is a title rather than the name of a section: three words or more, or a sentence in a script without spaces. */
const isTitle = (name: string): boolean => {
  if (name.split(/[-_ ]/).filter(Boolean).length >= 4) return true;
  let beyondAscii = 0;
  for (const character of name) if ((character.codePointAt(0) ?? 0) > 0x7f) beyondAscii++;
  return beyondAscii >= 8;
};

/** The class of one segment of a path, or the segment itself. `nested`: it has a parent, so it may be one of many. */
const segmentFamily = (segment: string, nested: boolean): string => {
  // Path parameters, such as `;jsessionid=…`, differ by visit.
  const bare = segment.split(';', 1)[0] ?? '';
  const end = extension.exec(bare)?.[0] ?? '';
  const name = decoded(end === '' ? bare : bare.slice(0, -end.length));
  if (uuid.test(name)) return `{uuid}${end}`;
  if (date.test(name)) return `{date}${end}`;
  if (number.test(name)) return `{number}${end}`;
  if (hex.test(name)) return `{hex}${end}`;
  if (digit.test(name) && !shortName.test(name)) return `{slug}${end}`;
  if (name.length > maxSegmentLength || (nested && isTitle(name))) return `{slug}${end}`;
  return name.replaceAll(/[{}?#&/]/g, '') + end;
};

/** The family of a path, such as `/product/{number}.html`; a slash at the end makes no difference. */
export function pathFamily(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const classes = segments.slice(0, maxSegments).map((segment, index) => segmentFamily(segment, index > 0));
  const rest = segments.length > maxSegments ? '/…' : '';
  return `/${classes.join('/')}${rest}`.slice(0, maxLength);
}

/** The family of a path with its query (`/list?page=3&sort=price` → `/list?page&sort`): the names of parameters, sorted, without their values. */
export function urlFamily(pathAndQuery: string): string {
  const address = pathAndQuery.split('#', 1)[0] ?? '';
  const question = address.indexOf('?');
  if (question < 0) return pathFamily(address);
  const names = new Set<string>();
  for (const parameter of address.slice(question + 1).split('&')) {
    const name = decoded(parameter.split('=', 1)[0] ?? '');
    if (name !== '') names.add(digit.test(name) && !shortName.test(name) ? '{name}' : name.slice(0, maxSegmentLength));
  }
  const sorted = [...names].toSorted();
  const rest = sorted.length > maxParameters ? '&…' : '';
  const query = sorted.slice(0, maxParameters).join('&') + rest;
  return (pathFamily(address.slice(0, question)) + (query === '' ? '' : `?${query}`)).slice(0, maxLength);
}
