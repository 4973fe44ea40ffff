import type { DistributionQuery, MeasureId, Report, Row } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useInstallQuery, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, type LazyBlock, withGroups } from './blocks';
import { scopeOf, useDistributionQuery } from './blocksApi';
import { axes, type Axis, bucketName } from './buckets';
import { ExportLinks } from './ExportLinks';
import { withFilter } from './filters';
import { IdentityNote, needsIdentity } from './IdentityNote';
import { groupsOf, isMeasure } from './measures';
import { PartLinks } from './PartLinks';
import { compareRange } from './range';
import type { HistogramOf } from './sections';
import { reportQuery } from './urlState';
import { useVisibleMeasures } from './useVisibleMeasures';
import { useLabels } from './useLabels';

const Tabs = styled('div')({ display: 'flex', gap: 4, flexWrap: 'wrap' });
const Tab = styled('button')({
  border: '1px solid transparent',
  background: 'none',
  color: 'var(--ink-2)',
  fontSize: 'var(--text-table)',
  padding: '3px 8px',
  borderRadius: 'var(--radius)',
  cursor: 'pointer',
  '&[aria-pressed=true]': { color: 'var(--ink)', fontWeight: 600, borderColor: 'var(--n-4)' },
  '&:hover': { background: 'var(--hover)' },
  '@media (pointer: coarse)': { minHeight: 40 },
});
const About = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)', marginBottom: 8 });
const Share = styled('span')({ display: 'flex', alignItems: 'center', gap: 12 });
const Bars = styled('span')({ display: 'block', width: 'clamp(90px, 18vw, 280px)' });
const Files = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: 8, marginTop: 8 });
const Now = styled('span')({ display: 'block', height: 12, borderRadius: 2, background: 'var(--chart-accent)' });
const Before = styled('span')({ display: 'block', height: 3, borderRadius: 2, marginTop: 2, background: 'var(--chart-muted)' });

/** Value of `view` in the address. */
const idOf = (of: HistogramOf): Axis | 'perVisits' | 'perViews' => ('by' in of ? of.by : of.perVisitor === 'visits' ? 'perVisits' : 'perViews');

/** One bucket: its share now and in the comparison period, 0…1, as bars on a common scale. */
const Bar = ({ now, before, top, text }: { now: number | null; before: number | null; top: number; text: string }): ReactElement => {
  const width = (share: number): string => `${String((100 * share) / (top || 1))}%`;
  return (
    <Share>
      <Bars aria-hidden>
        <Now style={{ width: width(now ?? 0), minWidth: (now ?? 0) > 0 ? 2 : 0 }} />
        {before !== null && <Before style={{ width: width(before), minWidth: before > 0 ? 2 : 0 }} />}
      </Bars>
      {text}
    </Share>
  );
};

/** How visits, or visitors, are distributed over the buckets of one axis; a switch appears if there is more than one way of counting. */
const HistogramBlock: LazyBlock<'histogram'> = ({ block, ...props }): ReactElement => {
  const { site, state, change } = props;
  const { t } = useLabels();
  const of = block.of.find((one) => idOf(one) === state.view) ?? block.of[0];
  const id = idOf(of);
  const name = t(`blocks.histogram.of.${id}`);
  return (
    <div style={{ marginBottom: 32 }}>
      <Section
        title={name}
        {...(block.of.length < 2
          ? {}
          : {
              actions: (
                <Tabs role="group" aria-label={t('blocks.histogram.switch')}>
                  {block.of.map((one, at) => (
                    <Tab key={idOf(one)} type="button" aria-pressed={idOf(one) === id} onClick={() => change({ view: at === 0 ? null : idOf(one) })}>
                      {t(`blocks.histogram.of.${idOf(one)}`)}
                    </Tab>
                  ))}
                </Tabs>
              ),
            })}
      >
        <About>{t(`blocks.histogram.about.${id}`)}</About>
        {needsIdentity(site, id, state.range) ? (
          <IdentityNote site={site} />
        ) : (
          <>
            <Known site={site} id={id} />
            {'by' in of ? <ByBucket key={id} {...props} by={of.by} name={name} /> : <PerVisitor key={id} {...props} per={of.perVisitor} name={name} />}
          </>
        )}
      </Section>
    </div>
  );
};

