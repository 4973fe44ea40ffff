import type { TFunction } from 'i18next';
import type { TableField } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/limits';
import type { Resource } from '@contract/resources/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { AppDispatch } from '@/store';
import { tablesApi } from '../tablesApi';
import { addedField } from './addedField';
import { withNewColumn } from './columnChanges';
import { fieldFor, fileFields, nameValues, takes, typeFor, withResources } from './placedFiles';
import { loadFieldActions } from './useFieldDesign';
import type { TableWorkState } from './useTableWork';
import { visibleColumnsOf } from './viewState';

type Values = Readonly<Record<string, unknown>>;
const { addRecords, changeRecords, recordPage } = tablesApi.endpoints;

/** Puts resources into records: of an existing one, or of new ones. What is written by one drop is undone in one step. */
export function fileRecords({ site, table, undo, refresh, activeView, designs }: TableWorkState, dispatch: AppDispatch, t: TFunction<'tables'>) {
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
      if (!field) dispatch(noticeShown({ tone: 'good', message: { text: t('tool.filesAddedTo', { field: target.title }) } }));
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
        undo.add({ batches, ...(added ? { field: addedField(dispatch, of, added.id) } : {}) });
        refresh();
      }
    },
  };
}
export type FileRecords = ReturnType<typeof fileRecords>;
