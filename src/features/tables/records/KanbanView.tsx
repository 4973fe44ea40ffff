import { Button, ButtonBase } from '@mui/material';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { Caret } from '@/ui/Caret';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { MenuRow, Popup } from '@/ui/Popup';
import { RowsSkeleton } from '@/ui/skeletons';
import { useMenu } from '@/ui/useMenu';
import { useAggregateQuery, useRecordsQuery } from '../tablesApi';
import { cardFields, RecordCard, useRecordName } from './cards';
import { Labelled } from './Labelled';
import { stackFields } from './newView';
import { LookPanel } from './panels';
import { useCardDrag } from './useCardDrag';
import { useMoveValue } from './useMoveValue';
import type { MovedRecord } from './useMoveValue';
import type { Question } from './useRecordSource';
import { choiceColor } from './useTableLabels';
import type { ActiveView } from './useActiveView';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly question: Question;
  readonly onBatches: (batches: readonly string[]) => void;
  readonly onAdd: (values: Readonly<Record<string, unknown>>) => void;
  readonly onOpen: (id: string) => void;
};
type ColumnOf = { readonly id: string | null; readonly title: string; readonly color: string };
const step = 50;
const most = 500;

/** The view's filter combined with that of one column. */
const within = (filter: string | undefined, field: string, choice: string | null): string => {
  const own: RecordFilter = choice === null ? { field, op: 'empty' } : { field, op: 'in', value: [choice] };
  return JSON.stringify(filter === undefined ? own : { and: [JSON.parse(filter) as RecordFilter, own] });
};

/** The other columns that a card can be moved to. */
const MoveMenu = ({
  label,
  columns,
  onMove,
}: {
  readonly label: string;
  readonly columns: readonly ColumnOf[];
  readonly onMove: (to: ColumnOf) => void;
}): ReactElement => {
  const { anchor, toggle, close } = useMenu();
  return (
    <>
      <ButtonBase className="tables-card-menu" aria-label={label} aria-haspopup="menu" aria-expanded={anchor !== null} onClick={toggle}>
        <Caret to="right" />
      </ButtonBase>
      {anchor && (
        <Popup anchor={anchor} onClose={close} label={label} role="menu" width={180}>
          {columns.map((column) => (
            <MenuRow
              key={column.id ?? ''}
              role="menuitem"
              type="button"
              onClick={() => {
                close();
                onMove(column);
              }}
            >
              {column.title}
            </MenuRow>
          ))}
        </Popup>
      )}
    </>
  );
};

