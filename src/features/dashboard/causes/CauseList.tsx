import type { Cause, DashboardCauses } from '@contract/dashboard/causes';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { filterText } from '@/lib/filterText';
import { useFormat } from '@/lib/format';
import { text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { RowsSkeleton } from '@/ui/skeletons';
import { Quiet } from '../CardSection';
import { dashboardApi, useDashboardCausesQuery } from '../dashboardApi';
import { SectionState } from '../SectionState';
import { recent } from '../WhyChanged';
import { CauseSignals } from './CauseSignals';
import { isFixed, mayFix } from './causes';

const FixPanel = lazy(() => import(/* webpackChunkName: "dashboard-causes" */ './FixPanel'));

const Rows = styled('ol')({
  listStyle: 'none',
  margin: '8px 0 12px',
  padding: 0,
  '& > li': { borderTop: '1px solid var(--line)', padding: '12px 0' },
  '& > li > header': { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: '0 16px' },
  '& > li > header > a': { fontWeight: 600, color: 'var(--ink)', overflowWrap: 'anywhere', minWidth: 0 },
  '& > li > header > span': { color: 'var(--bad)', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& footer': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, marginTop: 8 },
});
const Heading = styled('h4')({ margin: '0 0 4px', fontSize: 'var(--text-body)', fontWeight: 600 });

const CauseRow = ({
  cause,
  site,
  days,
  onFix,
}: {
  readonly cause: Cause;
  readonly site: Site;
  readonly days: DashboardCauses['keywordDays'];
  readonly onFix: () => void;
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { number } = useFormat();
  const { path, visitors } = cause;
  const search = new URLSearchParams({ range: 'today', filter: filterText({ by: 'entryPath', op: 'is', values: [path] }) });
  return (
    <li>
      <header>
        <Link to={`${href('site.als.overview', { siteId: site.id })}?${search.toString()}`}>{path}</Link>
        <span title={t('causes.pair', { now: number(visitors.now), before: number(visitors.before) })}>
          {t('causes.lost', { count: visitors.before - visitors.now, lost: number(visitors.now - visitors.before) })}
        </span>
      </header>
      <CauseSignals cause={cause} site={site} days={days} />
      {(cause.redirect !== null || isFixed(cause)) && (
        <footer>
          {mayFix(site) ? (
            <Button variant="outlined" onClick={onFix} aria-label={isFixed(cause) ? undefined : t('causes.fixOf', { path })}>
              {t(isFixed(cause) ? 'causes.seeFix' : 'causes.fix')}
            </Button>
          ) : (
            !isFixed(cause) && <Quiet>{t('causes.mayNot')}</Quiet>
          )}
        </footer>
      )}
    </li>
  );
};

const fixState = { fix: text('', 2000) };

/** Reads the causes again when something was published or a crawl found something; the cards then have what happened as well. */
function useCauses(site: Site, against: 'yesterday' | 'week') {
  const dispatch = useAppDispatch();
  const result = useDashboardCausesQuery({ siteId: site.id, against }, { refetchOnMountOrArgChange: recent });
  const refresh = useThrottled(() => void result.refetch(), 2000);
  useLive([`publishing:${site.id}`, `crawl:${site.id}`], (signal) => {
    refresh();
    if (signal.type !== 'crawl') dispatch(dashboardApi.util.invalidateTags([{ type: 'Dashboard', id: site.id }]));
  });
  return result;
}

/** Pages that lost visitors with what happened to them, and the panel in which a redirect is fixed, which has an address of its own. */
export default function CauseList({ site, against }: { readonly site: Site; readonly against: 'yesterday' | 'week' }): ReactElement {
  const { t } = useTranslation('dashboard');
  const { number } = useFormat();
  const result = useCauses(site, against);
  const [{ fix }, setState] = useSearchState(fixState);
  return (
    <SectionState name={t('causes.title')} result={result} skeleton={<RowsSkeleton rows={3} />}>
      {({ causes, others, lost, keywordDays, unread }) => (
        <>
          {lost > 0 && (
            <section aria-label={t('causes.title')}>
              <Heading>{t('causes.title')}</Heading>
              <Quiet>
                {causes.length === 0 ? t('causes.nothing') : t('causes.lead', { count: causes.length + others.pages, lost: number(lost) })}{' '}
                {unread.map(({ source, reason }) => t(`causes.unread.${reason}.${source}`)).join(' ')}
              </Quiet>
              <Rows>
                {causes.map((cause) => (
                  <CauseRow key={cause.path} cause={cause} site={site} days={keywordDays} onFix={() => setState({ fix: cause.path }, 'push')} />
                ))}
              </Rows>
              {causes.length > 0 && others.pages > 0 && (
                <Quiet style={{ marginBottom: 12 }}>{t('causes.others', { count: others.pages, lost: number(others.lost) })}</Quiet>
              )}
            </section>
          )}
          {fix !== '' && (
            <Suspense>
              <FixPanel
                key={fix}
                site={site}
                path={fix}
                cause={causes.find(({ path }) => path === fix) ?? null}
                onClose={() => setState({ fix: '' }, 'push')}
              />
            </Suspense>
          )}
        </>
      )}
    </SectionState>
  );
}
