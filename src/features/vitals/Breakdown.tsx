import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { VitalBreakdown } from '@contract/vitals/schemas';
import { vitalDimensions, vitalMetrics } from '@contract/vitals/terms';
import { writeSearch } from '@/lib/searchState';
import { DataTable } from '@/ui/DataTable';
import { Pager } from '@/ui/Pager';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import type { Column } from '@/ui/tableColumns';
import { address, percentileOf, queryOf } from './address';
import { RatedValue } from './RatedValue';
import type { SiteProps } from './SiteVitals';
import { useVitalLabels } from './useVitalLabels';
import { useVitalBreakdownQuery } from './vitalsApi';

type Row = VitalBreakdown['rows'][number];
const size = 20;

/** All metrics by one property; a click on a row limits the whole page to it. */
export function Breakdown({ state, today, change }: SiteProps): ReactElement {
  const { t, format, key } = useVitalLabels();
  const [params] = useSearchParams();
  const { by, metric } = state;
  const percentile = percentileOf(state);
  const result = useVitalBreakdownQuery({ ...queryOf(state, today), by, metric, percentile, page: state.page, size }, { refetchOnMountOrArgChange: true });
  const columnsFor = (rows: readonly Row[]): Column<Row>[] => {
    const most = Math.max(1, ...rows.map(({ figures }) => figures[metric].n));
    return [
      { id: 'key', name: t(`by.${by}`), fills: true, share: ({ figures }) => figures[metric].n / most, cell: (row) => key(by, row.key) },
      ...vitalMetrics.map((one): Column<Row> => ({
        id: one,
        name: t(`metric.${one}.short`),
        hint: t(`metric.${one}.name`),
        numeric: true,
        cell: ({ figures }) => <RatedValue metric={one} value={figures[one].value} rating={figures[one].rating} />,
      })),
      { id: 'n', name: t('figure.n'), numeric: true, cell: ({ figures }) => format.number(figures[metric].n) },
    ];
  };
  return (
    <Section title={t('breakdown.title')} note={t('breakdown.note', { percentile: `p${percentile}`, metric: t(`metric.${metric}.short`) })}>
      <TabLinks
        label={t('breakdown.title')}
        current={by}
        tabs={vitalDimensions.map((id) => ({ id, name: t(`by.${id}`), to: `?${writeSearch(address, params, { by: id, page: 1 }).toString()}` }))}
      />
      <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
        {({ rows, total }) => (
          <>
            <DataTable<Row>
              label={t(`by.${by}`)}
              rows={rows}
              rowKey={(row) => row.key}
              columns={columnsFor(rows)}
              empty={t('noValues')}
              onRow={(row) => row.key !== '' && change({ [by]: row.key, page: 1 })}
              rowHint={(row) => t('breakdown.filter', { name: key(by, row.key) })}
            />
            <Pager page={state.page} size={size} count={total} sizes={[size]} onPage={(page) => change({ page })} onSize={() => undefined} />
          </>
        )}
      </ResultState>
    </Section>
  );
}