/** A card that can be moved by dragging, by Alt and an arrow key, or from its menu. */
const Card = ({
  record,
  columns,
  column,
  movable,
  onMove,
  onOpen,
  ...card
}: Pick<Props, 'table' | 'activeView' | 'onOpen'> & {
  readonly record: ContentRecord;
  readonly columns: readonly ColumnOf[];
  readonly column: ColumnOf;
  readonly movable: boolean;
  readonly onMove: (moved: MovedRecord, to: ColumnOf) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const name = useRecordName(card.table)(record);
  const moved: MovedRecord = { id: record.id, name, revision: record.revision };
  const { query } = card.activeView;
  const at = columns.indexOf(column);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if ((event.key === 'Enter' || event.key === ' ') && event.target === event.currentTarget) {
      event.preventDefault();
      return onOpen(record.id);
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = by === undefined ? undefined : columns[at + by];
    if (!event.altKey || !to || !movable) return undefined;
    event.preventDefault();
    return onMove(moved, to);
  };
  return (
    <li className="tables-card">
      <div
        className="tables-card-face"
        role="button"
        data-record={record.id}
        tabIndex={0}
        {...(movable ? { 'data-drag': JSON.stringify(moved), title: t('cards.keys') } : {})}
        onClick={() => onOpen(record.id)}
        onKeyDown={press}
      >
        <RecordCard table={card.table} query={query} record={record} fields={cardFields(card.table, query, [query.stack, query.cover])} />
      </div>
      {movable && <MoveMenu label={t('cards.moveTo', { record: name })} columns={columns.filter((one) => one !== column)} onMove={(to) => onMove(moved, to)} />}
    </li>
  );
};

type ColumnProps = Omit<Props, 'onBatches'> & {
  readonly column: ColumnOf;
  readonly columns: readonly ColumnOf[];
  readonly count: number | null;
  readonly field: string;
  readonly movable: boolean;
  readonly onMove: (moved: MovedRecord, to: ColumnOf) => void;
};

const Column = ({ column, columns, count, field, movable, onMove, onAdd, ...props }: ColumnProps): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const [limit, setLimit] = useState(step);
  const result = useRecordsQuery({
    siteId: props.siteId,
    table: props.table.id,
    ...props.question,
    filter: within(props.question.filter, field, column.id),
    limit,
  });
  const countText = count === null ? '' : format.number(count);
  return (
    <section className="tables-stack" aria-label={t('cards.column', { name: column.title, countText })} data-drop={column.id ?? ''}>
      <h2>
        <i aria-hidden="true" style={{ background: column.color }} />
        {column.title} <span>{countText}</span>
      </h2>
      <ResultState
        result={result}
        skeleton={<RowsSkeleton rows={2} />}
        failed={(error, retry) => <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(error) ? error : null} onRetry={retry} />}
      >
        {({ rows, labels, next }) => (
          <Labelled labels={labels}>
            <ul>
              {rows.map((record) => (
                <Card
                  key={record.id}
                  onOpen={props.onOpen}
                  table={props.table}
                  activeView={props.activeView}
                  record={record}
                  columns={columns}
                  column={column}
                  movable={movable}
                  onMove={onMove}
                />
              ))}
            </ul>
            {next !== null && limit < most && (
              <Button onClick={() => setLimit(limit + step)} aria-busy={result.isFetching}>
                {t('cards.more')}
              </Button>
            )}
          </Labelled>
        )}
      </ResultState>
      {props.table.may.includes('create') && (
        <Button
          startIcon={<Icon name="plus" size={14} />}
          aria-label={t('cards.add', { name: column.title })}
          onClick={() => onAdd(column.id === null ? {} : { [field]: column.id })}
          sx={{ justifyContent: 'flex-start' }}
        >
          {t('tool.addRecord')}
        </Button>
      )}
    </section>
  );
};

const Board = ({ field, ...props }: Props & { readonly field: TableField }): ReactElement => {
  const { siteId, table, question, onBatches } = props;
  const { t } = useTranslation('tables');
  const { sort: _sort, ...narrowing } = question;
  const counts = useAggregateQuery({ siteId, table: table.id, ...narrowing, group: field.id });
  const move = useMoveValue(siteId, table.id, question.locale, onBatches);
  const columns: readonly ColumnOf[] = [
    ...(field.options.choices ?? []).map(({ id, title, color }) => ({ id, title, color: choiceColor[color] })),
    { id: null, title: t('cards.unset'), color: 'var(--n-4)' },
  ];
  const put = (moved: MovedRecord, to: ColumnOf): void =>
    void move(moved, { [field.id]: to.id }, { key: 'tables:cards.moved', values: { record: moved.name, column: to.title } });
  const movable = table.may.includes('update') && !field.readonly && question.locale === undefined;
  const board = useCardDrag(movable, (card, target) => {
    const to = columns.find(({ id }) => (id ?? '') === target);
    if (to) put(JSON.parse(card) as MovedRecord, to);
  });
  return (
    <div className="tables-kanban" ref={board}>
      {columns.map((column) => (
        <Column
          key={column.id ?? ''}
          {...props}
          column={column}
          columns={columns}
          count={counts.data ? (counts.data.groups.find(({ keys }) => (keys[0] ?? null) === column.id)?.count ?? 0) : null}
          field={field.id}
          movable={movable}
          onMove={put}
        />
      ))}
    </div>
  );
};

/** Records in columns by the choices of a select field. */
export const KanbanView = (props: Props): ReactElement => {
  const { table, activeView } = props;
  const { t } = useTranslation('tables');
  const name = activeView.query.stack ?? stackFields(table)[0]?.id ?? null;
  const field = table.fields.find(({ id }) => id === name);
  if (field) return <Board {...props} field={field} />;
  return (
    <EmptyState
      title={t('views.setUp.kanban')}
      action={stackFields(table).length > 0 && <LookPanel table={table} query={activeView.query} change={activeView.change} kind="kanban" />}
    />
  );
};
