import type { DimensionId, MeasureId, Report, Row } from '@contract/analytics/schemas';
import { Button, ButtonBase } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, Suspense, useState } from 'react';
import { Link, type To } from 'react-router-dom';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Bone, RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps } from './blocks';
import { withFilters, withFilter } from './filters';
import { lazyBlocks } from './lazyBlocks';
import { MarkedName } from './MarkedName';
import { isMeasure, measureInfo } from './measures';
import { RowLinks } from './rowLinks';
import type { ListSpec, ListTab } from './sections';
import { reportQuery } from './urlState';
import { type Explaining, useExplain } from './useExplain';
import { type Labels, useLabels } from './useLabels';

const Grid = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 420px), 1fr))', gap: '32px 40px' });
const Head = styled('div')({ display: 'flex', alignItems: 'center', gap: 12, minHeight: 32, marginBottom: 4 });
const Title = styled('h2')({ fontSize: 'var(--text-section)', fontWeight: 600 });
const Tab = styled(ButtonBase)({
  font: 'inherit',
  fontSize: 'var(--text-table)',
  padding: '2px 6px',
  borderRadius: 'var(--radius)',
  color: 'var(--ink-2)',
  '&[aria-pressed=true]': { color: 'var(--ink)', fontWeight: 600 },
  '&:hover': { background: 'var(--hover)' },
  '@media (pointer: coarse)': { minHeight: 44 },
});
const topMost = 9;
const moreLook = { size: 'small', sx: { ml: 'auto', mr: -1, color: 'text.secondary' } } as const;

/** Cards of the most frequent values side by side, each with its own loading and error states; a click on a row filters the whole screen. */
export const ListsBlock = ({ lists, ...rest }: BlockProps & { readonly lists: readonly ListSpec[] }): ReactElement => (
  <Grid>
    {lists.map((list) => (
      <TopList key={list.id} list={list} {...rest} />
    ))}
  </Grid>
);

type TopListProps = BlockProps & {
  readonly list: ListSpec;
  readonly title?: string;
  readonly allAt?: (by: DimensionId) => To;
};

/** One card; `title` if its own name is ambiguous, `allAt` if the full list is on another screen. */
export const TopList = ({ list, title, allAt, ...props }: TopListProps): ReactElement => {
  const { state: screen, change } = props;
  const { t } = useLabels();
  const [open, setOpen] = useState(0);
  const tab = list.tabs[open] ?? list.tabs[0];
  const state = tab.filters === undefined ? screen : { ...screen, filters: withFilters(screen.filters, tab.filters) };
  const name = title ?? t(`overview.lists.${list.id}`);
  const tabName = (one: ListTab): string => (one.name === undefined ? t(`dimension.${one.by}`) : t(`overview.tabs.${one.name}`));
  return (
    <section aria-label={name} style={{ minWidth: 0 }}>
      <Head>
        {title !== undefined && <Title>{title}</Title>}
        {list.tabs.length > 1 ? (
          <span role="group" aria-label={name} style={title === undefined ? { marginLeft: -6 } : undefined}>
            {list.tabs.map((one, index) => (
              <Tab key={tabName(one)} aria-pressed={one === tab} onClick={() => setOpen(index)}>
                {tabName(one)}
              </Tab>
            ))}
          </span>
        ) : (
          title === undefined && <Title>{name}</Title>
        )}
        {allAt === undefined ? (
          <Button
            {...moreLook}
            aria-label={`${t('block.more')} ${name}`}
            onClick={() => change({ by: tab.by, sort: { id: tab.measures[0], dir: 'desc' }, filters: state.filters })}
          >
            {t('block.more')}
          </Button>
        ) : (
          <Button {...moreLook} aria-label={`${t('block.more')} ${name}`} component={Link} to={allAt(tab.by)}>
            {t('block.more')}
          </Button>
        )}
      </Head>
      {tab.map === true ? <MapCard {...props} state={state} /> : <TopRows key={open} {...props} state={state} tab={tab} name={name} />}
    </section>
  );
};