/** Since when earlier visits are known, or that visitors are recognised within one day only. */
const Known = ({ site, id }: Pick<BlockProps, 'site'> & { readonly id: ReturnType<typeof idOf> }): ReactElement | null => {
  const { t, format } = useLabels();
  const reachesBack = id === 'ago' || id === 'visitNumber';
  const { data } = useInstallQuery({ siteId: site.id }, { skip: !reachesBack });
  if (site.identity === 'cookieless' && id === 'perViews') return <About>{t('blocks.histogram.identity.daily')}</About>;
  const first = data?.firstHitAt ?? null;
  return !reachesBack || first === null ? null : (
    <About>{t('blocks.histogram.oldest', { day: format.date(first, { timeZone: site.timeZone, weekday: false }) })}</About>
  );
};

type BucketRow = { readonly key: string; readonly share: number | null; readonly before: number | null; readonly row: Row | null };

/** The default columns of the bucket table, and those that can be added. */
const usual = ['visits', 'visitors', 'views', 'newRatio', 'bounceRate', 'avgDuration'] as const satisfies readonly MeasureId[];
const more = [
  'ips',
  'newVisitors',
  'avgPages',
  'avgEngaged',
  'visitorDays',
  'conversions',
  'conversionRate',
  'conversionValue',
  'events',
] as const satisfies readonly MeasureId[];
/** Nothing happened in an empty bucket: counts are 0, averages and shares have no value. */
const averages: readonly MeasureId[] = ['newRatio', 'bounceRate', 'avgDuration', 'avgPages', 'avgEngaged', 'conversionRate'];

/** Every bucket of the axis has a row, including empty ones; unknown values come last. */
const bucketRows = (report: Report, by: Axis): readonly BucketRow[] => {
  const found = new Map((report.rows ?? []).map((row) => [row.key, row]));
  const total = report.compareTotals?.visits ?? 0;
  const axis: readonly string[] = report.axis ?? axes[by];
  const keys = [...axis, ...[...found.keys()].filter((key) => !axis.includes(key))];
  return keys.map((key): BucketRow => {
    const row = found.get(key) ?? null;
    return { key, row, share: row?.share ?? 0, before: isCompared(report) ? (total === 0 ? 0 : (row?.compare?.visits ?? 0) / total) : null };
  });
};

const ByBucket = ({ site, state, change, screen, by, name }: BlockProps & { readonly by: Axis; readonly name: string }): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const remember = `als.rows.${screen}`;
  const visible = useVisibleMeasures(remember, usual, more, state.columns);
  const query = { ...reportQuery(state), ...withGroups(groupsOf(visible)), by, sort: 'visits', byKey: '1', dir: 'asc', size: 100 } as const;
  const result = useReportQuery({ siteId: site.id, ...query });
  return (
    <BlockState name={name} result={result} skeleton={<RowsSkeleton rows={axes[by].length} />}>
      {(report) => {
        const compared = isCompared(report);
        const rows = bucketRows(report, by);
        const top = Math.max(...rows.flatMap(({ share, before }) => [share ?? 0, before ?? 0]));
        const count = (id: MeasureId): Column<BucketRow> => ({
          id,
          ...((usual as readonly MeasureId[]).includes(id) ? {} : { extra: true }),
          name: labels.measure(id),
          hint: t(`measure.${id}.text`),
          numeric: true,
          total: labels.value(id, report.totals[id]),
          cell: ({ row }) => labels.value(id, row === null ? (averages.includes(id) ? null : 0) : row.values[id]),
        });
        const columns: Column<BucketRow>[] = [
          { id: 'name', name, cell: ({ key }) => (key === '' ? t('unknown.value') : bucketName(t, by, key)) },
          {
            id: 'bar',
            of: 'name',
            name: t('blocks.histogram.bar'),
            total: format.percent(1),
            cell: ({ share, before }) => <Bar now={share} before={before} top={top} text={format.percent(share ?? 0)} />,
          },
          count('visits'),
          ...(compared
            ? [
                {
                  id: 'change',
                  of: 'visits',
                  name: t('block.change'),
                  numeric: true,
                  cell: ({ row }: BucketRow) =>
                    row?.compare == null ? null : (
                      <Delta
                        now={row.values.visits}
                        before={row.compare.visits}
                        better="neither"
                        sample={Math.min(row.values.visits ?? 0, row.compare.visits ?? 0)}
                      />
                    ),
                },
              ]
            : []),
          ...[...usual, ...more].filter((id) => id !== 'visits').map(count),
        ];
        return (
          <>
            <Table
              name={name}
              columns={columns}
              rows={rows}
              compared={compared}
              empty={(report.totals.visits ?? 0) === 0}
              onRow={({ key }) => change({ filters: withFilter(state.filters, { by, op: 'is', values: [key] }) })}
              hint={({ key }) => t('blocks.histogram.filter', { name: bucketName(t, by, key) })}
              choice={{
                remember,
                chosen: ['name', ...visible],
                onChoose: (ids) => change({ columns: ids === null ? null : ids.filter(isMeasure) }, 'replace'),
              }}
            />
            <Files>
              <ExportLinks site={site} query={{ ...query, measure: visible }} />
            </Files>
          </>
        );
      }}
    </BlockState>
  );
};

