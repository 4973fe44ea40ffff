import type { Movers } from '@contract/analytics/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { useMoversQuery } from './blocksApi';
import { withFilter } from './filters';
import { PartLinks } from './PartLinks';
import { RowLinks } from './rowLinks';
import type { BlockOf } from './sections';
import { reportQuery } from './urlState';
import { type Labels, useLabels } from './useLabels';

type Mover = Movers['fresh'][number];
const lists = ['fresh', 'rising', 'falling'] as const;
type ListId = (typeof lists)[number];
type MoversProps = BlockProps & { readonly block: BlockOf<'movers'> };
const Grid = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))', gap: '24px 32px' });
const Head = styled('h3')({
  fontSize: 'var(--text-body)',
  fontWeight: 600,
  marginBottom: 4,
  '& span': { fontWeight: 400, color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', marginLeft: 8 },
});
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)', 'div + &': { marginTop: 8 } });

/** Largest gains, losses and new entries against the comparison period, at most ten of each. */
const MoversBlock: LazyBlock<'movers'> = (props): ReactElement => {
  const {
    site,
    state,
    change,
    block: { by, measure },
  } = props;
  const { t } = useLabels();
  const { from, to, filter, who, compare, segment, compareFrom, compareTo } = reportQuery(state);
  const compared = compare !== 'none';
  const query = {
    from,
    to,
    filter,
    who,
    compare,
    by,
    measure,
    ...(segment === undefined ? {} : { segment }),
    ...(compareFrom === undefined || compareTo === undefined ? {} : { compareFrom, compareTo }),
  };
  const result = useMoversQuery({ siteId: site.id, ...query }, { skip: !compared });
  const title = t('blocks.movers.title');
  return (
    <div style={{ marginBottom: 32 }}>
      <Section
        title={title}
        actions={
          compared ? (
            <PartLinks site={site} part="movers" query={query} />
          ) : (
            <Button onClick={() => change({ compare: 'previous', compareTo: null })}>{t('blocks.movers.compare')}</Button>
          )
        }
      >
        {!compared ? (
          <Note>{t('blocks.movers.noCompare')}</Note>
        ) : (
          <BlockState name={title} result={result} skeleton={<RowsSkeleton rows={4} />}>
            {(movers) => (
              <>
                <Grid>
                  {lists
                    .filter((list) => movers[list].length > 0)
                    .map((list) => (
                      <MoverList key={list} {...props} list={list} movers={movers[list]} />
                    ))}
                </Grid>
                {lists
                  .filter((list) => movers[list].length === 0)
                  .map((list) => (
                    <Note key={list}>{t(`blocks.movers.none.${list}`)}</Note>
                  ))}
              </>
            )}
          </BlockState>
        )}
      </Section>
    </div>
  );
};

/** Name, value and change; a new entry has no earlier value to differ from. */
const columnsOf = (labels: Labels, { by, measure }: BlockOf<'movers'>, list: ListId): Column<Mover>[] => {
  const { t, format } = labels;
  const difference: Column<Mover> = {
    id: 'change',
    name: t('blocks.movers.change'),
    numeric: true,
    cell: ({ now, before }) => (
      <span title={t('blocks.movers.beforeValue', { value: format.number(before) })} style={{ color: now > before ? 'var(--good)' : 'var(--bad)' }}>
        {now > before ? '+' : '−'}
        {format.number(Math.abs(now - before))}
      </span>
    ),
  };
  return [
    { id: 'name', name: t(`dimension.${by}`), fills: true, cell: ({ key }) => labels.nameOf(by, key) },
    {
      id: 'now',
      name: labels.measure(measure),
      hint: t(`measure.${measure}.text`),
      numeric: true,
      sortable: true,
      value: ({ now }) => now,
      cell: ({ now }) => format.number(now),
    },
    ...(list === 'fresh' ? [] : [difference]),
  ];
};

const MoverList = ({ site, state, change, block, list, movers }: MoversProps & { readonly list: ListId; readonly movers: readonly Mover[] }): ReactElement => {
  const { by } = block;
  const labels = useLabels();
  const { t } = labels;
  return (
    <section aria-label={t(`blocks.movers.${list}`)} style={{ minWidth: 0 }}>
      <Head>
        {t(`blocks.movers.${list}`)}
        <span>{t(`blocks.movers.${list}Text`)}</span>
      </Head>
      <DataTable
        label={`${t('blocks.movers.title')}${t('list')}${t(`blocks.movers.${list}`)}`}
        columns={columnsOf(labels, block, list)}
        rows={movers}
        rowKey={({ key }) => key}
        dense
        onRow={({ key }) => change({ filters: withFilter(state.filters, { by, op: 'is', values: [key] }) })}
        rowHint={({ key }) => t('block.filterBy', { name: labels.nameOf(by, key) })}
        actions={({ key }) => <RowLinks site={site} state={state} by={by} rowKey={key} name={labels.nameOf(by, key)} />}
      />
    </section>
  );
};

export default MoversBlock;
