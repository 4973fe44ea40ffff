import { useTranslation } from 'react-i18next';
import { resourceKindsOf } from '@contract/tables/fieldTypes';
import { fileItemsOf } from '@contract/tables/fieldTypes/fileValues';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { Resource } from '@contract/resources/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { uploadFiles } from '../fieldTypes/files/uploadFiles';
import { tablesApi } from '../tablesApi';
import type { DropPlace } from './FileDrop';
import type { TableWorkState } from './useTableWork';

const isPicture = ({ type }: File): boolean => /^(?:image|video)\//.test(type);
const fileFields = ({ fields }: ContentTable): TableField[] => fields.filter(({ type, readonly }) => resourceKindsOf(type) !== null && !readonly);
/** The field that takes a resource: the first for its kind, so that a picture becomes a picture and not an attachment. */
const fieldFor = (fields: readonly TableField[], { kind }: Resource): TableField | undefined =>
  fields
    .filter(({ type }) => resourceKindsOf(type)?.includes(kind) === true)
    .toSorted((a, b) => (resourceKindsOf(a.type)?.length ?? 0) - (resourceKindsOf(b.type)?.length ?? 0))[0];

/** A value with resources added at its end; a field for one file holds the last of them. */
function withResources({ options: { most } }: TableField, value: unknown, resources: readonly Resource[]): unknown {
  const uses = [...fileItemsOf(value), ...resources.map(({ id }) => ({ resource: id }))];
  return most === 1 ? uses.slice(-1) : uses;
}

/**
 * What happens to files that are dropped on the records or pasted into a cell. On a cell or card for files, they are added to it; pictures elsewhere become new
 * records, one each; any other file is imported.
 */
export function useDroppedFiles(work: TableWorkState) {
  const { site, table, undo, handle, refresh, onImport, activeView } = work;
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const fields = fileFields(table);
  const cover = fields.find(({ id }) => id === activeView.query.cover);
  const of = { siteId: site.id, table: table.id };
  const { addRecords, changeRecords, recordPage } = tablesApi.endpoints;

  async function uploaded(files: readonly File[], onUploaded: (resources: readonly Resource[]) => Promise<void>): Promise<void> {
    dispatch(noticeShown({ tone: 'info', message: { text: t('tool.filesUploading', { count: files.length }) } }));
    try {
      await onUploaded(await uploadFiles(dispatch, site.id, files));
    } catch (error) {
      const reason = isFailure(error) || error instanceof Error ? error.message : '';
      dispatch(noticeShown({ tone: 'bad', message: { text: t('tool.filesFailed', { reason }) } }));
    }
  }
  /** Adds files to a record as it is after the upload; without `field` to the field that fits the first of them. */
  const addTo = (id: string, field: TableField | undefined, files: readonly File[]): void =>
    void uploaded(files, async (resources) => {
      const [first] = resources;
      const target = field ?? (first && fieldFor(fields, first));
      const { rows } = await dispatch(recordPage.initiate({ ...of, ids: id, limit: 1 }, { subscribe: false, forceRefetch: true })).unwrap();
      const [record] = rows;
      if (!target || !record) return;
      const values = { [target.id]: withResources(target, record.values[target.id], resources) };
      const body = { changes: [{ id, values, revision: record.revision }], origin: 'console' as const };
      const { batchId } = await dispatch(changeRecords.initiate({ ...of, body })).unwrap();
      if (batchId !== null) undo.push([batchId]);
      refresh();
    });
  const addAll = (files: readonly File[]): void =>
    void uploaded(files, async (resources) => {
      const records = resources.flatMap((resource) => {
        const field = fieldFor(fields, resource);
        return field ? [{ [field.id]: [{ resource: resource.id }] }] : [];
      });
      if (records.length === 0) return;
      const { batchId, created } = await dispatch(addRecords.initiate({ ...of, body: { records } })).unwrap();
      if (batchId !== null) undo.push([batchId]);
      dispatch(noticeShown({ tone: 'good', message: { text: t('tool.filesAdded', { count: created }) } }));
      refresh();
    });

  return {
    drop(files: readonly File[], { x, y, target }: DropPlace): void {
      const mayUpdate = table.may.includes('update');
      const cell = mayUpdate && target ? (handle.current?.cellAt(target, x, y) ?? null) : null;
      const field = fields.find(({ id }) => id === cell?.column);
      if (cell && field) return addTo(cell.row.id, field, files);
      const card = mayUpdate ? target?.closest('[data-record]')?.getAttribute('data-record') : null;
      if (card != null && fields.length > 0 && files.every(isPicture)) return addTo(card, cover, files);
      if (fields.length > 0 && table.may.includes('create') && files.every(isPicture)) return addAll(files);
      const [file] = files;
      if (file) onImport(file);
    },
    paste(files: readonly File[]): void {
      const active = handle.current?.active();
      const field = fields.find(({ id }) => id === active?.column);
      if (active?.row && field) addTo(active.row.id, field, files);
    },
  };
}
