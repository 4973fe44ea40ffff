import type { TFunction } from 'i18next';
import type { TableField } from '@contract/tables/schemas';
import type { Resource } from '@contract/resources/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { AppDispatch, AppStore } from '@/store';
import type { DropPlace } from './FileDrop';
import { fileRecords } from './fileRecords';
import type { FileRecords } from './fileRecords';
import { isPicture } from './isPicture';
import { stackFields } from './newView';
import { fileFields, takes } from './placedFiles';
import type { TableWorkState } from './useTableWork';

type Values = Readonly<Record<string, unknown>>;
export type DropTools = { readonly work: TableWorkState; readonly dispatch: AppDispatch; readonly store: AppStore; readonly t: TFunction<'tables'> };

/** Uploads dropped files, and reports what went wrong. `place` may be called again, after a failed upload was tried again. */
function recordUploads({ work, dispatch, store, t }: DropTools) {
  const failed = (error: unknown): void => {
    const reason = isFailure(error) || error instanceof Error ? error.message : '';
    dispatch(noticeShown({ tone: 'bad', message: reason === '' ? { key: 'ui:offline' } : { text: t('tool.filesFailed', { reason }) } }));
  };
  return async (files: readonly File[], place: (records: FileRecords, resources: readonly Resource[]) => Promise<void>): Promise<void> => {
    try {
      const { uploadFiles } = await import(/* webpackChunkName: "uploads" */ '@/features/resources/uploads/uploadFiles');
      const records = fileRecords(work, dispatch, t);
      uploadFiles(store, work.site.id, files, ({ resources, failed: { length } }) => {
        const added = resources.length > 0 ? place(records, resources).catch(failed) : Promise.resolve();
        void added.then(() => {
          if (length > 0) dispatch(noticeShown({ tone: 'warning', message: { text: t('tool.filesNotUploaded', { count: length }) } }));
        });
      });
    } catch (error) {
      failed(error);
    }
  };
}

/**
 * What happens to files that are dropped on the records or pasted into a cell. On a cell for files or a card, they are added to it; one picture elsewhere on a row
 * is added to the row, if a field takes it; other pictures, and several files at once, become new records, one each; any other file is imported.
 */
export function droppedFiles(tools: DropTools) {
  const { work } = tools;
  const { table, handle, onImport, activeView, kind, designs } = work;
  const upload = recordUploads(tools);
  const fields = fileFields(table);
  const cover = fields.find(({ id }) => id === activeView.query.cover);
  const uploadTo = (id: string, field: TableField | undefined, files: readonly File[]): void =>
    void upload(files, (records, resources) => records.addTo(id, field, resources));
  /** Whether it looks like something that a field takes. */
  const isTaken = (one: File): boolean => isPicture(one) && fields.some((field) => takes(field, { kind: one.type.startsWith('video/') ? 'video' : 'image' }));
  /** The choice of the kanban column under the pointer. */
  function columnValues(target: Element | null): Values {
    const stack = activeView.query.stack ?? stackFields(table)[0]?.id;
    const choice = kind === 'kanban' ? target?.closest('[data-drop]')?.getAttribute('data-drop') : undefined;
    return stack === undefined || !choice ? {} : { [stack]: choice };
  }

  return {
    drop(files: readonly File[], { x, y, target }: DropPlace): void {
      const mayUpdate = table.may.includes('update');
      const cell = mayUpdate && target ? (handle.current?.cellAt(target, x, y) ?? null) : null;
      const field = fields.find(({ id }) => id === cell?.column);
      if (cell && field) return uploadTo(cell.row.id, field, files);
      if (cell && files.length === 1 && files.some(isTaken)) return uploadTo(cell.row.id, undefined, files);
      const card = mayUpdate ? target?.closest('[data-record]')?.getAttribute('data-record') : null;
      if (card != null && fields.length > 0 && files.every(isPicture)) return uploadTo(card, cover, files);
      const toRecords = files.length > 1 || files.every(isPicture);
      if (toRecords && table.may.includes('create') && (fields.length > 0 || designs))
        return void upload(files, (records, resources) => records.create(resources, columnValues(target)));
      const [file] = files;
      if (file) onImport(file);
    },
    paste(files: readonly File[]): void {
      const active = handle.current?.active();
      const field = fields.find(({ id }) => id === active?.column);
      if (active?.row && field) uploadTo(active.row.id, field, files);
    },
  };
}
