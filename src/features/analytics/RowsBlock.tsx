import type { DimensionId, MeasureId, Row } from '@contract/analytics';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { DataTable } from '@/ui/DataTable';
import { Pager } from '@/ui/Pager';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps } from './blocks';
import { ExportLinks } from './ExportLinks';
import { withFilter } from './filters';
import { measureColumns } from './measureColumns';
import { isMeasure } from './measures';
import { QuietSelect } from './QuietSelect';
import { RowLinks } from './rowLinks';
import { pageSizes, reportQuery } from './urlState';
import { useShownMeasures } from './useShownMeasures';
import { useWords } from './useWords';

/** Every row of one dimension: sorted and paged by the server, columns to choose, the same as a file. */
export const RowsBlock = ({
  site,
  state,
  change,
  own,
  by: choices,
  measures,
  more,
  whenAsked = false,
}: BlockProps & {
  readonly by: readonly [DimensionId, ...DimensionId[]];
  readonly measures: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly whenAsked?: boolean;
}): ReactElement | null =>
  whenAsked && state.by === null ? null : (
    <Rows
      site={site}
      state={state}
      change={change}
      own={own}
      today=""
      by={state.by ?? choices[0]}
      choices={choices}
      measures={measures}
      more={more}
      closable={whenAsked}
    />
  );

const Rows = ({
  site,
  state,
  change,
  by,
  choices,
  measures,
  more,
  closable,
}: BlockProps & {
  readonly by: DimensionId;
  readonly choices: readonly DimensionId[];
  readonly measures: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly closable: boolean;
}): ReactElement => {
  const words = useWords();
  const { t } = words;
  const sort = state.sort ?? { id: measures[0] ?? 'visitors', dir: 'desc' as const };
  const query = { ...reportQuery(state), by, sort: sort.id, dir: sort.dir, page: state.page, size: state.size };
  const answer = useReportQuery({ siteId: site.id, ...query });
  const exported = useShownMeasures('als.rows', measures, more);
  const name = t('block.tableOf', { name: t(`dimension.${by}`) });
  return (
    <Section
      title={name}
      actions={
        <>
          {choices.length > 1 && (
            <QuietSelect
              label={t('filter.dimension')}
              value={by}
              options={choices.map((id) => ({ id, name: t(`dimension.${id}`) }))}
              onChange={(next) => change({ by: next })}
            />
          )}
          <ExportLinks site={site} query={{ ...query, measure: exported }} />
          {closable && (
            <Button size="small" onClick={() => change({ by: null, sort: null, page: 1 })}>
              {t('block.backToLists')}
            </Button>
          )}
        </>
      }
    >
      <BlockState name={name} answer={answer} skeleton={<RowsSkeleton rows={10} />}>
        {(report) => {
          const columns: Column<Row>[] = [
            { id: 'name', name: t(`dimension.${by}`), fills: true, share: (row) => row.share, cell: (row) => words.nameOf(by, row.key) },
            ...measureColumns<Row>({
              words,
              shown: measures,
              more,
              totals: report.totals,
              of: (row) => row.values,
              before: (row) => (isCompared(report) ? row.compare : null),
              differences: [sort.id],
            }),
          ];
          return (
            <>
              <DataTable
                label={name}
                columns={columns}
                rows={report.rows ?? []}
                rowKey={(row) => row.key}
                sort={[sort]}
                onSort={([next]) => {
                  if (next !== undefined && isMeasure(next.id)) change({ sort: { id: next.id, dir: next.dir } }, 'replace');
                }}
                onRow={(row) => change({ filters: withFilter(state.filters, { by, op: 'is', values: [row.key] }) })}
                rowHint={(row) => t('block.filterBy', { name: words.nameOf(by, row.key) })}
                actions={(row) => <RowLinks site={site} state={state} by={by} rowKey={row.key} name={words.nameOf(by, row.key)} />}
                totalLabel={t('block.total')}
                remember="als.rows"
                empty={by === 'keyword' ? t('empty.kind.keyword') : t('empty.rows')}
              />
              <Pager
                page={state.page}
                size={state.size}
                count={report.rowCount ?? 0}
                sizes={pageSizes}
                onPage={(page) => change({ page })}
                onSize={(size) => change({ size })}
              />
            </>
          );
        }}
      </BlockState>
    </Section>
  );
};
