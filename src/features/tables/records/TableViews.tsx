import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { RowsSkeleton } from '@/ui/skeletons';
import { FileDrop } from './FileDrop';
import { GridView } from './GridView';
import { CalendarView, FormView, GalleryView, KanbanView } from './lazyParts';
import { useDroppedFiles } from './useDroppedFiles';
import { useFieldDesign } from './useFieldDesign';
import type { TableWorkState } from './useTableWork';

/** The records in the kind of the active view. */
export const TableViews = ({ work, onAskFilter }: { readonly work: TableWorkState; readonly onAskFilter: (field: string) => void }): ReactElement => {
  const {
    site,
    table,
    at,
    changeAddress,
    activeView,
    question,
    query,
    locale,
    kind,
    undo,
    setAdding,
    openRecord,
    clearFilter,
    narrowed,
    onImport,
    tables,
    designs,
  } = work;
  const mayCreate = table.may.includes('create');
  const mayImport = !at.trash && (mayCreate || table.may.includes('update'));
  const mayDesign = designs && !at.trash;
  const design = useFieldDesign({ site, tables, table, activeView, mayDesign });
  const dropped = useDroppedFiles(work);
  const shared = { siteId: site.id, table, activeView, question };
  return (
    <FileDrop kind={kind} table={table.title} onFiles={mayImport ? dropped.drop : null}>
      {kind === 'grid' && (
        <GridView
          {...shared}
          mayDesign={mayDesign}
          design={design.gestures}
          pages={work.pages}
          state={work.state}
          writes={work.writes}
          acts={work.actions}
          inBin={at.trash}
          narrowed={narrowed}
          chosen={work.chosen}
          onChosen={work.setChosen}
          onBatches={undo.push}
          onUndo={() => work.step('undo')}
          onRedo={() => work.step('redo')}
          onAdd={work.add}
          onOpen={at.trash ? null : openRecord}
          onClear={clearFilter}
          onImport={mayCreate ? () => onImport(null) : null}
          onAskFilter={onAskFilter}
          presence={work.presence}
          handle={work.handle}
          onPasteFiles={dropped.paste}
        />
      )}
      {kind === 'grid' && design.dialogs}
      <Suspense fallback={<RowsSkeleton rows={8} />}>
        {kind === 'gallery' && <GalleryView {...shared} onOpen={openRecord} onClear={clearFilter} narrowed={narrowed} />}
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
      </Suspense>
    </FileDrop>
  );
};
