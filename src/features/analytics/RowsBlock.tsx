import type { DimensionId, MeasureId, Report, ReportQuery, Row } from '@contract/analytics/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { DataTable } from '@/ui/DataTable';
import { Pager } from '@/ui/Pager';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, withGroups } from './blocks';
import { ExportLinks } from './ExportLinks';
import { type Filter, withFilter } from './filters';
import { MarkedName } from './MarkedName';
import { measureColumns } from './measureColumns';
import { groupsOf, isMeasure } from './measures';
import { QuietSelect } from './QuietSelect';
import { RowLinks } from './rowLinks';
import type { BlockOf } from './sections';
import { pageSizes, type ReportState, reportQuery } from './urlState';
import { useDefaultMeasures } from './useDefaultMeasures';
import { type Explaining, useExplain } from './useExplain';
import { useVisibleMeasures } from './useVisibleMeasures';
import { type Labels, useLabels } from './useLabels';

type RowsProps = BlockProps & { readonly by: DimensionId; readonly block: BlockOf<'rows'> };

/** All rows of one dimension: sorted and paged by the server, with a column choice and export. */
export const RowsBlock = ({ block, ...props }: BlockProps & { readonly block: BlockOf<'rows'> }): ReactElement | null => {
  if (block.whenAsked === true && props.state.by === null) return null;
  const [first] = block.by;
  const { by } = props.state;
  const current = by !== null && (block.by.includes(by) || block.leads?.includes(by) === true) ? by : first;
  // Rows of one dimension are never shown under the name of another while those load.
  return <Rows key={current} {...props} block={block} by={current} />;
};

const rememberOf = (screen: string): string => `als.rows.${screen}`;

const Rows = (props: RowsProps): ReactElement => {
  const { site, state, change, screen, by } = props;
  const { t } = useLabels();
  const { ready, ...defaults } = useDefaultMeasures(site.id, props.block);
  const block = { ...props.block, ...defaults };
  const visible = useVisibleMeasures(rememberOf(screen), block.measures, block.more, state.columns);
  const { sort, rememberSort } = useRowSort(screen, block, state.sort);
  const query = {
    ...reportQuery(state),
    ...withGroups(groupsOf([...visible, sort.id])),
    by,
    sort: sort.id,
    dir: sort.dir,
    page: state.page,
    size: state.size,
  };
  const result = useReportQuery({ siteId: site.id, ...query }, { skip: !ready });
  const explaining = useExplain(site.id, state);
  const name = t('block.tableOf', { name: t(`dimension.${by}`) });
  return (
    <Section title={name} actions={<RowsActions {...props} block={block} query={{ ...query, measure: visible }} />}>
      <BlockState name={name} result={result} skeleton={<RowsSkeleton rows={10} />}>
        {(report) => (
          <>
            <RowsTable {...props} block={block} name={name} report={report} visible={visible} sort={sort} rememberSort={rememberSort} explaining={explaining} />
            {explaining.render(report)}
            <Pager
              page={state.page}
              size={state.size}
              count={report.rowCount ?? 0}
              sizes={pageSizes}
              onPage={(page) => change({ page })}
              onSize={(size) => change({ size })}
            />
          </>
        )}
      </BlockState>
    </Section>
  );
};

type RowSort = NonNullable<ReportState['sort']>;

/** The order of the rows: as in the address, else as last chosen on this screen in this browser, else by the first column. */
function useRowSort(screen: string, { measures, more }: BlockOf<'rows'>, inAddress: RowSort | null): { sort: RowSort; rememberSort: (sort: RowSort) => void } {
  const choices = [...measures, ...more].flatMap((id) => [`${id}.desc` as const, `${id}.asc` as const]);
  const [stored, store] = useRemembered(`als.sort.${screen}`, choices, `${measures[0]}.desc`);
  const [id, dir] = stored.split('.') as [MeasureId, RowSort['dir']];
  return { sort: inAddress ?? { id, dir }, rememberSort: (sort) => store(`${sort.id}.${sort.dir}`) };
}

const RowsActions = ({ site, change, by, block, query }: RowsProps & { readonly query: ReportQuery & { readonly measure: MeasureId[] } }): ReactElement => {
  const { t } = useLabels();
  const choices = block.by.includes(by) ? block.by : [by, ...block.by];
  return (
    <>
      {choices.length > 1 && (
        <QuietSelect
          label={t('filter.dimension')}
          value={by}
          options={choices.map((id) => ({ id, name: t(`dimension.${id}`) }))}
          onChange={(one) => change({ by: one === block.by[0] && block.whenAsked !== true ? null : one })}
        />
      )}
      <ExportLinks site={site} query={query} />
      {block.whenAsked === true && (
        <Button size="small" onClick={() => change({ by: null, sort: null, page: 1 })}>
          {t('block.backToLists')}
        </Button>
      )}
    </>
  );
};

