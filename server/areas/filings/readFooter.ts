import { Parser } from 'htmlparser2';
import { displayedNumber, findNumbers } from '../../../contract/filings/numbers';
import { numberKindOf } from '../../../contract/filings/terms';
import type { FooterState } from '../../../contract/filings/terms';
import { parseUrl } from '../../../contract/parseUrl';
import type { FilingRow } from './queries';

type Link = { readonly href: string; text: string };
/** Text of a page that visitors see, text that is hidden from them, and the links among what they see. */
export type PageText = { readonly visible: string; readonly hidden: string; readonly links: readonly Link[] };

const unread: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'title', 'textarea']);
/** Elements without content, which are never closed. */
const empty: ReadonlySet<string> = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const hiding = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?(?![\d.])|font-size\s*:\s*0(?![\d.]))/i;
const isHiding = ({ hidden, style = '' }: Readonly<Record<string, string>>): boolean => hidden !== undefined || hiding.test(style);

/** Elements within each other; browsers nest no deeper either. Every end of an element is compared with all that are open. */
const deepest = 1000;

/** Reads a page; only inline styles and the attribute `hidden` hide something, since style sheets are not applied. */
export function readPageText(html: string): PageText {
  const open: { readonly name: string; readonly isHidden: boolean; readonly isUnread: boolean; readonly link: Link | null }[] = [];
  const links: Link[] = [];
  let [visible, hidden] = ['', ''];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (empty.has(name)) return;
        const above = open.at(-1);
        const isHidden = (above?.isHidden ?? false) || isHiding(attributes);
        const { href } = attributes;
        const link = name === 'a' && href !== undefined && !isHidden ? { href: href.trim(), text: '' } : (above?.link ?? null);
        if (link !== null && link !== above?.link) links.push(link);
        if (open.length >= deepest) parser.pause();
        open.push({ name, isHidden, isUnread: (above?.isUnread ?? false) || unread.has(name), link });
      },
      ontext(text) {
        const above = open.at(-1);
        if (above?.isUnread) return;
        if (above?.isHidden) hidden += text;
        else visible += text;
        if (above?.link) above.link.text += text;
      },
      onclosetag(name) {
        const at = open.findLastIndex((one) => one.name === name);
        if (at !== -1) open.splice(at);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { visible, hidden, links };
}

/** Older addresses of the register of public security still lead to it. */
const registers = { icp: ['beian.miit.gov.cn'], license: ['beian.miit.gov.cn'], mps: ['beian.mps.gov.cn', 'www.beian.gov.cn'] } as const;
/** Contain nothing that `findNumbers` would read as markup. */
const numbersIn = (text: string) => findNumbers(text.replaceAll(/[<>&]/g, ' '));

export type FooterFinding = { readonly state: Exclude<FooterState, 'unchecked' | 'unreachable'>; /** What stands there instead. */ readonly detail: string };

/** What a page shows of a number. */
export function findFooter({ visible, hidden, links }: PageText, { kind, number }: Pick<FilingRow, 'kind' | 'number'>): FooterFinding {
  const numberKind = numberKindOf[kind];
  const expected = displayedNumber(number);
  const shows = (text: string): boolean => numbersIn(text).some((one) => one.number === expected);
  if (!shows(visible)) {
    if (shows(hidden)) return { state: 'hidden', detail: '' };
    const other = numbersIn(visible).find((one) => one.kind === numberKind);
    return other === undefined ? { state: 'missing', detail: '' } : { state: 'wrong_number', detail: other.number };
  }
  const around = links.filter(({ text }) => shows(text));
  const code = numberKind === 'mps' ? (/\d{14}/.exec(number)?.[0] ?? '') : '';
  const isRight = ({ href }: Link): boolean => {
    const hosts: readonly string[] = registers[numberKind];
    return hosts.includes(parseUrl(href)?.hostname ?? '') && href.includes(code);
  };
  return around.some(isRight) ? { state: 'ok', detail: '' } : { state: 'wrong_link', detail: (around[0]?.href ?? '').slice(0, 300) };
}
