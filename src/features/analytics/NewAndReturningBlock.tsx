import type { DimensionId, MeasureId, Report, Row } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { href } from '@/routes/paths';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, withGroups } from './blocks';
import { ExportLinks } from './ExportLinks';
import { type Filter, withFilter } from './filters';
import { TopList } from './ListsBlock';
import { changeWidth } from './measureColumns';
import { groupsOf, measureInfo } from './measures';
import type { BlockOf } from './sections';
import { carried, reportQuery, type ReportState, writeState } from './urlState';
import { type Explaining, useExplain } from './useExplain';
import { type Labels, useLabels } from './useLabels';

const sides = ['new', 'returning'] as const;
/** The screen with the full list. */
const screenOfAll: Partial<Record<DimensionId, 'site.als.path' | 'site.als.entry'>> = { path: 'site.als.path', entryPath: 'site.als.entry' };
const Pair = styled('div')({
  marginTop: 32,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 420px), 1fr))',
  gap: '32px 40px',
  '& > div': { display: 'grid', gap: 24, alignContent: 'start', minWidth: 0 },
});
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)', margin: '0 0 16px', maxWidth: 720, textWrap: 'pretty' });

/** New and returning visitors side by side. Cookieless sites never reach this block (`identity` of the screen): nothing is estimated. */
export const NewAndReturningBlock = (props: BlockProps & { readonly block: BlockOf<'sides'> }): ReactElement => {
  const { t } = useLabels();
  return (
    <>
      <Note>{t('sides.note')}</Note>
      <Sides {...props} />
    </>
  );
};

type SidesProps = BlockProps & { readonly block: BlockOf<'sides'> };

const filtersOf = (state: ReportState, side: string): readonly Filter[] => withFilter(state.filters, { by: 'newReturning', op: 'is', values: [side] });

const Sides = (props: SidesProps): ReactElement => {
  const { site, state, block } = props;
  const labels = useLabels();
  const { t } = labels;
  const query = { ...reportQuery(state), ...withGroups(groupsOf(block.measures)), by: 'newReturning' as const, sort: 'visits' as const, size: 2 };
  const result = useReportQuery({ siteId: site.id, ...query });
  const explaining = useExplain(site.id, state);
  const name = t('sides.name');
  // Without a goal all conversions would be zero.
  const measures = labels.hasGoals ? block.measures : block.measures.filter((id) => !groupsOf([id]).includes('goals'));
  return (
    <>
      <Section title={name} actions={<ExportLinks site={site} query={{ ...query, measure: [...measures] }} />}>
        <BlockState name={name} result={result} skeleton={<RowsSkeleton rows={8} />}>
          {(report) => (
            <>
              <SidesTable state={state} report={report} measures={measures} explaining={explaining} />
              {explaining.render(report)}
            </>
          )}
        </BlockState>
      </Section>
      <SideLists {...props} />
    </>
  );
};

const rowOf = (report: Report, side: string): Row | undefined => report.rows?.find((row) => row.key === side);

/** The difference of one measure of one side from the comparison period. */
const SideChange = ({ id, row, labels }: { id: MeasureId; row: Row | undefined; labels: Labels }): ReactElement | null =>
  row?.compare == null ? null : (
    <Delta
      now={row.values[id]}
      before={row.compare[id]}
      better={measureInfo(id).better}
      sample={Math.min(row.values.visits ?? 0, row.compare.visits ?? 0)}
      hint={`${labels.value(id, row.values[id])} / ${labels.value(id, row.compare[id])}`}
    />
  );

/** A row for each measure; for each side a column, and one for the change. A side without visits has zero visits, but no averages. */
const SidesTable = ({
  state,
  report,
  measures,
  explaining,
}: {
  readonly state: ReportState;
  readonly report: Report;
  readonly measures: readonly MeasureId[];
  readonly explaining: Explaining;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const compared = isCompared(report);
  const columns: Column<MeasureId>[] = [
    {
      id: 'measure',
      name: t('block.measures'),
      fills: true,
      cell: (id) => <span title={`${labels.measure(id)}\n${t(`measure.${id}.text`)}`}>{labels.measure(id)}</span>,
    },
    ...sides.flatMap((side): Column<MeasureId>[] => [
      {
        id: side,
        name: t(`newReturning.${side}`),
        numeric: true,
        figure: true,
        cell: (id) => labels.value(id, rowOf(report, side)?.values[id] ?? (measureInfo(id).unit === 'count' ? 0 : null)),
      },
      ...(compared
        ? [
            {
              id: `${side}.change`,
              name: t('column.change'),
              hint: t('column.changeHint', { name: t(`newReturning.${side}`) }),
              numeric: true,
              width: changeWidth,
              cell: (id: MeasureId) => <SideChange id={id} row={rowOf(report, side)} labels={labels} />,
            },
          ]
        : []),
    ]),
  ];
  return (
    <DataTable
      label={t('sides.name')}
      columns={columns}
      rows={measures}
      rowKey={(id) => id}
      onSort={() => undefined}
      onFigure={({ row: id, column, anchor }) => {
        if (id === null) return;
        const row = rowOf(report, column);
        explaining.open({
          anchor,
          measure: id,
          value: row?.values[id] ?? null,
          before: compared ? row?.compare?.[id] : undefined,
          of: labels.nameOf('newReturning', column),
          filters: filtersOf(state, column),
        });
      }}
      figureHint={t('explain.hint')}
    />
  );
};

/** The top lists of new visitors beside those of returning ones. */
const SideLists = ({ block, ...props }: SidesProps): ReactElement => {
  const { site, state } = props;
  const { t } = useLabels();
  return (
    <Pair>
      {sides.map((side) => (
        <div key={side}>
          {block.lists.map((list) => (
            <TopList
              key={list.id}
              {...props}
              state={{ ...state, filters: filtersOf(state, side) }}
              list={list}
              allAt={(by) => ({
                pathname: href(screenOfAll[by] ?? 'site.als.source', { siteId: site.id }),
                search: writeState(
                  { ...carried(state), filters: filtersOf(state, side), by: by === 'sourceType' ? null : by },
                  new URLSearchParams(),
                ).toString(),
              })}
              title={t('sides.list', { side: t(`newReturning.${side}`), list: t(`overview.lists.${list.id}`) })}
            />
          ))}
        </div>
      ))}
    </Pair>
  );
};