const emptyText = ({ t }: Labels, why: BlockOf<'rows'>['empty']): string =>
  why === undefined ? t('empty.rows') : [t(`empty.kind.${why}`), t(`empty.why.${why}`)].join(t('filter.colon'));

/** How much of the sorted measure each row has. Visits add up to the total, rates do not. */
function withShare(columns: readonly Column<Row>[], { t, format, measure }: Labels, sorted: MeasureId, rows: readonly Row[]): Column<Row>[] {
  if (rows.every(({ share }) => share === null)) return [...columns];
  const share: Column<Row> = {
    id: `${sorted}.share`,
    of: sorted,
    name: t('column.percent', { name: t('blocks.histogram.bar') }),
    hint: t('column.shareHint', { name: measure(sorted) }),
    numeric: true,
    cell: (row) => (row.share === null ? null : format.decimal(row.share * 100, 1)),
  };
  return columns.flatMap((column) => (column.id === sorted ? [column, share] : [column]));
}

/** Conversions are compared wherever they are visible: what a source brings is asked by them. */
const columnsOf = (
  labels: Labels,
  by: DimensionId,
  { measures, more, share }: BlockOf<'rows'>,
  { report, sorted, previous }: { readonly report: Report; readonly sorted: MeasureId; readonly previous: boolean },
): Column<Row>[] => {
  const compared = isCompared(report);
  const columns: Column<Row>[] = [
    {
      id: 'name',
      name: labels.t(`dimension.${by}`),
      fills: true,
      share: (row) => row.share,
      cell: (row) => <MarkedName by={by} rowKey={row.key} name={labels.nameOf(by, row.key)} />,
    },
    ...measureColumns<Row>({
      labels,
      measures,
      more,
      totals: report.totals,
      of: (row) => row.values,
      totalsBefore: compared ? report.compareTotals : null,
      before: (row) => row.compare,
      differences: compared ? [sorted, 'conversions'] : [],
      previous,
    }),
  ];
  return share === true ? withShare(columns, labels, sorted, report.rows ?? []) : columns;
};

const RowsTable = ({
  site,
  state,
  change,
  screen,
  by,
  block,
  name,
  report,
  visible,
  sort,
  rememberSort,
  explaining,
}: RowsProps & {
  readonly name: string;
  readonly report: Report;
  readonly visible: readonly MeasureId[];
  readonly sort: RowSort;
  readonly rememberSort: (sort: RowSort) => void;
  readonly explaining: Explaining;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const small = useMedia(phone);
  const compared = isCompared(report);
  const following = block.next?.[by];
  const narrowedBy = (row: Row): readonly Filter[] => withFilter(state.filters, { by, op: 'is', values: [row.key] });
  return (
    <DataTable
      label={name}
      columns={columnsOf(labels, by, block, { report, sorted: sort.id, previous: !small })}
      rows={report.rows ?? []}
      rowKey={(row) => row.key}
      sort={[sort]}
      onSort={([one]) => {
        if (one === undefined || !isMeasure(one.id)) return;
        const next = { id: one.id, dir: one.dir };
        rememberSort(next);
        change({ sort: next }, 'replace');
      }}
      onRow={(row) => change({ filters: narrowedBy(row), ...(following === undefined ? {} : { by: following }) })}
      rowHint={(row) =>
        following === undefined
          ? t('block.filterBy', { name: labels.nameOf(by, row.key) })
          : t('block.goOn', { name: labels.nameOf(by, row.key), next: t(`dimension.${following}`) })
      }
      onFigure={({ row, column, anchor }) => {
        if (!isMeasure(column)) return;
        const before = compared ? (row === null ? report.compareTotals : row.compare)?.[column] : undefined;
        explaining.open({
          anchor,
          measure: column,
          value: (row?.values ?? report.totals)[column],
          before,
          ...(row === null ? { of: t('block.total') } : { of: labels.nameOf(by, row.key), filters: narrowedBy(row) }),
        });
      }}
      figureHint={t('explain.hint')}
      actions={(row) => (
        <RowLinks
          site={site}
          state={state}
          by={by}
          rowKey={row.key}
          name={labels.nameOf(by, row.key)}
          leads={(block.leads ?? []).filter((one) => one !== by)}
          onLead={(one) => change({ filters: narrowedBy(row), by: one, sort: null })}
        />
      )}
      totalLabel={t('block.total')}
      remember={rememberOf(screen)}
      chosen={visible}
      onChoose={(ids) => change({ columns: ids === null ? null : ids.filter(isMeasure) }, 'replace')}
      empty={emptyText(labels, by === 'keyword' ? 'keyword' : block.empty)}
    />
  );
};
