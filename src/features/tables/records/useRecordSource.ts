import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { systemValues } from '@contract/tables/matchFilter';
import type { ContentRecord, RecordQuery } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import type { GridRow } from '../grid/types';
import { tablesApi } from '../tablesApi';
import { makeCellWrites } from './cellWrites';
import type { CellWrites, Refusal, WritesEnvironment } from './cellWrites';
import type { PendingCell } from './pendingCells';
import { makeRowPages } from './rowPages';
import type { RowPages } from './rowPages';
import type { PagesState } from './rowPageStore';
import { useWriteFailure } from './useWriteFailure';

/** The query of the list. */
export type Question = Pick<RecordQuery, 'filter' | 'q' | 'sort' | 'locale' | 'trash'>;
type Look = { readonly stripe: (record: ContentRecord) => GridRow['stripe']; readonly locked: boolean };

/** A record's values by column, including system columns. */
export const columnValues = (record: ContentRecord): Record<string, unknown> => ({ ...record.values, ...systemValues(record) });

/** Current state shared by the list, its edits and the screen. */
type Box = { pages: RowPages | null; look: Look; refusal: (error: unknown) => Refusal; onGesture: WritesEnvironment['onGesture'] };
/** Counter of page calls. */
let turns = 0;
const isAborted = (error: unknown): boolean =>
  isFailure(error) ? error.kind === 'aborted' : error instanceof Object && 'name' in error && error.name === 'AbortError';

/** Pending cell writes of a table (in one language), whichever list shows them. */
function useCellWrites(siteId: string, tableId: string, locale: string | undefined, box: Box): CellWrites {
  const dispatch = useAppDispatch();
  const [currentWrites, setCurrentWrites] = useState<{ key: string; writes: CellWrites } | null>(null);
  const key = `${tableId} ${locale ?? ''}`;
  const make = (): CellWrites =>
    makeCellWrites({
      save: async (changes) => {
        const body = { changes, origin: 'console' as const, ...(locale === undefined ? {} : { locale }) };
        const result = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table: tableId, body }));
        return result.data ? { written: result.data } : { refusal: box.refusal(result.error) };
      },
      revisionOf: (rowId) => box.pages?.find(rowId)?.record.revision,
      onSaved: (written, changes) => {
        const revisions = new Map(written.records.map(({ id, revision }) => [id, revision]));
        const values = new Map<string, Record<string, unknown>>();
        for (const change of changes) values.set(change.id, { ...values.get(change.id), ...change.values });
        box.pages?.each((record) => {
          const revision = revisions.get(record.id);
          return revision === undefined ? record : { ...record, revision, values: { ...record.values, ...values.get(record.id) } };
        });
        void box.pages?.refreshIds([...revisions.keys()]);
      },
      onGesture: (gesture) => box.onGesture(gesture),
      onConflict: ({ record }) => box.pages?.each((one) => (one.id === record.id ? record : one)),
      onMarks: (ids) => box.pages?.redraw(ids),
    });
  if (currentWrites?.key === key) return currentWrites.writes;
  const next = make();
  setCurrentWrites({ key, writes: next });
  return next;
}

/**
 * The rows of one list and its edits. A new query makes a new list; pending edits stay with the table. The result changes with every change, so that callers
 * render again.
 */
export function useRecordSource({
  siteId,
  table,
  question,
  look,
  onGesture,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly question: Question;
  readonly look: Look;
  readonly onGesture: WritesEnvironment['onGesture'];
}): { readonly pages: RowPages; readonly state: PagesState; readonly writes: CellWrites; readonly pending: readonly PendingCell[]; readonly saving: boolean } {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const refusal = useWriteFailure(table);
  const [box] = useState<Box>(() => ({ pages: null, look, refusal, onGesture }));
  const writes = useCellWrites(siteId, table.id, question.locale, box);
  const conflict = t('edits.conflictMark');
  const about = question.filter === undefined && question.q === undefined && question.trash === undefined ? table.approxRows : 0;
  const key = JSON.stringify(question);
  const tableId = table.id;
  const pages = useMemo(() => {
    const parsedQuestion = JSON.parse(key) as Question;
    return makeRowPages({
      isAborted,
      messageOf: (error) => box.refusal(error).message,
      approximateCount: () => about,
      fetch: async (page, signal) => {
        const call = dispatch(
          tablesApi.endpoints.recordPage.initiate(
            { siteId, table: tableId, ...parsedQuestion, ...page, turn: (turns += 1) },
            { subscribe: false, forceRefetch: true },
          ),
        );
        const stop = (): void => call.abort();
        signal.addEventListener('abort', stop, { once: true });
        try {
          return await call.unwrap();
        } finally {
          signal.removeEventListener('abort', stop);
        }
      },
      toRow: (record) => {
        const pending = writes.of(record.id);
        const marks = writes.marks(record.id, { conflict });
        const stripe = box.look.stripe(record);
        const values = columnValues(record);
        for (const [column, { value }] of pending ?? []) values[column] = value;
        return {
          id: record.id,
          revision: record.revision,
          values,
          ...(marks ? { marks } : {}),
          ...(stripe ? { stripe } : {}),
          ...(box.look.locked ? { locked: true } : {}),
        };
      },
    });
    // The approximate count is only a hint when the list is created.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [siteId, tableId, key, writes, conflict, dispatch, box]);

  useEffect(() => {
    box.refusal = refusal;
    box.onGesture = onGesture;
  });
  useEffect(() => {
    box.pages = pages;
    pages.start();
    return () => pages.end();
  }, [pages, box]);
  useEffect(() => {
    box.look = look;
    pages.redrawAll();
  }, [look, pages, box]);
  useSyncExternalStore(pages.source.subscribe, pages.source.version);
  const pending = useSyncExternalStore(writes.subscribe, writes.list);
  const saving = useSyncExternalStore(writes.subscribe, writes.isSaving);
  return { pages, state: pages.state(), writes, pending, saving };
}
