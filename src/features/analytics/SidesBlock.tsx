import type { DimensionId, MeasureId, Row } from '@contract/analytics/schemas';
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
import { withFilter } from './filters';
import { TopList } from './ListsBlock';
import { groupsOf, measureInfo } from './measures';
import type { BlockOf } from './sections';
import { carried, reportQuery, writeState } from './urlState';
import { useExplain } from './useExplain';
import { useLabels } from './useLabels';

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
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: '0.8125rem', margin: '0 0 16px', maxWidth: 720 });

/** New and returning visitors side by side. Cookieless sites never reach this block (`identity` of the screen): nothing is estimated. */
export const SidesBlock = (props: BlockProps & { readonly block: BlockOf<'sides'> }): ReactElement => {
  const { t } = useLabels();
  return (
    <>
      <Note>{t('sides.note')}</Note>
      <Sides {...props} />
    </>
  );
};

const Sides = ({ block, ...props }: BlockProps & { readonly block: BlockOf<'sides'> }): ReactElement => {
  const { site, state } = props;
  const labels = useLabels();
  const { t } = labels;
  const query = { ...reportQuery(state), ...withGroups(groupsOf(block.measures)), by: 'newReturning' as const, sort: 'visits' as const, size: 2 };
  const answer = useReportQuery({ siteId: site.id, ...query });
  const { ask, answer: explained } = useExplain(site.id, state);
  const name = t('sides.name');
  // Without a goal all conversions would be zero.
  const measures = labels.hasGoals ? block.measures : block.measures.filter((id) => !groupsOf([id]).includes('goals'));
  const filtersOf = (key: string) => withFilter(state.filters, { by: 'newReturning', op: 'is', values: [key] });
  return (
    <>
      <Section title={name} actions={<ExportLinks site={site} query={{ ...query, measure: [...measures] }} />}>
        <BlockState name={name} answer={answer} skeleton={<RowsSkeleton rows={8} />}>
          {(report) => {
            const compared = isCompared(report);
            const rowOf = (key: string): Row | undefined => report.rows?.find((row) => row.key === key);
            const columns: Column<MeasureId>[] = [
              { id: 'measure', name: t('block.measures'), fills: true, cell: (id) => <span title={t(`measure.${id}.text`)}>{labels.measure(id)}</span> },
              ...sides.map((key): Column<MeasureId> => ({
                id: key,
                name: t(`newReturning.${key}`),
                numeric: true,
                figure: true,
                cell: (id) => {
                  const row = rowOf(key);
                  const before = compared ? row?.compare : null;
                  return (
                    <>
                      {row !== undefined && before !== null && before !== undefined && (
                        <span style={{ fontSize: 12, marginRight: 8 }}>
                          <Delta
                            now={row.values[id]}
                            before={before[id]}
                            better={measureInfo(id).better}
                            sample={Math.min(row.values.visits ?? 0, before.visits ?? 0)}
                            hint={`${labels.value(id, row.values[id])} / ${labels.value(id, before[id])}`}
                          />
                        </span>
                      )}
                      {labels.value(id, row?.values[id] ?? (measureInfo(id).unit === 'count' ? 0 : null))}
                    </>
                  );
                },
              })),
            ];
            return (
              <>
                <DataTable
                  label={name}
                  columns={columns}
                  rows={measures}
                  rowKey={(id) => id}
                  onSort={() => undefined}
                  onFigure={({ row: id, column, anchor }) => {
                    if (id === null) return;
                    const row = rowOf(column);
                    ask({
                      anchor,
                      measure: id,
                      value: row?.values[id] ?? null,
                      before: compared ? row?.compare?.[id] : undefined,
                      of: labels.nameOf('newReturning', column),
                      filters: filtersOf(column),
                    });
                  }}
                  figureHint={t('explain.hint')}
                />
                {explained(report)}
              </>
            );
          }}
        </BlockState>
      </Section>
      <Pair>
        {sides.map((key) => (
          <div key={key}>
            {block.lists.map((list) => (
              <TopList
                key={list.id}
                {...props}
                state={{ ...state, filters: filtersOf(key) }}
                list={list}
                allAt={(by) => ({
                  pathname: href(screenOfAll[by] ?? 'site.als.source', { siteId: site.id }),
                  search: writeState({ ...carried(state), filters: filtersOf(key), by: by === 'sourceType' ? null : by }, new URLSearchParams()).toString(),
                })}
                title={t('sides.list', { side: t(`newReturning.${key}`), list: t(`overview.lists.${list.id}`) })}
              />
            ))}
          </div>
        ))}
      </Pair>
    </>
  );
};
