import type { CardData, DashboardChange } from '@contract/dashboard/schemas';
import type { ChangeDimension } from '@contract/dashboard/terms';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { withMessages } from '@/i18n';
import { filterText } from '@/lib/filterText';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { href } from '@/routes/paths';
import { RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { Quiet } from './CardSection';
import { useDashboardCausesQuery, useDashboardChangeQuery } from './dashboardApi';
import { SectionState } from './SectionState';
import { TodayNotes } from './TodayNotes';

const loadCauses = () => withMessages(import(/* webpackChunkName: "dashboard-causes" */ './causes/CauseList'), ['crawlRules']);
const CauseList = lazy(loadCauses);

/** Whether the list of sites led here, from a fall. */
const useIsLedHere = (): boolean => useLocation().hash === '#why';

/** Reads what the panel shows while the card is still loading, if an address opens both. Only a fall has causes. */
export function useWhyAhead(siteId: string, why: '' | 'yesterday' | 'week'): void {
  const against = why === '' ? 'yesterday' : why;
  const isFall = useIsLedHere() && why !== '';
  useDashboardChangeQuery({ siteId, against }, { skip: why === '' });
  useDashboardCausesQuery({ siteId, against }, { skip: !isFall });
  useEffect(() => {
    // If it does not arrive, the panel says so when it is needed.
    if (isFall) void loadCauses().catch(() => undefined);
  }, [isFall]);
}

/** Seconds for which what was read ahead is used. */
export const recent = 10;

/** Id of the button that opens and closes the panel. */
export const whyButton = 'why-today-changed';

const Panel = styled('section')({
  padding: '12px 16px 16px',
  // Below the top bar and the sentence with its button.
  scrollMarginTop: 104,
  marginBottom: 16,
  background: 'var(--n-1)',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
});
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 16px',
  marginBottom: 8,
  '& h3': { fontSize: 'var(--text-body)', fontWeight: 600, margin: 0 },
});
const Divisions = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(220px, 1fr))', gap: '16px 32px', alignItems: 'start' });
const Table = styled('table')({
  width: '100%',
  borderCollapse: 'collapse',
  tableLayout: 'fixed',
  fontSize: 'var(--text-table)',
  '& caption': { textAlign: 'start', color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', paddingBottom: 4 },
  '& th': { fontWeight: 400, textAlign: 'start', padding: '4px 8px 4px 0', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& td': { width: 110, padding: '4px 0', fontVariantNumeric: 'tabular-nums' },
  '& td > span': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 48px', alignItems: 'center', textAlign: 'end' },
  '& i': { height: 6, borderRadius: 1, justifySelf: 'end', background: 'var(--bad)' },
  '& i[data-up]': { background: 'var(--good)' },
  '& a': { color: 'var(--ink)' },
  '& a:not(:hover)': { textDecoration: 'none' },
  '@media (pointer: coarse)': { '& th': { paddingBlock: 0 }, '& a': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', paddingBlock: 12 } },
});

/** `+12`, `−3`. */
const useSigned = (): ((value: number) => string) => {
  const { number } = useFormat();
  return (value) => (value > 0 ? `+${number(value)}` : number(value));
};

/** The name of a row for people. */
const useKeyNames = (): ((dimension: ChangeDimension, key: string) => string) => {
  const { t } = useTranslation('dashboard');
  const { locale } = useFormat();
  const places = usePlaces();
  const language = locale === 'en' ? 'en' : 'zh-CN';
  return (dimension, key) => {
    if (key === '') return t(dimension === 'sourceName' ? 'direct' : 'unknown');
    if (dimension === 'sourceName') return places?.productName(key, language) ?? key;
    if (dimension === 'country') return places?.countryName(key, language) ?? key;
    return dimension === 'deviceType' ? t(`device.${key as 'desktop'}`, { defaultValue: key }) : key;
  };
};

const Division = ({ site, division }: { site: Site; division: DashboardChange['by'][number] }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { number } = useFormat();
  const signed = useSigned();
  const nameOf = useKeyNames();
  const { dimension, rows, rest } = division;
  const largest = Math.max(1, ...rows.map(({ now, before }) => Math.abs(now - before)), Math.abs(rest.now - rest.before));
  const cell = ({ now, before }: { readonly now: number; readonly before: number }): ReactElement => (
    <td title={t('why.pair', { now: number(now), before: number(before) })}>
      <span>
        <i aria-hidden {...(now > before ? { 'data-up': '' } : {})} style={{ width: `${(Math.abs(now - before) / largest) * 100}%` }} />
        {signed(now - before)}
      </span>
    </td>
  );
  return (
    <Table>
      <caption>{t(`why.by.${dimension}`)}</caption>
      <tbody>
        {rows.map((row) => {
          const name = nameOf(dimension, row.key);
          const search = new URLSearchParams({ range: 'today', filter: filterText({ by: dimension, op: 'is', values: [row.key] }) });
          return (
            <tr key={row.key}>
              <th scope="row" title={name}>
                <Link to={`${href('site.als.overview', { siteId: site.id })}?${search.toString()}`}>{name}</Link>
              </th>
              {cell(row)}
            </tr>
          );
        })}
        {(rest.now > 0 || rest.before > 0) && (
          <tr>
            <th scope="row">{t('why.rest')}</th>
            {cell(rest)}
          </tr>
        )}
      </tbody>
    </Table>
  );
};

/** What the change of today’s visitors consists of. Every division adds up to the whole change. */
export const WhyChanged = ({
  site,
  notes,
  against,
  onAgainst,
  onClose,
}: {
  site: Site;
  notes: CardData<'today'>['notes'];
  against: 'yesterday' | 'week';
  onAgainst: (against: 'yesterday' | 'week') => void;
  onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const signed = useSigned();
  const result = useDashboardChangeQuery({ siteId: site.id, against }, { refetchOnMountOrArgChange: recent });
  const panel = useRef<HTMLElement>(null);
  const isLedHere = useIsLedHere();
  useEffect(() => {
    if (isLedHere) panel.current?.scrollIntoView();
  }, [isLedHere]);
  const close = (): void => {
    onClose();
    document.getElementById(whyButton)?.focus();
  };
  const pair = ({ now, before }: { readonly now: number; readonly before: number }): string =>
    t('why.pair', { now: format.number(now), before: format.number(before) });
  return (
    <Panel ref={panel} aria-label={t('why.title')}>
      <Head>
        <h3>{t('why.title')}</h3>
        <Toggles
          label={t('why.against')}
          value={against}
          choices={[
            { value: 'yesterday', label: t('why.yesterday') },
            { value: 'week', label: t('why.week') },
          ]}
          onChoose={onAgainst}
        />
        <Button onClick={close} sx={{ ml: 'auto', mr: -1.5, color: 'text.secondary' }}>
          {t('why.close')}
        </Button>
      </Head>
      <SectionState name={t('why.title')} result={result} skeleton={<RowsSkeleton rows={6} />}>
        {({ visitors, by, leftOut, compareDay, at }) => (
          <>
            <p style={{ margin: '0 0 12px' }}>
              {t('why.total', {
                now: format.number(visitors.now),
                before: format.number(visitors.before),
                change: signed(visitors.now - visitors.before),
                day: format.monthDay(compareDay),
                time: format.time(at, { timeZone: site.timeZone }),
              })}
            </p>
            {visitors.now < visitors.before && (
              <Suspense fallback={<RowsSkeleton rows={3} />}>
                <CauseList site={site} against={against} />
              </Suspense>
            )}
            <TodayNotes siteId={site.id} notes={notes} />
            <Divisions>
              {by.map((division) => (
                <Division key={division.dimension} site={site} division={division} />
              ))}
            </Divisions>
            <Quiet style={{ marginTop: 12 }}>
              {t('why.sums')} {t('why.leftOut', { bots: pair(leftOut.bots), suspected: pair(leftOut.suspected), blocked: pair(leftOut.blocked) })}
            </Quiet>
          </>
        )}
      </SectionState>
    </Panel>
  );
};
