import { ButtonBase } from '@mui/material';
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { textOf } from '@contract/tables/fieldText';
import { mayOnSite } from '@contract/permissions';
import type { ContentRecord } from '@contract/tables/records';
import type { RecordView } from '@contract/tables/views';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { useFormat } from '@/lib/format';
import { useLive } from '@/lib/useLive';
import { useOnline } from '@/lib/useOnline';
import { useThrottled } from '@/lib/useThrottled';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { FieldEnvProvider } from '../fields/env';
import type { GridHandle, GridRow } from '../grid/types';
import { tablesApi } from '../tablesApi';
import { ExportDialog, ShareDialog } from '../transfer/parts';
import type { Address, ChangeAddress } from './address';
import { BulkBar } from './BulkBar';
import { CalendarView } from './CalendarView';
import { FormView } from './FormView';
import { FailedPublications } from './FailedPublications';
import { FileDrop } from './FileDrop';
import { GalleryView } from './GalleryView';
import { GridView } from './GridView';
import type { Chosen } from './GridView';
import { KanbanView } from './KanbanView';
import { newRule, emptyGroup, fromFilter } from './filterModel';
import { RecordDialog } from './RecordDialog';
import { needsFilling } from './RecordForm';
import { Toolbar } from './Toolbar';
import { Unsaved } from './Unsaved';
import { usePresence } from './usePresence';
import { useRecordActs } from './useRecordActs';
import type { Which } from './useRecordActs';
import { useRecordSource } from './useRecordSource';
import type { Question } from './useRecordSource';
import { useShowRecord } from './useShowRecord';
import { useTableEnv } from './useTableEnv';
import { choiceColor, useTableWords } from './useTableWords';
import { useUndo } from './useUndo';
import { useView } from './useView';
import { shownColumns, sortText } from './viewState';
import { ViewTabs } from './ViewTabs';

const RecordDrawer = lazy(() => import(/* webpackChunkName: "record" */ '../record/RecordDrawer'));

/** Changes of others are asked for at most so often while they come in. Milliseconds. */
const pauseMs = 1500;
const none: Chosen = { ids: new Set(), all: false };