const { map: PlaceMap } = lazyBlocks;
const MapCard = (props: BlockProps): ReactElement | null =>
  PlaceMap === undefined ? null : (
    <Suspense fallback={<Bone h={240} style={{ opacity: 0.5 }} />}>
      <PlaceMap {...props} block={{ kind: 'map', by: 'province', small: true, card: true }} />
    </Suspense>
  );

type TopRowsProps = BlockProps & { readonly tab: ListTab; readonly name: string };

const TopRows = ({ tab, name, ...props }: TopRowsProps): ReactElement => {
  const { site, state } = props;
  const result = useReportQuery({
    siteId: site.id,
    ...reportQuery(state),
    by: tab.by,
    sort: tab.measures[0],
    size: topMost,
    // The number of visits tells how reliable a change is (`sample` below).
    measure: [...new Set<MeasureId>([...tab.measures, 'visits'])],
  });
  const explaining = useExplain(site.id, state);
  return (
    <BlockState name={name} result={result} skeleton={<RowsSkeleton rows={7} />}>
      {(report) => (
        <>
          <TopTable {...props} tab={tab} name={name} report={report} explaining={explaining} />
          {explaining.render(report)}
        </>
      )}
    </BlockState>
  );
};

/** The name, the measures, and the change of the first measure if there is a comparison. */
const columnsOf = (labels: Labels, { by, measures }: ListTab, report: Report): Column<Row>[] => {
  const { t } = labels;
  const [main] = measures;
  const change: Column<Row> = {
    id: 'change',
    name: t('block.change'),
    numeric: true,
    cell: (row) =>
      row.compare === null ? null : (
        <Delta
          now={row.values[main]}
          before={row.compare[main]}
          better={measureInfo(main).better}
          sample={Math.min(row.values.visits ?? 0, row.compare.visits ?? 0)}
          hint={`${labels.value(main, row.values[main])} / ${labels.value(main, row.compare[main])}`}
        />
      ),
  };
  return [
    {
      id: 'name',
      name: t(`dimension.${by}`),
      fills: true,
      share: (row) => row.share,
      cell: (row) => <MarkedName by={by} rowKey={row.key} name={labels.nameOf(by, row.key)} />,
    },
    ...measures.map((id): Column<Row> => ({
      id,
      name: labels.measure(id),
      hint: t(`measure.${id}.text`),
      numeric: true,
      figure: true,
      cell: (row) => labels.value(id, row.values[id]),
    })),
    ...(isCompared(report) ? [change] : []),
  ];
};

const TopTable = ({
  site,
  state,
  change,
  tab,
  name,
  report,
  explaining,
}: TopRowsProps & {
  readonly report: Report;
  readonly explaining: Explaining;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const { by } = tab;
  return (
    <DataTable
      label={name}
      columns={columnsOf(labels, tab, report)}
      rows={report.rows ?? []}
      rowKey={(row) => row.key}
      dense
      onRow={(row) => change({ filters: withFilter(state.filters, { by, op: 'is', values: [row.key] }) })}
      rowHint={(row) => t('block.filterBy', { name: labels.nameOf(by, row.key) })}
      actions={(row) => <RowLinks site={site} state={state} by={by} rowKey={row.key} name={labels.nameOf(by, row.key)} />}
      onSort={() => undefined}
      onFigure={({ row, column, anchor }) => {
        if (row === null || !isMeasure(column)) return;
        explaining.open({
          anchor,
          measure: column,
          value: row.values[column],
          before: isCompared(report) ? row.compare?.[column] : undefined,
          of: labels.nameOf(by, row.key),
          filters: withFilter(state.filters, { by, op: 'is', values: [row.key] }),
        });
      }}
      figureHint={t('explain.hint')}
      empty={tab.empty === undefined ? t('empty.rows') : t(`empty.kind.${tab.empty}`)}
    />
  );
};
