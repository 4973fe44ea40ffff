import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFieldEnv } from '../fieldTypes/env';
import { Grid } from '../grid/Grid';
import type { CellWrite, GridColumn, GridHandle, GridProps, GridRow, PasteRequest } from '../grid/types';
import { tablesApi, useAggregateQuery } from '../tablesApi';
import type { CellWrites } from './cellWrites';
import { columnGestures, withSort } from './columnChanges';
import { GridEmpty, GridLoading } from './GridMessages';
import { keysOf } from './groups';
import { PasteDialog } from './lazyParts';
import type { PagesState } from './rowPageStore';
import type { RowPages } from './rowPages';
import type { ActiveView } from './useActiveView';
import { useColumns } from './useColumns';
import { useGridGroups } from './useGridGroups';
import { useGridPaste } from './useGridPaste';
import type { RecordActions } from './useRecordActions';
import type { Question } from './useRecordSource';
import { useRowMenu } from './useRowMenu';
import { useUndoableColumns } from './useUndoableColumns';
import { isSystem, visibleColumnsOf } from './viewState';
import type { Column } from './viewState';

export type ChosenRecords = { readonly ids: ReadonlySet<string>; readonly all: boolean };
export type GridViewProps = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly question: Question;
  readonly pages: RowPages;
  readonly state: PagesState;
  readonly writes: CellWrites;
  readonly acts: RecordActions;
  readonly inBin: boolean;
  readonly narrowed: boolean;
  readonly chosen: ChosenRecords;
  readonly onChosen: (chosen: ChosenRecords) => void;
  readonly onBatches: (batches: readonly string[]) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onAdd: (values: Readonly<Record<string, unknown>>, after: string | null) => Promise<void>;
  readonly onOpen: ((id: string) => void) | null;
  readonly onClear: () => void;
  /** null: no record may be created. */ readonly onImport: (() => void) | null;
  readonly onAskFilter: (field: string) => void;
  readonly mayDesign: boolean;
  /** Changes of fields; none for people who may not design the table. */
  readonly design: Pick<GridProps, 'onAddField' | 'onInsertField' | 'onRenameField' | 'columnMenu' | 'columnMenuEnd'>;
  readonly presence: Pick<GridProps, 'others' | 'onActive'>;
  readonly handle: { current: GridHandle | null };
  readonly onPasteFiles: (files: readonly File[]) => void;
};

/** The maximum number of records moved at once. */
const maxMoved = 1000;

/** Columns and groups of the grid, with the aggregates of both. */
function useGridLayout({ siteId, table, activeView: { query }, question, state, inBin }: GridViewProps) {
  const env = useFieldEnv();
  const figures = visibleColumnsOf(table, query).flatMap(({ field, aggregate }) => (aggregate ? [`${field}:${aggregate}`] : []));
  const { sort: _sort, ...narrowing } = { siteId, table: table.id, ...question };
  const totals = useAggregateQuery({ ...narrowing, of: figures.join(',') }, { skip: figures.length === 0 });
  const grouped = useAggregateQuery(
    { ...narrowing, group: query.group.join(','), ...(figures.length > 0 ? { of: figures.join(',') } : {}) },
    { skip: query.group.length === 0 },
  );
  const columns = useColumns({
    table,
    query,
    env,
    aggregate: totals.currentData,
    mayWrite: !inBin && (table.may.includes('update') || (table.may.includes('create') && state.total === 0)),
    locale: question.locale,
  });
  return { columns, groups: useGridGroups(table, query, grouped.data, env) };
}

/** Gestures that move and add rows. Rows have a position only where the order is manual. */
function useRowGestures({ siteId, table, activeView: { query }, pages, narrowed, inBin, onAdd, onBatches }: GridViewProps, onNotice: (text: string) => void) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const { group, sort } = query;
  const isOwnOrder = sort.length === 0 && group.length === 0 && !narrowed;
  const may = (action: string): boolean => !inBin && table.may.includes(action);

  const onMoveRows = async (from: number, to: number, before: number): Promise<void> => {
    const ids = Array.from({ length: Math.min(maxMoved, to - from) }, (_, at) => pages.source.row(from + at)?.id).filter((id) => id !== undefined);
    const body = { ids, before: pages.source.row(before)?.id ?? null };
    const { data, error } = await dispatch(tablesApi.endpoints.moveRecords.initiate({ siteId, table: table.id, body }));
    if (data?.batchId != null) onBatches([data.batchId]);
    if (isFailure(error)) onNotice(error.message === '' ? t('failed') : error.message);
    pages.refresh();
  };
  /** A new record gets the values that its group shares. */
  const valuesOf = (groupId: string | undefined): Record<string, unknown> => {
    const keys = groupId === undefined ? [] : keysOf(groupId);
    return Object.fromEntries(keys.flatMap((key, depth) => (isSystem(group[depth] ?? '$') ? [] : [[group[depth] ?? '', key]])));
  };
  const onAddRow = (after: number | null, groupId?: string): void =>
    void onAdd(valuesOf(groupId), after === null || !isOwnOrder ? null : (pages.source.row(after + 1)?.id ?? null));
  return {
    ...(may('create') ? { onAddRow } : {}),
    ...(isOwnOrder && may('update') ? { onMoveRows: (from: number, to: number, before: number) => void onMoveRows(from, to, before) } : {}),
  };
}

