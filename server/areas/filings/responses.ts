import type { z } from 'zod';
import { deadlinesOf } from '../../../contract/filings/deadlines';
import type { DatedFiling } from '../../../contract/filings/deadlines';
import { checkNumber, displayedNumber } from '../../../contract/filings/numbers';
import type { Filing, FilingList } from '../../../contract/filings/schemas';
import { isLocked, nextStates } from '../../../contract/filings/states';
import { numberKindOf } from '../../../contract/filings/terms';
import type { FilingWarning, FooterState } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { dayAt } from '../../zone';
import { hostsOf, unicodeOf } from '../hostnames';
import { isInFooter } from './footer';
import * as queries from './queries';
import type { CheckRow, Db, FilingRow, ListedFiling } from './queries';

/** The worse, the later. */
const severity: readonly FooterState[] = ['unchecked', 'ok', 'unreachable', 'wrong_link', 'hidden', 'wrong_number', 'missing'];
const wrong: ReadonlySet<FooterState> = new Set(['missing', 'wrong_number', 'wrong_link', 'hidden']);
const severityOf = ({ state }: CheckRow): number => severity.indexOf(state);

/** The worst result of the checks of a filing; null: nobody looked, or the pages need not show it. */
const worstOf = (row: FilingRow, checks: readonly CheckRow[] = []): CheckRow | null =>
  isInFooter(row) ? (checks.toSorted((a, b) => severityOf(b) - severityOf(a))[0] ?? null) : null;

type Checks = ReadonlyMap<string, readonly CheckRow[]>;
const earliest = (...days: readonly (string | null)[]): string | null => days.filter((day) => day !== null).toSorted()[0] ?? null;

/** A filing as the rules of deadlines see it. Days are those of the site. */
export function datedFiling({ row, subjectExpires }: ListedFiling, checks: Checks, timeZone: string): DatedFiling {
  const worst = worstOf(row, checks.get(row.id));
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    openedOn: row.openedOn,
    approvedOn: row.approvedOn,
    comparedOn: row.comparedOn,
    nextReviewOn: row.nextReviewOn,
    smsOn: row.smsUntil === null ? null : dayAt(row.smsUntil.getTime(), timeZone),
    certificateExpires: earliest(subjectExpires, row.peopleExpire),
    domainExpires: row.domainExpires,
    dataChangedOn: row.dataChangedOn,
    footerMissingSince: worst !== null && wrong.has(worst.state) ? dayAt(worst.since.getTime(), timeZone) : null,
  };
}

function footerOf(row: FilingRow, checks: readonly CheckRow[] | undefined): z.input<typeof Filing>['footer'] {
  const worst = worstOf(row, checks);
  if (worst === null) return { state: 'unchecked', url: '', detail: '', checkedAt: null };
  return { state: worst.state, url: worst.url, detail: worst.detail, checkedAt: worst.at.toISOString() };
}

type Surroundings = { readonly elsewhere: ReadonlySet<string>; readonly apexes: ReadonlySet<string>; readonly hasHosts: boolean };

function warningsOf(row: FilingRow, { elsewhere, apexes, hasHosts }: Surroundings): FilingWarning[] {
  return [
    ...(row.number === '' ? [] : checkNumber(numberKindOf[row.kind], row.number).warnings),
    ...(elsewhere.has(row.number) ? (['number_used_by_other_site'] as const) : []),
    ...(hasHosts && row.domains.some((domain) => !apexes.has(domain)) ? (['domain_not_of_site'] as const) : []),
  ];
}

const stateFor = (rows: readonly FilingRow[], domain: string, kind: FilingRow['kind']) => {
  const found = rows.filter((row) => row.kind === kind && (row.domains.length === 0 || row.domains.includes(domain)));
  // Of several, the one that is farthest.
  return (found.find(({ state }) => state === 'approved') ?? found.find(({ state }) => state !== 'cancelled') ?? found[0])?.state ?? null;
};

/** Filings of a site as readers see them, with what each of its domains has. */
export async function listFilings(
  ctx: Pick<Context, 'now'>,
  db: Db,
  site: { readonly id: string; readonly timeZone: string },
): Promise<z.input<typeof FilingList>> {
  const listed = await queries.filingsOf(db, [site.id]);
  const rows = listed.map(({ row }) => row);
  const [checks, hosts, elsewhere] = await Promise.all([
    queries.checksOf(db, [site.id]),
    hostsOf(db, site.id),
    queries.numbersElsewhere(
      db,
      site.id,
      rows.map(({ number }) => number).filter((number) => number !== ''),
    ),
  ]);
  const apexes = new Set(hosts.map(({ apex }) => apex));
  const surroundings = { elsewhere, apexes, hasHosts: hosts.length > 0 };
  const deadlines = deadlinesOf(
    listed.map((one) => datedFiling(one, checks, site.timeZone)),
    dayAt(ctx.now(), site.timeZone),
  );
  return {
    rows: listed.map(({ row, subjectName }) => {
      const { id, kind, state, serviceName, number, province, domains, homeUrl, contentTypes, interactive, inFooter, revision } = row;
      const { openedOn, approvedOn, comparedOn, nextReviewOn, domainExpires } = row;
      return {
        id,
        kind,
        state,
        serviceName,
        number,
        province,
        domains,
        homeUrl,
        contentTypes,
        interactive,
        inFooter,
        revision,
        openedOn,
        approvedOn,
        comparedOn,
        nextReviewOn,
        domainExpires,
        subject: row.subjectId,
        subjectName: subjectName ?? '',
        displayed: displayedNumber(number),
        next: [...nextStates(kind, state)],
        locked: isLocked(state),
        smsUntil: row.smsUntil?.toISOString() ?? null,
        footer: footerOf(row, checks.get(id)),
        deadlines: deadlines.filter(({ filing }) => filing === id).map(({ kind: what, on, overdue }) => ({ kind: what, on, overdue })),
        warnings: warningsOf(row, surroundings),
      };
    }),
    domains: [...new Set([...apexes, ...rows.flatMap((row) => row.domains)])].toSorted().map((domain) => ({
      domain,
      unicode: unicodeOf(domain),
      served: hosts.some(({ apex, served }) => apex === domain && served),
      icp: stateFor(rows, domain, 'icp'),
      license: stateFor(rows, domain, 'license'),
      mps: stateFor(rows, domain, 'mps'),
    })),
  };
}
