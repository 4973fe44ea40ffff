import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { ExportDialog, PublicLinksDialog } from '@/features/tables/transfer/lazyDialogs';
import { withMessages } from '@/i18n';
import { withMui } from '@/theme/mui';
import { RecordDialog } from './lazyParts';
import { useCloseRecord } from './useCloseRecord';
import { useShowRecord } from './useShowRecord';
import { useTableLabels } from './useTableLabels';
import type { TableWorkState } from './useTableWork';
import { visibleColumnsOf } from './viewState';

const RecordDrawer = lazy(() => withMui(withMessages(import(/* webpackChunkName: "record" */ '../record/RecordDrawer'), ['tableRecord', 'form'])));

/** The record in the URL, beside the list. `onDirty`: whether it has unsaved changes. */
export const OpenRecord = ({ work, onDirty }: { readonly work: TableWorkState; readonly onDirty: (dirty: boolean) => void }): ReactElement | null => {
  const { site, tables, table, at, changeAddress, question, kind, state, pages, handle, presence, actions, undo, refresh, designs } = work;
  const close = useCloseRecord(changeAddress);
  useShowRecord({ siteId: site.id, table: table.id, question, record: at.record, ready: kind === 'grid' && state.total !== null, pages, handle });
  if (at.record === '') return null;
  const index = pages.find(at.record)?.index ?? null;
  const stepTo = (to: number): (() => void) | null => {
    const record = pages.recordAt(to);
    return record ? () => changeAddress({ record: record.id }, 'replace') : null;
  };
  const moveToBin = async (): Promise<void> => {
    if (!(await actions('bin', { ids: [at.record] }, 1))) return;
    close();
    refresh();
  };
  return (
    <Suspense fallback={null}>
      <RecordDrawer
        key={at.record}
        siteId={site.id}
        tables={tables}
        table={table}
        recordId={at.record}
        mayDesign={designs}
        presence={{ others: presence.others, onActive: (place) => presence.onActive({ index: index ?? 0, ...place }) }}
        onClose={close}
        {...(table.may.includes('delete') && { onBin: () => void moveToBin() })}
        {...(index === null ? {} : { onMove: { before: index === 0 ? null : stepTo(index - 1), after: stepTo(index + 1) } })}
        onBatches={(batches) => {
          undo.push(batches);
          refresh();
        }}
        onDirty={onDirty}
      />
    </Suspense>
  );
};

/** Dialogs of the screen: export, sharing, and the form of a new record. */
export const TableDialogs = ({
  work,
  isSharing,
  onShared,
}: {
  readonly work: TableWorkState;
  readonly isSharing: boolean;
  readonly onShared: () => void;
}): ReactElement => {
  const { site, table, at, changeAddress, question, query, chosen, activeView, locale, adding, setAdding, undo, refresh } = work;
  const { column } = useTableLabels(table);
  return (
    <Suspense fallback={null}>
      {at.export && (
        <ExportDialog
          siteId={site.id}
          table={table}
          question={question}
          columns={visibleColumnsOf(table, query).map(({ field }) => field)}
          chosen={chosen.all ? [] : [...chosen.ids]}
          nameOf={column}
          onClose={() => changeAddress({ export: false }, 'replace')}
        />
      )}
      {isSharing && <PublicLinksDialog siteId={site.id} table={table} view={activeView.view} changed={activeView.changed} onClose={onShared} />}
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
    </Suspense>
  );
};
