import { useTranslation } from 'react-i18next';
import type { TableField } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/limits';
import type { Resource } from '@contract/resources/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppStore } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { withNewColumn } from './columnChanges';
import { fieldFor, fileFields, isPicture, nameValues, takes, typeFor, withResources } from './droppedFiles';
import type { DropPlace } from './FileDrop';
import { stackFields } from './newView';
import { loadFieldActions } from './useFieldDesign';
import type { TableWorkState } from './useTableWork';
import { visibleColumnsOf } from './viewState';

type Values = Readonly<Record<string, unknown>>;
const { addRecords, changeRecords, recordPage } = tablesApi.endpoints;

/** Uploads dropped files, and reports what went wrong. `onUploaded` may be called again, after a failed upload was tried again. */
function useRecordUploads({ site }: Pick<TableWorkState, 'site'>) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const failed = (error: unknown): void => {
    const reason = isFailure(error) || error instanceof Error ? error.message : '';
    dispatch(noticeShown({ tone: 'bad', message: reason === '' ? { key: 'ui:offline' } : { text: t('tool.filesFailed', { reason }) } }));
  };
  return async (files: readonly File[], onUploaded: (resources: readonly Resource[]) => Promise<void>): Promise<void> => {
    try {
      const { uploadFiles } = await import(/* webpackChunkName: "uploads" */ '@/features/resources/uploads/uploadFiles');
      uploadFiles(store, site.id, files, ({ resources, failed: { length } }) => {
        const added = resources.length > 0 ? onUploaded(resources).catch(failed) : Promise.resolve();
        void added.then(() => {
          if (length > 0) dispatch(noticeShown({ tone: 'warning', message: { text: t('tool.filesNotUploaded', { count: length }) } }));
        });
      });
    } catch (error) {
      failed(error);
    }
  };
}

/** Puts resources into records: of an existing one, or of new ones. What is written by one drop is undone in one step. */
function useFileRecords({ site, table, undo, refresh, activeView, designs }: TableWorkState) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const of = { siteId: site.id, table: table.id };
  const fields = fileFields(table);
  const reportUnplaced = (count: number): void => {
    if (count > 0) dispatch(noticeShown({ tone: 'warning', message: { text: t('tool.filesUnplaced', { count }) } }));
  };
  /** A new field for resources that no field takes; shown in the view, too. Null where it may not be added. */
  async function newField(resources: readonly Resource[]): Promise<TableField | null> {
    if (!designs || resources.length === 0) return null;
    const type = typeFor(resources);
    const field = await (await loadFieldActions()).addField(dispatch, of, { type, title: t(`tool.newField.${type}`) });
    if (isFailure(field)) throw new Error(field.message);
    const { query, change } = activeView;
    if (query.columns !== null) change({ columns: withNewColumn(visibleColumnsOf(table, query), field.id, null) }, 'replace');
    return field;
  }
  return {
    /** Adds resources to a record as it is now; without `field` to the field that fits the first of them. */
    async addTo(id: string, field: TableField | undefined, resources: readonly Resource[]): Promise<void> {
      const [first] = resources;
      const target = field ?? (first && fieldFor(fields, first));
      const fitting = resources.filter((one) => target && takes(target, one));
      reportUnplaced(resources.length - fitting.length);
      if (!target || fitting.length === 0) return;
      const { rows } = await dispatch(recordPage.initiate({ ...of, ids: id, limit: 1 }, { subscribe: false, forceRefetch: true })).unwrap();
      const [record] = rows;
      if (!record) return;
      const values = { [target.id]: withResources(target, record.values[target.id], fitting) };
      const body = { changes: [{ id, values, revision: record.revision }], origin: 'console' as const };
      const { batchId } = await dispatch(changeRecords.initiate({ ...of, body })).unwrap();
      if (batchId !== null) undo.push([batchId]);
      refresh();
    },
    /** Creates a record for each resource, with `known` values. */
    async create(resources: readonly Resource[], known: Values): Promise<void> {
      const added = await newField(resources.filter((one) => !fieldFor(fields, one)));
      const all = added ? [...fields, added] : fields;
      const records = resources.flatMap((resource) => {
        const field = fieldFor(all, resource);
        return field ? [{ ...nameValues(table, resource), ...known, [field.id]: [{ resource: resource.id }] }] : [];
      });
      reportUnplaced(resources.length - records.length);
      const batches: string[] = [];
      try {
        for (let at = 0; at < records.length; at += tableLimits.batch) {
          const body = { records: records.slice(at, at + tableLimits.batch) };
          const { batchId } = await dispatch(addRecords.initiate({ ...of, body })).unwrap();
          if (batchId !== null) batches.push(batchId);
        }
        if (records.length > 0) dispatch(noticeShown({ tone: 'good', message: { text: t('tool.filesAdded', { count: records.length }) } }));
      } finally {
        undo.push(batches);
        refresh();
      }
    },
  };
}

/**
 * What happens to files that are dropped on the records or pasted into a cell. On a cell or card for files, they are added to it; pictures elsewhere, and several
 * files at once, become new records, one each; any other file is imported.
 */
export function useDroppedFiles(work: TableWorkState) {
  const { table, handle, onImport, activeView, kind, designs } = work;
  const upload = useRecordUploads(work);
  const { addTo, create } = useFileRecords(work);
  const fields = fileFields(table);
  const cover = fields.find(({ id }) => id === activeView.query.cover);
  const uploadTo = (id: string, field: TableField | undefined, files: readonly File[]): void => void upload(files, (resources) => addTo(id, field, resources));
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
      const card = mayUpdate ? target?.closest('[data-record]')?.getAttribute('data-record') : null;
      if (card != null && fields.length > 0 && files.every(isPicture)) return uploadTo(card, cover, files);
      const toRecords = files.length > 1 || files.every(isPicture);
      if (toRecords && table.may.includes('create') && (fields.length > 0 || designs))
        return void upload(files, (resources) => create(resources, columnValues(target)));
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
