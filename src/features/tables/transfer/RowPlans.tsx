import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportLook, TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Tag } from '@/ui/Tag';
import { fieldOfGoal, newOfGoal } from './mapping';
import type { Mapping } from './mapping';
import { useTableImportRowsQuery } from './transferApi';
import type { ImportRow, Outcome } from './transferApi';

const tones = { insert: { tone: 'good' }, update: { tone: 'info' }, skip: {}, fail: { tone: 'bad' } } as const;

type Column = {
  /** Index among the cells of a row. */ readonly at: number;
  readonly name: string;
  /** The names that errors may use for it. */ readonly names: readonly string[];
};

/** Mapped columns in file order; all columns until they are known. */
function columnsOf(look: ImportLook | null, mapping: Mapping, table: ContentTable | null): readonly Column[] {
  if (look === null) return mapping.names.map((name, at) => ({ at, name, names: [] }));
  return look.columns.flatMap(({ name }, at) => {
    const goal = mapping.goals[at] ?? null;
    if (goal === null) return [];
    const field = fieldOfGoal(goal);
    const found = table?.fields.find(({ id }) => id === field?.field);
    const names = [field?.field, found?.key, found?.title, newOfGoal(goal)?.title].filter((one) => one !== undefined);
    return [{ at, name, names }];
  });
}

const PlanRow = ({
  row,
  columns,
  table,
}: {
  readonly row: ImportRow;
  readonly columns: readonly Column[];
  readonly table: ContentTable | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const errorOf = ({ names }: Column): string | undefined => row.errors.find(({ field }) => field !== null && names.includes(field))?.text;
  const titleOf = (name: string): string =>
    table?.fields.find(({ id, key }) => id === name || key === name)?.title ?? columns.find(({ names }) => names.includes(name))?.name ?? name;
  return (
    <tr>
      <th scope="row" className="transfer-n">
        {format.number(row.line)}
      </th>
      <td className={row.errors.length > 0 ? 'transfer-why' : undefined}>
        <Tag {...tones[row.outcome]}>{t(`outcome.${row.outcome}`)}</Tag>
        {row.errors.length > 0 && (
          <ul>
            {row.errors.map(({ field, code, text }) => (
              <li key={`${field ?? ''} ${code} ${text}`}>{field === null ? text : t('check.colon', { field: titleOf(field), text })}</li>
            ))}
          </ul>
        )}
      </td>
      {columns.map((column) => {
        const error = errorOf(column);
        const cell = row.cells[column.at] ?? '';
        return (
          <td key={column.at} title={error ?? cell} data-error={error === undefined ? undefined : ''}>
            {cell}
          </td>
        );
      })}
    </tr>
  );
};

type PagesProps = {
  readonly siteId: string;
  readonly it: TableImport;
  readonly table: ContentTable | null;
  readonly columns: readonly Column[];
  readonly outcome: Outcome | null;
};

/** One page of rows; the last page offers to load the next one. */
const Page = ({
  siteId,
  it,
  table,
  columns,
  outcome,
  from,
  next,
}: PagesProps & { readonly from: number; readonly next: ((from: number) => void) | null }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { currentData, error, isFetching, refetch } = useTableImportRowsQuery({
    siteId,
    id: it.id,
    from,
    turn: `${it.jobId ?? ''} ${it.state}`,
    ...(outcome === null ? {} : { outcome }),
  });
  const width = columns.length + 2;
  const after = currentData?.next ?? null;
  return (
    <tbody aria-busy={isFetching}>
      {isFailure(error) && (
        <tr>
          <td colSpan={width}>
            <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />
          </td>
        </tr>
      )}
      {currentData?.rows.map((row) => (
        <PlanRow key={row.row} row={row} columns={columns} table={table} />
      ))}
      {currentData?.rows.length === 0 && from === 0 && (
        <tr>
          <td colSpan={width} className="transfer-quiet">
            {t('check.noRows')}
          </td>
        </tr>
      )}
      {next !== null && after !== null && (
        <tr>
          <td colSpan={width}>
            <Button onClick={() => next(after)}>{t('check.more')}</Button>
          </td>
        </tr>
      )}
    </tbody>
  );
};

/** Rows of the file with their outcomes; where there are errors, the rows with errors come first. */
export const RowPlans = ({
  siteId,
  it,
  table,
  look,
  mapping,
  filter,
}: {
  readonly siteId: string;
  readonly it: TableImport;
  readonly table: ContentTable | null;
  readonly look: ImportLook | null;
  readonly mapping: Mapping;
  readonly filter: Outcome | 'all';
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const columns = columnsOf(look, mapping, table);
  return (
    // Scrollable, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="transfer-scroll" role="region" aria-label={t('check.rows')} tabIndex={0}>
      <table className="transfer-table">
        <thead>
          <tr>
            <th scope="col" className="transfer-n">
              {t('check.line')}
            </th>
            <th scope="col">{t('check.outcome')}</th>
            {columns.map(({ at, name }) => (
              <th key={at} scope="col" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <Pages key={filter} siteId={siteId} it={it} table={table} columns={columns} outcome={filter === 'all' ? null : filter} />
      </table>
    </div>
  );
};

const Pages = (props: PagesProps): ReactElement => {
  const [starts, setStarts] = useState<readonly number[]>([0]);
  return (
    <>
      {starts.map((from, at) => (
        <Page key={from} {...props} from={from} next={at === starts.length - 1 ? (after) => setStarts([...starts, after]) : null} />
      ))}
    </>
  );
};
