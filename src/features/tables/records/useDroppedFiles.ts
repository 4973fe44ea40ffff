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
  const { site, table, pages, writes, undo, handle, refresh, onImport, activeView } = work;
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const fields = fileFields(table);
  const cover = fields.find(({ id }) => id === activeView.query.cover) ?? fields[0];

  async function uploaded(files: readonly File[], onUploaded: (resources: readonly Resource[]) => Promise<void>): Promise<void> {
    dispatch(noticeShown({ tone: 'info', message: { text: t('tool.filesUploading', { count: files.length }) } }));
    try {
      await onUploaded(await uploadFiles(dispatch, site.id, files));
    } catch (error) {
      const reason = isFailure(error) || error instanceof Error ? error.message : '';
      dispatch(noticeShown({ tone: 'bad', message: { text: t('tool.filesFailed', { reason }) } }));
    }
  }
  const addTo = (rowId: string, field: TableField, files: readonly File[]): void =>
    void uploaded(files, async (resources) => {
      const value = withResources(field, pages.find(rowId)?.record.values[field.id], resources);
      await writes.write([{ rowId, column: field.id, value }]);
    });
  const addRecords = (files: readonly File[]): void =>
    void uploaded(files, async (resources) => {
      const records = resources.flatMap((resource) => {
        const field = fieldFor(fields, resource);
        return field ? [{ [field.id]: [{ resource: resource.id }] }] : [];
      });
      if (records.length === 0) return;
      const data = await dispatch(tablesApi.endpoints.addRecords.initiate({ siteId: site.id, table: table.id, body: { records } })).unwrap();
      if (data.batchId !== null) undo.push([data.batchId]);
      dispatch(noticeShown({ tone: 'good', message: { text: t('tool.filesAdded', { count: data.created }) } }));
      refresh();
    });

  return {
    drop(files: readonly File[], { x, y, target }: DropPlace): void {
      const mayUpdate = table.may.includes('update');
      const cell = mayUpdate && target ? (handle.current?.cellAt(target, x, y) ?? null) : null;
      const field = fields.find(({ id }) => id === cell?.column);
      if (cell && field) return addTo(cell.row.id, field, files);
      const card = mayUpdate ? target?.closest('[data-record]')?.getAttribute('data-record') : null;
      if (card != null && cover && files.every(isPicture)) return addTo(card, cover, files);
      if (fields.length > 0 && table.may.includes('create') && files.every(isPicture)) return addRecords(files);
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
