import { Button } from '@mui/material';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useDelayed } from '@/lib/useDelayed';
import { useFieldEnv } from '../fields/env';
import { showValue } from '../fields/show';
import { Grid } from '../grid/Grid';
import type { CellWrite, GridGroup, GridHandle, GridProps, GridRow, MenuPlace, PasteRequest } from '../grid/types';
import { tablesApi, useAggregateQuery } from '../tablesApi';
import { groupLines, keysOf } from './groups';
import { PasteDialog } from './PasteDialog';
import type { Paste } from './PasteDialog';
import { showAggregate, systemField, useColumns } from './useColumns';
import type { RecordActs } from './useRecordActs';
import type { Question } from './useRecordSource';
import { useTableWords } from './useTableWords';
import type { Looking } from './useView';
import { isSystem, shownColumns } from './viewState';
import type { Column } from './viewState';
import type { CellWrites } from './cellWrites';
import type { PagesState, RowPages } from './rowPages';

export type Chosen = { readonly ids: ReadonlySet<string>; readonly all: boolean };
export type GridViewProps = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly looking: Looking;
  readonly question: Question;
  readonly pages: RowPages;
  readonly state: PagesState;
  readonly writes: CellWrites;
  readonly acts: RecordActs;
  readonly trash: boolean;
  readonly narrowed: boolean;
  readonly chosen: Chosen;
  readonly onChosen: (chosen: Chosen) => void;
  readonly onBatches: (batches: readonly string[]) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onAdd: (values: Readonly<Record<string, unknown>>, after: string | null) => Promise<void>;
  readonly onOpen: ((id: string) => void) | null;
  readonly onClear: () => void;
  /** null: no record may be made. */ readonly onImport: (() => void) | null;
  readonly onAskFilter: (field: string) => void;
  readonly presence: Pick<GridProps, 'others' | 'onActive'>;
  readonly handle: { current: GridHandle | null };
};

/** More cells than this are looked at by the server before they are pasted. */
const quietCells = 2000;

