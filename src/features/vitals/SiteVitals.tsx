import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { Day } from '@/lib/days';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { queryOf } from './address';
import type { ChangeVitals, VitalsState } from './address';
import { Breakdown } from './Breakdown';
import { Causes } from './Causes';
import { Histogram } from './Histogram';
import { Scores } from './Scores';
import { Timeline } from './Timeline';
import { useVitalLabels } from './useVitalLabels';
import { useVitalSummaryQuery } from './vitalsApi';

export type SiteProps = { readonly site: Site; readonly state: VitalsState; readonly today: Day; readonly change: ChangeVitals };

/** All figures of one site: scores, time, breakdown, causes and distribution of the chosen metric. */
export function SiteVitals(props: SiteProps): ReactElement {
  const { site, state, today } = props;
  const { t } = useVitalLabels();
  const result = useVitalSummaryQuery(queryOf(state, today), { refetchOnMountOrArgChange: true });
  const toMeasuring = (
    <Link className="text-link" to={href('site.setting.measuring', { siteId: site.id })}>
      {t('empty.toMeasuring')}
    </Link>
  );
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={10} />}>
      {(summary) =>
        summary.ever ? (
          <>
            {!summary.collection.on && (
              <p role="note" className="vitals-verdict">
                {t('off')} {toMeasuring}
              </p>
            )}
            <Scores summary={summary} {...props} />
            <Timeline {...props} />
            <Breakdown {...props} />
            <Causes {...props} />
            <Histogram {...props} />
          </>
        ) : (
          <EmptyState ghost="chart" title={summary.collection.on ? t('empty.title') : t('empty.offTitle')} action={toMeasuring}>
            {summary.collection.on ? t('empty.text') : t('empty.offText')}
          </EmptyState>
        )
      }
    </ResultState>
  );
}