type VisitorRow = {
  readonly key: string;
  readonly share: number | null;
  readonly before: number | null;
  readonly visitors: number;
  readonly visits: number;
  readonly views: number;
};

const PerVisitor = ({ site, state, per, name }: BlockProps & { readonly per: DistributionQuery['of']; readonly name: string }): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const scope = scopeOf(state);
  const result = useDistributionQuery({ siteId: site.id, ...scope, of: per });
  const other = compareRange(state);
  const earlier = useDistributionQuery({ siteId: site.id, ...scope, of: per, ...other }, { skip: other === null });
  const axis = per === 'visits' ? 'perVisits' : 'perViews';
  return (
    <BlockState name={name} result={result} skeleton={<RowsSkeleton rows={10} />}>
      {(now) => {
        const before = other === null ? undefined : earlier.currentData;
        const compared = before !== undefined && before.visitors > 0;
        const was = new Map((before?.buckets ?? []).map((one) => [one.key, one]));
        const all = now.buckets.map((one): VisitorRow => ({ ...one, before: compared ? (was.get(one.key)?.share ?? 0) : null }));
        // The buckets reach far beyond what most sites ever see: none are listed after the last that occurs.
        const rows = all.slice(0, 1 + all.findLastIndex((row) => row.visitors > 0 || (row.before ?? 0) > 0));
        const top = Math.max(...rows.flatMap((row) => [row.share ?? 0, row.before ?? 0]));
        const sum = (id: 'visits' | 'views'): number => rows.reduce((total, row) => total + row[id], 0);
        const count = (id: 'visitors' | 'visits' | 'views', total: number): Column<VisitorRow> => ({
          id,
          name: labels.measure(id),
          hint: t(`measure.${id}.text`),
          numeric: true,
          total: format.number(total),
          cell: (row) => format.number(row[id]),
        });
        const columns: Column<VisitorRow>[] = [
          { id: 'name', name, cell: ({ key }) => bucketName(t, axis, key) },
          {
            id: 'bar',
            name: t('blocks.histogram.visitorsBar'),
            total: format.percent(1),
            cell: (row) => <Bar now={row.share} before={row.before} top={top} text={format.percent(row.share ?? 0)} />,
          },
          count('visitors', now.visitors),
          count('visits', sum('visits')),
          count('views', sum('views')),
        ];
        return (
          <>
            <Table name={name} columns={columns} rows={rows} compared={compared} empty={now.visitors === 0} />
            <Files>
              <PartLinks site={site} part="distribution" query={{ ...scope, of: per }} />
            </Files>
          </>
        );
      }}
    </BlockState>
  );
};

const Table = <R extends { readonly key: string }>({
  name,
  columns,
  rows,
  compared,
  empty,
  onRow,
  hint,
  choice,
}: {
  readonly name: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly compared: boolean;
  readonly empty: boolean;
  readonly onRow?: (row: R) => void;
  readonly hint?: (row: R) => string;
  /** The column menu. */
  readonly choice?: { readonly remember: string; readonly chosen: readonly string[]; readonly onChoose: (ids: readonly string[] | null) => void };
}): ReactNode => {
  const { t } = useLabels();
  if (empty) return <About>{t('blocks.histogram.empty')}</About>;
  return (
    <>
      {compared && <About style={{ marginBottom: 4, fontSize: 'var(--text-secondary)' }}>{t('blocks.histogram.before')}</About>}
      <DataTable
        label={name}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        totalLabel={t('block.total')}
        {...(onRow === undefined ? {} : { onRow })}
        {...(hint === undefined ? {} : { rowHint: hint })}
        {...choice}
      />
    </>
  );
};

export default HistogramBlock;
