import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import { textOf } from '@contract/tables/fieldText';
import type { ContentRecord } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { Site } from '@contract/sites/schemas';
import { useLive } from '@/lib/useLive';
import { useOnline } from '@/lib/useOnline';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import type { GridHandle, GridRow } from '../grid/types';
import { tablesApi } from '../tablesApi';
import type { Address, ChangeAddress } from './address';
import type { ChosenRecords } from './GridView';
import { questionOf } from './question';
import { useActiveView } from './useActiveView';
import { useAddRecord } from './useAddRecord';
import { usePresence } from './usePresence';
import { useRecordActions } from './useRecordActions';
import { useRecordSource } from './useRecordSource';
import { useTableEnv } from './useTableEnv';
import { choiceColor } from './useTableLabels';
import { useUndo } from './useUndo';
import { useUndoKeys } from './useUndoKeys';

/** Minimum interval between fetches of other users' changes. Milliseconds. */
const refreshMs = 1500;
export const noChosenRecords: ChosenRecords = { ids: new Set(), all: false };

export type TableWorkProps = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly views: readonly RecordView[];
  readonly at: Address;
  readonly changeAddress: ChangeAddress;
  /** The table switcher, on phones. */ readonly pane: ReactElement | null;
  /** Imports a file: a dropped one, or null to choose one. */ readonly onImport: (file: File | null) => void;
};

/** The stripe colour of each row, and whether rows are writable. */
function useRowLook(table: ContentTable, query: ViewQuery, inBin: boolean) {
  const colorField = table.fields.find(({ id }) => id === query.colorBy);
  const locked = inBin || !table.may.includes('update');
  return useMemo(
    () => ({
      stripe: (record: ContentRecord): GridRow['stripe'] => {
        const choice = colorField?.options.choices?.find(({ id }) => id === record.values[colorField.id]);
        return choice && { color: choiceColor[choice.color], name: choice.title };
      },
      locked,
    }),
    [colorField, locked],
  );
}

/** Calls `refresh`, throttled, when other users change records of the table. */
function useLiveRecords(siteId: string, tableId: string, refresh: () => void): void {
  const refreshSoon = useThrottled(refresh, refreshMs);
  useLive(
    useMemo(() => [`table:${siteId}`], [siteId]),
    (signal) => {
      if (signal.type === 'resync' || (signal.type === 'records' && signal.tableId === tableId)) refreshSoon();
    },
  );
}

/** Calls `refresh` when the definition of the table changes: new, restored and computed fields have values that were not loaded. */
function useTableChanges({ revision }: ContentTable, refresh: () => void): void {
  const previous = useRef(revision);
  const update = useEffectEvent(refresh);
  useEffect(() => {
    if (previous.current === revision) return;
    previous.current = revision;
    update();
  }, [revision]);
}

/** The records of the table as the active view lists them, with the edits on them. */
function useTableRecords({ site, tables, table, views, at, changeAddress }: TableWorkProps) {
  const dispatch = useAppDispatch();
  const activeView = useActiveView(table, views, at, changeAddress);
  const { query } = activeView;
  const undo = useUndo(site.id, table.id);
  const locale = table.locales.includes(at.lang) && at.lang !== table.locales[0] ? at.lang : undefined;
  const { filter, sort, group } = query;
  const { q, trash } = at;
  const question = useMemo(() => questionOf({ filter, sort, group }, { q, trash }, locale), [filter, sort, group, q, trash, locale]);
  const look = useRowLook(table, query, trash);
  const source = useRecordSource({ siteId: site.id, table, question, look, onGesture: undo.add });
  const { pages, state } = source;
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels: state.labels, mayDesign: mayOnSite(site.role, 'tables.design') });

  const refresh = useCallback((): void => {
    pages.refresh();
    dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table.id }]));
  }, [pages, dispatch, table.id]);
  useLiveRecords(site.id, table.id, refresh);
  useTableChanges(table, refresh);
  return { ...source, activeView, query, undo, locale, question, env, refresh };
}

/** Retries edits that failed for lack of a connection once it is restored. */
function useRetryOnline({ pending, writes }: Pick<ReturnType<typeof useTableRecords>, 'pending' | 'writes'>): boolean {
  const online = useOnline();
  const retry = useEffectEvent(() => {
    const stopped = pending.filter((edit) => edit.state === 'refused' && edit.passing === true);
    if (online && stopped.length > 0) void writes.retry(stopped);
  });
  useEffect(() => retry(), [online]);
  return online;
}

/** Shared state of the screen of one table: its records, their selection, and the actions on them. */
export function useTableWork(props: TableWorkProps) {
  const { site, table, at, changeAddress } = props;
  const { t } = useTranslation('tables');
  const records = useTableRecords(props);
  const { pages, state, writes, undo, refresh, activeView, query } = records;
  const kind = at.trash ? 'grid' : activeView.kind;
  const handle = useRef<GridHandle | null>(null);
  const [chosen, setChosen] = useState<ChosenRecords>(noChosenRecords);
  const online = useRetryOnline(records);
  const presence = usePresence(site.id, table.id);
  const actions = useRecordActions(site.id, table, undo.push);
  const { adding, setAdding, add } = useAddRecord({ siteId: site.id, table, locale: records.locale, isGrouped: query.group.length > 0, pages, handle, undo });

  // Refreshes so that the undo shows at once.
  const step = (way: 'undo' | 'redo') => void undo.go(way, writes.whenIdle()).then(refresh);
  useUndoKeys(step);

  const nameOf = (rowId: string): string => {
    const record = pages.find(rowId)?.record;
    const primary = table.fields.find(({ id }) => id === table.primaryField);
    const name = record && primary ? textOf(primary, record.values[primary.id], { ...state.labels, timeZone: site.timeZone }) : '';
    return name === '' ? t('record.untitled', { n: record?.n ?? '' }) : name;
  };
  return {
    ...props,
    ...records,
    kind,
    handle,
    chosen,
    setChosen,
    online,
    presence,
    actions,
    adding,
    setAdding,
    add,
    step,
    nameOf,
    openRecord: (record: string): void => changeAddress({ record }),
    narrowed: query.filter !== null || at.q !== '' || at.trash,
    clearFilter: () => changeAddress({ q: '', ...activeView.addressOf({ filter: null }) }),
    designs: mayOnSite(site.role, 'tables.design'),
  };
}
export type TableWorkState = ReturnType<typeof useTableWork>;