/** Changes of the columns by gestures; moving and pinning can be undone in a notice. */
function useColumnGestures({ table, activeView }: GridViewProps, columns: readonly GridColumn[]) {
  const { query, change } = activeView;
  const putUndoable = useUndoableColumns(activeView);
  const gesturesWith = (put: (next: readonly Column[]) => void) => columnGestures(visibleColumnsOf(table, query), table.primaryField, put);
  const undoable = (name: string, pinned: boolean) => {
    const column = columns.find(({ id }) => id === name);
    const what = pinned === (column?.pinned === true) ? 'moved' : pinned ? 'pinned' : 'unpinned';
    return gesturesWith((next) => putUndoable([...next], { key: `tables:columns.${what}`, values: { column: column?.title ?? '' } }));
  };
  return {
    ...gesturesWith((next) => change({ columns: [...next] }, 'replace')),
    onMoveColumn: (name: string, before: string | null, pinned: boolean): void => undoable(name, pinned).onMoveColumn(name, before, pinned),
    onPin: (name: string, pinned: boolean): void => undoable(name, pinned).onPin(name, pinned),
  };
}

/** Ids of the groups that are folded. */
function useFolding() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const onFold = (id: string, fold: boolean): void =>
    setFolded((before) => (fold ? new Set([...before, id]) : new Set([...before].filter((other) => other !== id))));
  return { folded, onFold };
}

/** The records as a spreadsheet. */
export const GridView = (props: GridViewProps): ReactElement => {
  const { siteId, table, activeView, question, pages, state, writes, inBin, narrowed, chosen, onChosen, onBatches, onOpen, presence, handle } = props;
  const { query, change } = activeView;
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const may = (action: string): boolean => !inBin && table.may.includes(action);
  const onNotice = (text: string): void => void dispatch(noticeShown({ tone: 'warning', message: { text } }));
  const onWrite = (cells: readonly CellWrite[]): void => void writes.write(cells.map(({ index: _index, ...cell }) => cell));

  const { columns, groups } = useGridLayout(props);
  const columnChanges = useColumnGestures(props, columns);
  const { folded, onFold } = useFolding();
  const rowGestures = useRowGestures(props, onNotice);
  const { pasting, paste, closePaste } = useGridPaste({ pages, columns, locale: question.locale, onWrite, onNotice });
  const rowMenu = useRowMenu(props, onNotice);
  if (state.total === null) return <GridLoading state={state} pages={pages} narrowed={narrowed} onClear={props.onClear} />;
  return (
    <>
      {state.failure !== null && (
        <div className="tables-message">
          <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(state.failure) ? state.failure : null} onRetry={pages.refresh} />
        </div>
      )}
      <Grid
        label={table.title}
        columns={columns}
        source={pages.source}
        height={query.rowHeight}
        handle={handle}
        empty={<GridEmpty inBin={inBin} narrowed={narrowed} mayCreate={may('create')} onClear={props.onClear} onImport={props.onImport} />}
        {...presence}
        {...(groups ? { groups, folded } : {})}
        onFold={onFold}
        {...(may('update') ? { onWrite, onPasteFiles: props.onPasteFiles } : {})}
        {...(may('update') || may('create') ? { onPaste: (request: PasteRequest) => void paste(request) } : {})}
        {...rowGestures}
        {...(onOpen ? { onOpen: (row: GridRow) => onOpen(row.id) } : {})}
        onUndo={props.onUndo}
        onRedo={props.onRedo}
        checked={chosen.ids}
        checkedAll={chosen.all}
        onCheck={(ids, on) => onChosen({ all: false, ids: on ? new Set([...chosen.ids, ...ids]) : new Set([...chosen.ids].filter((id) => !ids.includes(id))) })}
        onCheckAll={(on) => onChosen({ all: on, ids: new Set() })}
        {...columnChanges}
        onSort={(column, direction, also) => change({ sort: withSort(query.sort, column, direction, also) })}
        onFilter={props.onAskFilter}
        {...props.design}
        rowMenu={rowMenu}
        onNotice={onNotice}
      />
      {pasting && (
        <PasteDialog
          siteId={siteId}
          table={table}
          paste={pasting}
          mayDesign={props.mayDesign}
          onClose={closePaste}
          onDone={(batches) => {
            closePaste();
            onBatches(batches);
            pages.refresh();
          }}
        />
      )}
    </>
  );
};
