import { Button } from '@mui/material';
import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { useSearchState } from '@/lib/searchState';
import { useToday } from '@/lib/useToday';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { address } from './address';
import { Controls } from './Controls';
import { SitesOverview } from './SitesOverview';
import { SiteVitals } from './SiteVitals';
import { useVitalLabels } from './useVitalLabels';
import './vitals.css';

const BudgetsDialog = lazy(() => import(/* webpackChunkName: "vitals" */ './BudgetsDialog'));
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function BudgetsButton({ site }: { readonly site: Site }): ReactElement {
  const { t } = useVitalLabels();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('budget.title')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <BudgetsDialog site={site} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Web vitals of all sites whose analytics the reader may see, or of the one that the address names. */
export function Component(): ReactElement {
  const { t } = useVitalLabels();
  const all = useAppSelector(selectSites);
  const sites = all.filter(({ role }) => mayOnSite(role, 'analytics.read'));
  const [state, change] = useSearchState(address);
  const site = sites.find(({ id }) => id === state.site);
  const today = useToday(site?.timeZone ?? ownZone);
  return (
    <>
      <PageHeader title={t('title')} {...(site === undefined ? {} : { note: site.name, actions: <BudgetsButton key={site.id} site={site} /> })} />
      {sites.length === 0 ? (
        <EmptyState
          ghost="chart"
          title={t('empty.noSites')}
          action={
            <Link className="text-link" to={href('home')}>
              {t('empty.toSites')}
            </Link>
          }
        />
      ) : (
        <>
          <Controls sites={sites} site={site} state={state} today={today} change={change} />
          {state.site !== '' && site === undefined && <EmptyState title={t('empty.unknownSite')} />}
          {state.site === '' && <SitesOverview sites={sites} state={state} today={today} change={change} />}
          {site !== undefined && <SiteVitals key={site.id} site={site} state={state} today={today} change={change} />}
        </>
      )}
    </>
  );
}
