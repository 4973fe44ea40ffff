import type { DimensionId, MeasureId, Report, Row } from '@contract/analytics/schemas';
import { Button, ButtonBase } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { Link, type To } from 'react-router-dom';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps } from './blocks';
import { narrowed, withFilter } from './filters';
import { isMeasure, measureInfo } from './measures';
import { RowLinks } from './rowLinks';
import type { ListSpec } from './sections';
import { reportQuery } from './urlState';
import { useExplain } from './useExplain';
import { useLabels } from './useLabels';

const Grid = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 420px), 1fr))', gap: '32px 40px' });
const Head = styled('div')({ display: 'flex', alignItems: 'center', gap: 12, minHeight: 32, marginBottom: 4 });
const Title = styled('h2')({ fontSize: '1rem', fontWeight: 600 });
const Tab = styled(ButtonBase)({
  font: 'inherit',
  fontSize: '0.8125rem',
  padding: '2px 6px',
  borderRadius: 'var(--radius)',
  color: 'var(--ink-2)',
  '&[aria-pressed=true]': { color: 'var(--ink)', fontWeight: 600 },
  '&:hover': { background: 'var(--hover)' },
});
const topMost = 10;
const moreLook = { size: 'small', sx: { ml: 'auto', mr: -1.5, color: 'text.secondary' } } as const;

/** Top-ten lists side by side, each with its own loading and error states; a click on a row filters the whole screen. */
export const ListsBlock = ({ lists, ...rest }: BlockProps & { readonly lists: readonly ListSpec[] }): ReactElement => (
  <Grid>
    {lists.map((list) => (
      <TopList key={list.id} list={list} {...rest} />
    ))}
  </Grid>
);

/** One top-ten list; `title` if its own name is ambiguous, `allAt` if the full list is on another screen. */
export const TopList = ({
  list,
  title,
  allAt,
  site,
  state: screen,
  change,
}: BlockProps & { readonly list: ListSpec; readonly title?: string; readonly allAt?: (by: DimensionId) => To }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const [by, setBy] = useState<DimensionId>(list.by[0]);
  const [main] = list.measures;
  const state = list.filters === undefined ? screen : { ...screen, filters: narrowed(screen.filters, list.filters) };
  // The number of visits tells how reliable a change is (`sample` below).
  const query = { siteId: site.id, ...reportQuery(state), by, sort: main, size: topMost, measure: [...new Set<MeasureId>([...list.measures, 'visits'])] };
  const answer = useReportQuery(query);
  const name = title ?? t(`overview.lists.${list.id}`);
  const { ask, answer: explained } = useExplain(site.id, state);
  const columnsOf = (report: Report): Column<Row>[] => [
    { id: 'name', name: t(`dimension.${by}`), fills: true, share: (row) => row.share, cell: (row) => labels.nameOf(by, row.key) },
    ...list.measures.map((id): Column<Row> => ({
      id,
      name: labels.measure(id),
      hint: t(`measure.${id}.text`),
      numeric: true,
      figure: true,
      cell: (row) => labels.value(id, row.values[id]),
    })),
    ...(!isCompared(report)
      ? []
      : [
          {
            id: 'change',
            name: t('block.change'),
            numeric: true,
            cell: (row: Row) =>
              row.compare === null ? null : (
                <Delta
                  now={row.values[main]}
                  before={row.compare[main]}
                  better={measureInfo(main).better}
                  sample={Math.min(row.values.visits ?? 0, row.compare.visits ?? 0)}
                  hint={`${labels.value(main, row.values[main])} / ${labels.value(main, row.compare[main])}`}
                />
              ),
          },
        ]),
  ];
  return (
    <section aria-label={name} style={{ minWidth: 0 }}>
      <Head>
        <Title>{name}</Title>
        {list.by.length > 1 && (
          <span role="group" aria-label={name}>
            {list.by.map((one) => (
              <Tab key={one} aria-pressed={one === by} onClick={() => setBy(one)}>
                {t(`dimension.${one}`)}
              </Tab>
            ))}
          </span>
        )}
        {allAt === undefined ? (
          <Button
            {...moreLook}
            aria-label={`${t('block.more')} ${name}`}
            onClick={() => change({ by, sort: { id: main, dir: 'desc' }, filters: state.filters })}
          >
            {t('block.more')}
          </Button>
        ) : (
          <Button {...moreLook} aria-label={`${t('block.more')} ${name}`} component={Link} to={allAt(by)}>
            {t('block.more')}
          </Button>
        )}
      </Head>
      <BlockState name={name} answer={answer} skeleton={<RowsSkeleton rows={5} />}>
        {(report) => (
          <>
            <DataTable
              label={name}
              columns={columnsOf(report)}
              rows={report.rows ?? []}
              rowKey={(row) => row.key}
              dense
              onRow={(row) => change({ filters: withFilter(state.filters, { by, op: 'is', values: [row.key] }) })}
              rowHint={(row) => t('block.filterBy', { name: labels.nameOf(by, row.key) })}
              actions={(row) => <RowLinks site={site} state={state} by={by} rowKey={row.key} name={labels.nameOf(by, row.key)} />}
              onSort={() => undefined}
              onFigure={({ row, column, anchor }) => {
                if (row === null || !isMeasure(column)) return;
                ask({
                  anchor,
                  measure: column,
                  value: row.values[column],
                  before: isCompared(report) ? row.compare?.[column] : undefined,
                  of: labels.nameOf(by, row.key),
                  filters: withFilter(state.filters, { by, op: 'is', values: [row.key] }),
                });
              }}
              figureHint={t('explain.hint')}
              empty={list.empty === undefined ? t('empty.rows') : t(`empty.kind.${list.empty}`)}
            />
            {explained(report)}
          </>
        )}
      </BlockState>
    </section>
  );
};
