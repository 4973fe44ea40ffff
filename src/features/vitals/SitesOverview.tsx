import type { ReactElement } from 'react';
import type { VitalSite } from '@contract/vitals/schemas';
import { coreMetrics } from '@contract/vitals/terms';
import type { VitalMetric } from '@contract/vitals/terms';
import type { Site } from '@contract/sites/schemas';
import type { Day } from '@/lib/days';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { rangeOf } from './address';
import type { ChangeVitals, VitalsState } from './address';
import { RatedValue } from './RatedValue';
import { useVitalLabels } from './useVitalLabels';
import { useVitalSitesQuery } from './vitalsApi';

type Row = VitalSite & { readonly site: Site };
const verdictTones = { pass: 'good', fail: 'bad' } as const;

/** One row per site, the ones that fail first. */
export function SitesOverview({
  sites,
  state,
  today,
  change,
}: {
  readonly sites: readonly Site[];
  readonly state: VitalsState;
  readonly today: Day;
  readonly change: ChangeVitals;
}): ReactElement {
  const { t, format } = useVitalLabels();
  const result = useVitalSitesQuery(
    { ...rangeOf(state.range, today).range, ...(state.device === '' ? {} : { device: state.device }) },
    { refetchOnMountOrArgChange: true },
  );
  const scoreOf = (row: Row, metric: VitalMetric) => row.scores.find((score) => score.metric === metric);
  const columns: Column<Row>[] = [
    { id: 'site', name: t('controls.site'), fills: true, value: ({ site }) => site.name, sortable: true, cell: ({ site }) => site.name },
    {
      id: 'verdict',
      name: t('verdict.title'),
      width: 132,
      cell: ({ verdict, collection }) =>
        verdict === 'unknown' ? (
          <Tag>{collection.on ? t('verdict.unknown') : t('verdict.off')}</Tag>
        ) : (
          <Tag tone={verdictTones[verdict]}>{t(`verdict.${verdict}`)}</Tag>
        ),
    },
    ...coreMetrics.map((metric): Column<Row> => ({
      id: metric,
      name: t(`metric.${metric}.short`),
      hint: t(`metric.${metric}.name`),
      numeric: true,
      sortable: true,
      value: (row) => scoreOf(row, metric)?.p75 ?? null,
      cell: (row) => <RatedValue metric={metric} value={scoreOf(row, metric)?.p75 ?? null} rating={scoreOf(row, metric)?.rating ?? null} />,
    })),
    {
      id: 'n',
      name: t('figure.n'),
      numeric: true,
      sortable: true,
      value: (row) => scoreOf(row, 'lcp')?.n ?? 0,
      cell: (row) => format.number(scoreOf(row, 'lcp')?.n ?? 0),
    },
  ];
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(found) => {
        const order = { fail: 0, pass: 1, unknown: 2 } as const;
        const rows = found
          .flatMap((row): Row[] => sites.flatMap((site) => (site.id === row.siteId ? [{ ...row, site }] : [])))
          .toSorted((a, b) => order[a.verdict] - order[b.verdict]);
        return rows.length === 0 ? (
          <EmptyState ghost="rows" title={t('empty.noSites')} />
        ) : (
          <DataTable
            label={t('title')}
            rows={rows}
            rowKey={({ siteId }) => siteId}
            columns={columns}
            onRow={({ siteId }) => change({ site: siteId })}
            rowHint={({ site }) => t('open', { name: site.name })}
          />
        );
      }}
    </ResultState>
  );
}