/** The table as a spreadsheet. */
export const GridView = (props: GridViewProps): ReactElement => {
  const { siteId, table, looking, question, pages, state, writes, acts, trash, narrowed, chosen, onChosen, onBatches, onAdd, onOpen, presence, handle } = props;
  const { query, change } = looking;
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const env = useFieldEnv();
  const words = useTableWords(table);
  const [pasting, setPasting] = useState<Paste | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const may = (action: string) => !trash && table.may.includes(action);

  const figures = shownColumns(table, query).flatMap(({ field, aggregate }) => (aggregate ? [`${field}:${aggregate}`] : []));
  const asked = { siteId, table: table.id, ...question };
  const { sort: _sort, ...narrowing } = asked;
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
    mayWrite: may('update') || (may('create') && state.total === 0),
    locale: question.locale,
  });

  const { group } = query;
  const groups = useMemo((): readonly GridGroup[] | undefined => {
    if (group.length === 0 || !grouped.data) return undefined;
    const fields = group.map((name) => (isSystem(name) ? systemField(name, words.column(name)) : table.fields.find(({ id }) => id === name)));
    const shown = {
      ...env,
      labels: { records: { ...env.labels.records, ...grouped.data.labels.records }, people: { ...env.labels.people, ...grouped.data.labels.people } },
    };
    const orders = group.map((name) => query.sort.find(({ field }) => field === name)?.descending ?? false);
    return groupLines(grouped.data.groups, orders).map(({ id, depth, key, first, count, values }) => {
      const field = fields[depth];
      const name =
        key === null || key === ''
          ? t('group.empty')
          : field?.id === '$state'
            ? t(`state.${key as 'draft'}`)
            : field?.yields === 'boolean'
              ? t(key === true ? 'filter.yes' : 'filter.no')
              : field
                ? showValue(field, key, shown)
                : JSON.stringify(key);
      const footers = Object.fromEntries(
        shownColumns(table, query).flatMap(({ field: column, aggregate }) => {
          const of = isSystem(column) ? systemField(column, words.column(column)) : table.fields.find((one) => one.id === column);
          return aggregate && values && of ? [[column, showAggregate(of, aggregate, values[`${column}:${aggregate}`] ?? null, env)]] : [];
        }),
      );
      const whole = `${field?.title ?? ''}: ${name}`;
      return { id, depth, label: name, name: whole, first, count, footers };
    });
  }, [group, grouped.data, table, query, env, t, words]);

  const put = (next: readonly Column[]) => change({ columns: [...next] }, 'replace');
  const shown = shownColumns(table, query);
  const set = (name: string, part: Partial<Column>) => put(shown.map((one) => (one.field === name ? { ...one, ...part } : one)));
  const own = query.sort.length === 0 && query.group.length === 0 && !narrowed;

  const write = (cells: readonly CellWrite[]): void => void writes.write(cells.map(({ index: _index, ...cell }) => cell));
  const notice = (text: string) => void dispatch(noticeShown({ tone: 'warning', words: { text } }));

  const paste = async (request: PasteRequest): Promise<void> => {
    let rows: readonly (GridRow | undefined)[] = [];
    // What every record has besides its fields, such as whether it is published, is shown but never pasted.
    const places = request.columns.flatMap((name, place) => (isSystem(name) ? [] : [place]));
    const fieldsOf = <T,>(row: readonly T[]): T[] => places.flatMap((place) => row.slice(place, place + 1));
    const [names, texts] = [fieldsOf(request.columns), request.texts.map(fieldsOf)];
    const [values, kinds] = [request.values?.map(fieldsOf), request.kinds && fieldsOf(request.kinds)];
    const first = Math.min(...request.rows);
    try {
      const here = request.rows.length > 0 ? await pages.source.load(first, Math.max(...request.rows) + 1, new AbortController().signal) : [];
      rows = request.rows.map((index) => here[index - first]);
    } catch (error) {
      return notice(error instanceof Error && error.message !== '' ? error.message : t('failed'));
    }
    const kindsHere = names.map((name) => columns.find(({ id }) => id === name)?.kind);
    // Copied here, into cells of the same kind: values go as they are.
    if (values && kinds && texts.length === rows.length && texts.length * names.length <= quietCells && kinds.every((kind, at) => kind === kindsHere[at]))
      return write(
        rows.flatMap((row, at) =>
          row ? names.map((column, inside) => ({ rowId: row.id, index: request.rows[at] ?? 0, column, value: values[at]?.[inside] ?? null })) : [],
        ),
      );
    const cells = texts.map((row, at) => ({ id: rows[at]?.id ?? null, cells: row.map((text): string | null => text) }));
    return setPasting({ fields: [...names], rows: cells, cutOff: request.cutOff, ...(question.locale === undefined ? {} : { locale: question.locale }) });
  };

  const idsOf = async (place: MenuPlace): Promise<readonly string[]> => {
    const lists = await Promise.all(place.rows.map(({ from, to }) => pages.source.load(from, Math.min(to, from + 1000), new AbortController().signal)));
    return lists.flat().map(({ id }) => id);
  };
  const rowMenu: NonNullable<GridProps['rowMenu']> = (place) => {
    const count = place.rows.reduce((sum, { from, to }) => sum + to - from, 0);
    const act = (kind: Parameters<RecordActs>[0], danger = false, apart = false) => ({
      id: kind,
      name: t(`record.${kind}`),
      danger,
      apart,
      onChoose: () =>
        void idsOf(place)
          .then((ids) => acts(kind, { ids: [...ids] }, count))
          .then(
            (did) => {
              if (did) pages.refresh();
            },
            () => notice(t('failed')),
          ),
    });
    if (trash) return table.may.includes('delete') ? [act('restore'), act('purge', true)] : [];
    return [
      ...(may('create') ? [act('duplicate')] : []),
      ...(table.drafts && may('publish') ? [act('publish', false, true), act('unpublish')] : []),
      ...(may('delete') ? [act('trash', true, true)] : []),
    ];
  };

  const slow = useDelayed(state.total === null && state.loading);
  if (state.total === null) {
    if (state.failure !== null)
      return (
        <div className="tables-message">
          <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(state.failure) ? state.failure : null} onRetry={pages.refresh}>
            {narrowed && (
              <Button size="small" onClick={props.onClear}>
                {t('empty.clear')}
              </Button>
            )}
          </ErrorPanel>
        </div>
      );
    // The shape of the rows; pages ask for the first by themselves.
    return (
      <div className="tables-message" aria-busy="true" style={{ visibility: slow ? 'visible' : 'hidden' }}>
        <RowsSkeleton rows={12} />
      </div>
    );
  }
  const empty = trash ? (
    <EmptyState title={t('empty.trash')} />
  ) : narrowed ? (
    <EmptyState kind="noMatch" title={t('empty.noMatch')} action={<Button onClick={props.onClear}>{t('empty.clear')}</Button>}>
      {t('empty.noMatchText')}
    </EmptyState>
  ) : (
    <EmptyState title={t('empty.title')} action={props.onImport && <Button onClick={props.onImport}>{t('empty.import')}</Button>}>
      {may('create') && t('empty.text')}
    </EmptyState>
  );
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
        empty={empty}
        {...presence}
        {...(groups ? { groups, folded } : {})}
        onFold={(name, on) =>
          setFolded((before) => {
            const next = new Set(before);
            if (on) next.add(name);
            else next.delete(name);
            return next;
          })
        }
        {...(may('update') ? { onWrite: write } : {})}
        {...(may('update') || may('create') ? { onPaste: (request: PasteRequest) => void paste(request) } : {})}
        {...(may('create')
          ? {
              onAddRow: (after: number | null, name?: string) =>
                void onAdd(
                  name === undefined ? {} : Object.fromEntries(keysOf(name).flatMap((key, at) => (isSystem(group[at] ?? '$') ? [] : [[group[at] ?? '', key]]))),
                  after === null || !own ? null : (pages.source.row(after + 1)?.id ?? null),
                ),
            }
          : {})}
        {...(onOpen ? { onOpen: (row: GridRow) => onOpen(row.id) } : {})}
        onUndo={props.onUndo}
        onRedo={props.onRedo}
        {...(own && may('update')
          ? {
              onMoveRows: (from: number, to: number, before: number) => {
                const ids = Array.from({ length: Math.min(1000, to - from) }, (_, at) => pages.source.row(from + at)?.id).filter((id) => id !== undefined);
                const body = { ids, before: pages.source.row(before)?.id ?? null };
                void dispatch(tablesApi.endpoints.moveRecords.initiate({ siteId, table: table.id, body })).then(({ data, error }) => {
                  if (data?.batchId != null) onBatches([data.batchId]);
                  if (isFailure(error)) notice(error.message === '' ? t('failed') : error.message);
                  pages.refresh();
                });
              },
            }
          : {})}
        checked={chosen.ids}
        checkedAll={chosen.all}
        onCheck={(ids, on) => onChosen({ all: false, ids: on ? new Set([...chosen.ids, ...ids]) : new Set([...chosen.ids].filter((id) => !ids.includes(id))) })}
        onCheckAll={(on) => onChosen({ all: on, ids: new Set() })}
        onWidth={(column, width) => set(column, { width: Math.round(Math.min(1200, Math.max(40, width))) })}
        onMoveColumn={(column, before, pinned) => {
          const moved = shown.find(({ field }) => field === column);
          if (!moved) return;
          const rest = shown.filter((one) => one !== moved);
          const { pinned: _pinned, ...plain } = moved;
          const at = before === null ? rest.length : rest.findIndex(({ field }) => field === before);
          put([...rest.slice(0, at), pinned ? { ...plain, pinned } : plain, ...rest.slice(at)]);
        }}
        onPin={(column, pinned) => set(column, { pinned })}
        onHide={(column) => {
          if (column !== table.primaryField) put(shown.filter(({ field }) => field !== column));
        }}
        onSort={(column, direction, also) => {
          const rest = also ? query.sort.filter(({ field }) => field !== column) : [];
          change({ sort: direction === null ? rest : [...rest, { field: column, descending: direction === 'desc' }].slice(-5) });
        }}
        onFilter={props.onAskFilter}
        onFooter={(column, choice) => {
          const one = shown.find(({ field }) => field === column);
          if (!one) return;
          const { aggregate: _aggregate, ...plain } = one;
          put(shown.map((other) => (other === one ? (choice === null ? plain : { ...plain, aggregate: choice as NonNullable<Column['aggregate']> }) : other)));
        }}
        rowMenu={rowMenu}
        onNotice={notice}
      />
      {pasting && (
        <PasteDialog
          siteId={siteId}
          table={table}
          paste={pasting}
          onClose={() => setPasting(null)}
          onDone={(batches) => {
            setPasting(null);
            onBatches(batches);
            pages.refresh();
          }}
        />
      )}
    </>
  );
};
