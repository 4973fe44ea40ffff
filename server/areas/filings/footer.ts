import { displayedNumber, registerLink } from '../../../contract/filings/numbers';
import { isNumbered } from '../../../contract/filings/states';
import { isShownOnPages, numberKindOf } from '../../../contract/filings/terms';
import { escapeHtml } from '../../kit/text/escapeHtml';
import type { FilingRow } from './queries';

type FooterFiling = Pick<FilingRow, 'kind' | 'number' | 'state' | 'inFooter' | 'domains'>;

/** Whether pages show the number of a filing. */
export const isInFooter = ({ kind, state, inFooter, number }: Omit<FooterFiling, 'domains'>): boolean =>
  inFooter && number !== '' && isNumbered(state) && isShownOnPages(kind);

/** Whether a host is one of the domains, or below one; a filing without domains is for all hosts. */
export const concernsHost = (domains: readonly string[], host: string): boolean =>
  domains.length === 0 || domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

export type FooterNumber = { readonly number: string; readonly href: string };
/** ICP first, then the license, then public security, as the registers ask. */
const order = ['icp', 'license', 'mps'];

/** Numbers that pages show under a host; all of them if `host` is empty. */
export function footerNumbers(filings: readonly FooterFiling[], host: string): FooterNumber[] {
  return filings
    .filter((filing) => isInFooter(filing) && (host === '' || concernsHost(filing.domains, host)))
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map(({ kind, number }) => ({ number: displayedNumber(number), href: registerLink(numberKindOf[kind], number) }));
}

/** The element that pages show; empty without numbers. */
export const footerHtml = (numbers: readonly FooterNumber[]): string =>
  numbers.length === 0
    ? ''
    : `<div class="site-filings">${numbers
        .map(({ number, href }) => `<a href="${escapeHtml(href)}" target="_blank" rel="noreferrer">${escapeHtml(number)}</a>`)
        .join(' ')}</div>`;