/** One table at work: its views, tools and rows. */
export const TableWork = ({
  site,
  tables,
  table,
  views,
  at,
  changeAddress,
  pane,
  onImport,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly views: readonly RecordView[];
  readonly at: Address;
  readonly changeAddress: ChangeAddress;
  /** On a phone: the switch between tables. */ readonly pane: ReactElement | null;
  /** A file is brought in: one that was dropped here, or one to be chosen. */ readonly onImport: (file: File | null) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const online = useOnline();
  const looking = useView(table, views, at, changeAddress);
  const { query } = looking;
  const kind = at.trash ? 'grid' : looking.kind;
  const undo = useUndo(site.id, table.id);
  const [chosen, setChosen] = useState<Chosen>(none);
  const [adding, setAdding] = useState<Readonly<Record<string, unknown>> | null>(null);
  const handle = useRef<GridHandle | null>(null);
  const locale = table.locales.includes(at.lang) && at.lang !== table.locales[0] ? at.lang : undefined;

  const question = useMemo((): Question => {
    // Rows that belong together stand together.
    const grouped = query.group.filter((name) => !query.sort.some(({ field }) => field === name)).map((field) => ({ field, descending: false }));
    const first = query.sort.filter(({ field }) => query.group.includes(field));
    const sort = query.group.length > 0 ? [...grouped, ...first, ...query.sort.filter(({ field }) => !query.group.includes(field))] : query.sort;
    const ordered =
      query.group.length > 0
        ? [...query.group.flatMap((name) => sort.filter(({ field }) => field === name)), ...sort.filter(({ field }) => !query.group.includes(field))]
        : sort;
    return {
      ...(query.filter === null ? {} : { filter: JSON.stringify(query.filter) }),
      ...(at.q === '' ? {} : { q: at.q }),
      ...(ordered.length === 0 ? {} : { sort: sortText(ordered.slice(0, 5)) }),
      ...(locale === undefined ? {} : { locale }),
      ...(at.trash ? { trash: 'true' } : {}),
    };
  }, [query.filter, query.sort, query.group, at.q, at.trash, locale]);

  const colorField = table.fields.find(({ id }) => id === query.colorBy);
  const mayUpdate = table.may.includes('update') && !at.trash;
  const look = useMemo(
    () => ({
      stripe: (record: ContentRecord): GridRow['stripe'] => {
        const choice = colorField?.options.choices?.find(({ id }) => id === record.values[colorField.id]);
        return choice && { color: choiceColor[choice.color], name: choice.title };
      },
      locked: !mayUpdate,
    }),
    [colorField, mayUpdate],
  );
  const { pages, state, writes, pending, saving } = useRecordSource({ siteId: site.id, table, question, look, onGesture: undo.add });
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels: state.labels });
  const presence = usePresence(site.id, table.id);
  const acts = useRecordActs(site.id, table, undo.push);

  const refresh = useCallback((): void => {
    pages.refresh();
    dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table.id }]));
  }, [pages, dispatch, table.id]);
  const refreshSoon = useThrottled(refresh, pauseMs);
  useLive(
    useMemo(() => [`table:${site.id}`], [site.id]),
    (signal) => {
      if (signal.type === 'resync' || (signal.type === 'records' && signal.tableId === table.id)) refreshSoon();
    },
  );
  const unsaved = pending.filter((one) => one.state !== 'saving');
  const [writing, setWriting] = useState(false);
  const leaving = useUnsavedWork(pending.length > 0 || writing);
  const back = useEffectEvent(() => {
    const cut = unsaved.filter((one) => one.state === 'fault' && one.passing === true);
    if (online && cut.length > 0) void writes.retry(cut);
  });
  useEffect(() => back(), [online]);
  // What was undone is on the screen at once.
  const step = (way: 'undo' | 'redo') => void undo.go(way, writes.settled()).then(refresh);
  const keys = useEffectEvent((event: KeyboardEvent) => {
    const typing =
      event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="grid"]') !== null;
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    step(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => keys(event);
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);

  const add = async (values: Readonly<Record<string, unknown>>, before: string | null): Promise<void> => {
    if (needsFilling(table, values)) return setAdding(values);
    const body = { records: [values], ...(locale === undefined ? {} : { locale }) };
    const { data, error } = await dispatch(tablesApi.endpoints.addRecords.initiate({ siteId: site.id, table: table.id, body }));
    const made = data?.records[0];
    if (!data || !made) {
      // A condition of the table requires more than is known here: the form asks for it.
      if (isFailure(error) && error.code === 'invalid_fields') return setAdding(values);
      return void dispatch(noticeShown({ tone: 'bad', words: { text: isFailure(error) && error.message !== '' ? error.message : t('failed') } }));
    }
    if (data.batchId !== null) undo.push([data.batchId]);
    if (before !== null) {
      await dispatch(tablesApi.endpoints.moveRecords.initiate({ siteId: site.id, table: table.id, body: { ids: [made.id], before } }));
      return pages.refresh();
    }
    const page = await dispatch(
      tablesApi.endpoints.recordPage.initiate(
        { siteId: site.id, table: table.id, ids: made.id, limit: 1, ...(locale === undefined ? {} : { locale }) },
        { subscribe: false, forceRefetch: true },
      ),
    );
    const record = page.data?.rows[0];
    const index = record && query.group.length === 0 ? pages.append(record) : null;
    if (index === null || index === undefined) return pages.refresh();
    // Once it is drawn: what is typed next goes into it.
    requestAnimationFrame(() => {
      handle.current?.show(index);
      handle.current?.focus();
    });
  };
  const nameOf = (rowId: string): string => {
    const found = pages.find(rowId)?.record;
    const primary = table.fields.find(({ id }) => id === table.primaryField);
    const name = found && primary ? textOf(primary, found.values[primary.id], { ...state.labels, timeZone: site.timeZone }) : '';
    return name === '' ? t('record.untitled', { n: found?.n ?? '' }) : name;
  };

  const openRecord = (record: string): void => changeAddress({ record });
  useShowRecord({ siteId: site.id, table: table.id, question, record: at.record, ready: kind === 'grid' && state.total !== null, pages, handle });
  const place = at.record === '' ? null : (pages.find(at.record)?.index ?? null);
  const stepTo = (index: number): (() => void) | null => {
    const record = pages.recordAt(index);
    return record ? () => changeAddress({ record: record.id }, 'replace') : null;
  };

  const narrowed = query.filter !== null || at.q !== '' || at.trash;
  const clear = () => changeAddress({ q: '', ...looking.addressOf({ filter: null }) });
  const askFilter = (name: string) => {
    const rule = newRule(table, name);
    if (!rule) return;
    const group = fromFilter(query.filter);
    setWanted(emptyGroup(group.join === 'and' ? 'and' : 'or', group.join === 'and' ? [...group.items, rule] : [group, rule]));
  };
  const [wanted, setWanted] = useState<ReturnType<typeof emptyGroup> | null>(null);
  const total = state.total;
  const count = chosen.all ? (total ?? 0) : chosen.ids.size;
  const target: Which = chosen.all ? { filter: query.filter, ...(at.q === '' ? {} : { q: at.q }) } : { ids: [...chosen.ids] };
  const mayImport = !at.trash && (table.may.includes('create') || table.may.includes('update'));
  const words = useTableWords(table);
  const designs = mayOnSite(site.role, 'tables.design');
  const [sharing, setSharing] = useState(false);
  const shared = { siteId: site.id, table, looking, question };
  return (
    <FieldEnvProvider value={env}>
      <header className="tables-head">
        {pane}
        <h1 tabIndex={-1} data-page-heading="" className={pane ? 'only-read' : ''}>
          {table.title}
        </h1>
        {at.trash ? (
          <b className="tables-bin">{t('tool.trash')}</b>
        ) : (
          <ViewTabs
            siteId={site.id}
            table={table}
            views={views}
            looking={looking}
            rights={{ shares: table.may.includes('update') || table.may.includes('create'), locks: designs }}
            onOpen={(view) => changeAddress({ view, filter: '', sort: '', group: '', record: '', day: '' })}
          />
        )}
      </header>
      <Toolbar
        siteId={site.id}
        table={table}
        looking={looking}
        at={at}
        change={changeAddress}
        scene={{ siteId: site.id, tables, people: state.labels.people }}
        undo={{ ...undo, undo: () => step('undo'), redo: () => step('redo') }}
        mayAdd={table.may.includes('create')}
        mayTrash={table.may.includes('delete')}
        wanted={wanted}
        onWanted={() => setWanted(null)}
        onAdd={() => (kind === 'grid' ? void add({}, null) : setAdding({}))}
        onRefresh={refresh}
        onImport={mayImport ? () => onImport(null) : null}
        onExport={() => changeAddress({ export: true })}
        onShare={designs ? () => setSharing(true) : null}
        status={
          <span className="tables-status">
            {presence.here.length > 0 && <span>{t('people.here', { names: presence.here.join(', ') })}</span>}
            <span role="status">{saving ? t('edits.savingNow') : ''}</span>
            {kind === 'grid' && total !== null && (
              <>
                {state.slow && (
                  <span title={t('count.slow')} className="tables-warn">
                    <Icon name="info" size={14} />
                    <span className="only-read">{t('count.slow')}</span>
                  </span>
                )}
                {state.more ? (
                  <ButtonBase title={t('count.exact')} onClick={() => void pages.countExactly()}>
                    {t('count.more', { shown: format.number(total) })}
                  </ButtonBase>
                ) : (
                  <span>{t(at.trash ? 'count.trash' : 'count.all', { count: total, shown: format.number(total) })}</span>
                )}
              </>
            )}
          </span>
        }
      />
      {table.drafts && !at.trash && <FailedPublications siteId={site.id} table={table} onOpen={openRecord} onBatches={undo.push} />}
      <Unsaved table={table} writes={writes} pending={pending} nameOf={nameOf} online={online} />
      {(chosen.all || chosen.ids.size > 0) && kind === 'grid' && (
        <BulkBar
          siteId={site.id}
          table={table}
          target={target}
          count={count}
          total={total}
          all={chosen.all}
          trash={at.trash}
          locale={locale}
          acts={acts}
          onAll={() => setChosen({ all: true, ids: new Set() })}
          onClear={() => setChosen(none)}
          onDone={refresh}
          onBatches={undo.push}
        />
      )}
      <FileDrop kind={kind} table={table.title} onFile={mayImport ? onImport : null}>
        {kind === 'grid' && (
          <GridView
            {...shared}
            pages={pages}
            state={state}
            writes={writes}
            acts={acts}
            trash={at.trash}
            narrowed={narrowed}
            chosen={chosen}
            onChosen={setChosen}
            onBatches={undo.push}
            onUndo={() => step('undo')}
            onRedo={() => step('redo')}
            onAdd={add}
            onOpen={at.trash ? null : openRecord}
            onClear={clear}
            onImport={table.may.includes('create') ? () => onImport(null) : null}
            onAskFilter={askFilter}
            presence={presence}
            handle={handle}
          />
        )}
        {kind === 'gallery' && <GalleryView {...shared} onOpen={openRecord} onClear={clear} narrowed={narrowed} />}
        {kind === 'kanban' && <KanbanView {...shared} onOpen={openRecord} onBatches={undo.push} onAdd={setAdding} />}
        {kind === 'calendar' && (
          <CalendarView
            {...shared}
            onOpen={openRecord}
            timeZone={site.timeZone}
            at={at}
            changeAddress={changeAddress}
            onBatches={undo.push}
            onAdd={setAdding}
          />
        )}
        {kind === 'form' && <FormView siteId={site.id} table={table} query={query} locale={locale} onBatches={undo.push} />}
      </FileDrop>
      {at.export && (
        <Suspense fallback={null}>
          <ExportDialog
            siteId={site.id}
            table={table}
            question={question}
            columns={shownColumns(table, query).map(({ field }) => field)}
            chosen={chosen.all ? [] : [...chosen.ids]}
            nameOf={words.column}
            onClose={() => changeAddress({ export: false }, 'replace')}
          />
        </Suspense>
      )}
      {sharing && (
        <Suspense fallback={null}>
          <ShareDialog siteId={site.id} table={table} view={looking.view} changed={looking.changed} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {at.record !== '' && (
        <Suspense fallback={null}>
          <RecordDrawer
            key={at.record}
            siteId={site.id}
            tables={tables}
            table={table}
            recordId={at.record}
            mayDesign={mayOnSite(site.role, 'tables.design')}
            presence={{ others: presence.others, onActive: (spot) => presence.onActive({ index: place ?? 0, ...spot }) }}
            onClose={() => changeAddress({ record: '' })}
            {...(place === null ? {} : { onMove: { before: place === 0 ? null : stepTo(place - 1), after: stepTo(place + 1) } })}
            onBatches={(batches) => {
              undo.push(batches);
              refresh();
            }}
            onDirty={setWriting}
          />
        </Suspense>
      )}
      {adding && (
        <RecordDialog
          siteId={site.id}
          table={table}
          locale={locale}
          values={adding}
          onClose={() => setAdding(null)}
          onDone={(batches) => {
            setAdding(null);
            undo.push(batches);
            refresh();
          }}
        />
      )}
      <LeaveDialog blocker={leaving} />
    </FieldEnvProvider>
  );
};
