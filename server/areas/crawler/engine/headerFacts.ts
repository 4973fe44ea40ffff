import type { PageFacts } from '../../../../contract/crawler/facts';
import { cut } from './textMeasures';

/** Headers that rules read. */
const recorded = [
  'content-type',
  'content-encoding',
  'content-length',
  'cache-control',
  'expires',
  'etag',
  'last-modified',
  'vary',
  'server',
  'link',
  'location',
  'retry-after',
  'x-robots-tag',
  'strict-transport-security',
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'content-language',
  'x-powered-by',
] as const;

type Headers = Readonly<Record<string, string>>;

export function recordedHeaders(headers: Headers): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of recorded) {
    const value = headers[name];
    if (value !== undefined) found[name] = cut(value, 1000);
  }
  return found;
}

export function cookiesOf(headers: Headers): PageFacts['cookies'] {
  const lines = headers['set-cookie']?.split('\n') ?? [];
  return lines.slice(0, 50).map((line) => {
    const [pair = '', ...attributes] = line.split(';');
    const byName = new Map(
      attributes.map((attribute) => [(attribute.split('=', 1)[0] ?? '').trim().toLowerCase(), attribute.slice(attribute.indexOf('=') + 1).trim()]),
    );
    return {
      name: cut((pair.split('=', 1)[0] ?? '').trim(), 200),
      secure: byName.has('secure'),
      httpOnly: byName.has('httponly'),
      sameSite: byName.get('samesite')?.toLowerCase().slice(0, 20) ?? null,
    };
  });
}

const directivesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim().slice(0, 100))
    .filter((directive) => directive !== '')
    .slice(0, 20);

export const metaRobots = (name: string, content: string): PageFacts['robots'][number] => ({
  source: 'meta',
  agent: name === 'robots' ? '*' : name,
  directives: directivesOf(content),
});

/** `X-Robots-Tag: noindex, googlebot: nofollow`: an agent applies to what follows it. `unavailable_after` and the `max-…` directives have colons of their own. */
export function headerRobots(headers: Headers): PageFacts['robots'] {
  const written = headers['x-robots-tag'];
  if (written === undefined) return [];
  const found = new Map<string, string[]>();
  let agent = '*';
  for (const part of written.slice(0, 2000).split(',')) {
    const named = /^\s*([a-z][\w-]*)\s*:\s*(.*)$/i.exec(part);
    const isAgent = named !== null && !/^(?:unavailable_after|max-)/i.test(named[1] ?? '');
    if (isAgent) agent = (named[1] ?? '').toLowerCase();
    found.set(agent, [...(found.get(agent) ?? []), ...directivesOf(isAgent ? (named[2] ?? '') : part)]);
  }
  return [...found].slice(0, 20).map(([name, directives]) => ({ source: 'header', agent: name, directives }));
}

export type HeaderLink = { readonly target: string; readonly relations: readonly string[]; readonly language: string };
/** The header `Link` (RFC 8288). */
export function headerLinks(headers: Headers): HeaderLink[] {
  const written = headers['link'];
  if (written === undefined) return [];
  const found: HeaderLink[] = [];
  for (const match of written.slice(0, 20_000).matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g)) {
    const parameter = (name: string): string =>
      new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;,]*))`, 'i')
        .exec(match[2] ?? '')
        ?.slice(1)
        .find(Boolean) ?? '';
    found.push({ target: (match[1] ?? '').trim(), relations: parameter('rel').toLowerCase().split(/\s+/), language: parameter('hreflang') });
    if (found.length >= 200) break;
  }
  return found;
}

/** `5; url=/next` of `meta` or the header `Refresh`. */
export function refreshOf(content: string): { readonly seconds: number; readonly target: string } | null {
  const match = /^\s*(\d{1,9})(?:\.\d*)?\s*(?:[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*))?/i.exec(content);
  return match === null ? null : { seconds: Number(match[1]), target: (match[2] ?? '').trim() };
}
