import { notifyFailure } from '@/features/notices/noticesSlice';
import { designApi } from '@/features/tables/parts/designApi';
import { tablesApi } from '@/features/tables/tablesApi';
import type { OfTable } from '@/features/tables/tablesApi';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import type { AppDispatch } from '@/store';
import type { Choice, ContentTable, FieldInput, TableField } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { draftOf, inputOf } from './fieldDraft';
import { newChoice } from './newChoice';
import { notifyFieldAdded, notifyFieldRemoved } from './fieldUndo';

type OfField = { readonly siteId: string; readonly table: ContentTable; readonly field: TableField };

/** Shows a change of the table before the server has confirmed it. Returns how to take it back. */
const showAtOnce = (dispatch: AppDispatch, siteId: string, table: string, change: (table: ContentTable) => void) =>
  dispatch(
    tablesApi.util.updateQueryData('tables', { siteId }, (list) => {
      const mine = list.find(({ id }) => id === table);
      if (mine) change(mine);
    }),
  );

/** Renames a field: shown at once, and reverted where the server refuses it. */
export async function renameField(dispatch: AppDispatch, { siteId, table, field }: OfField, title: string): Promise<void> {
  const patch = showAtOnce(dispatch, siteId, table.id, ({ fields }) => {
    const mine = fields.find(({ id }) => id === field.id);
    if (mine) mine.title = title;
  });
  const call = { siteId, table: table.id, field: field.id, revision: table.revision, body: { title } };
  const { error } = await dispatch(designApi.endpoints.changeField.initiate(call));
  if (error === undefined) return;
  patch.undo();
  dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
  notifyFailure(dispatch, error);
}

/** Adds a choice to a field. Rejects with a message for users, which is empty where the server was not reached. */
export async function addChoice(dispatch: AppDispatch, { siteId, table, field }: OfField, title: string): Promise<Choice> {
  const { choices = [] } = field.options;
  const choice = newChoice(title.slice(0, tableLimits.nameLength), choices);
  const body = { options: { ...field.options, choices: [...choices, choice] } };
  const { error } = await dispatch(designApi.endpoints.changeField.initiate({ siteId, table: table.id, field: field.id, revision: table.revision, body }));
  if (error === undefined) return choice;
  dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
  throw new Error(isFailure(error) ? error.message : '');
}

/** Moves a new field before another one in the table's order. */
export async function placeField(dispatch: AppDispatch, siteId: string, table: ContentTable, field: string, before: string): Promise<void> {
  const ids = table.fields.flatMap(({ id }) => (id === field ? [] : id === before ? [field, id] : [id]));
  const patch = showAtOnce(dispatch, siteId, table.id, (mine) => {
    mine.fields = ids.flatMap((id) => table.fields.find((one) => one.id === id) ?? []);
  });
  const { error } = await dispatch(designApi.endpoints.orderFields.initiate({ siteId, table: table.id, revision: table.revision, body: { fields: ids } }));
  if (error === undefined) return;
  patch.undo();
  notifyFailure(dispatch, error);
}

/** Adds a field with the same definition and another name; values are not copied. Resolves with the new table and field, or null where it failed. */
export async function duplicateField(
  dispatch: AppDispatch,
  { siteId, table, field }: OfField,
  title: string,
): Promise<{ readonly id: string; readonly table: ContentTable } | null> {
  const body = inputOf({ ...draftOf(field, table), key: '', title: title.slice(0, tableLimits.nameLength) });
  const { data, error } = await dispatch(designApi.endpoints.addField.initiate({ siteId, table: table.id, body }));
  const added = data?.fields.find(({ id }) => !table.fields.some((one) => one.id === id));
  if (!data || !added) {
    notifyFailure(dispatch, error);
    return null;
  }
  notifyFieldAdded(dispatch, { siteId, table: table.id, field: added.id }, added.title);
  return { id: added.id, table: data };
}

/** Adds a field at the end. Resolves with it, or with the failure. */
export async function addField(dispatch: AppDispatch, { siteId, table }: OfTable, body: Pick<FieldInput, 'type' | 'title'>): Promise<TableField | ApiFailure> {
  const { data, error } = await dispatch(designApi.endpoints.addField.initiate({ siteId, table, body }));
  const last = data?.fields.at(-1);
  if (last) return last;
  if (isFailure(error)) return error;
  throw new Error('The response has no field');
}

/** Deletes a field that nothing else uses. `used`: it was not deleted, because something does. */
export async function removeUnusedField(dispatch: AppDispatch, { siteId, table, field }: OfField): Promise<'done' | 'used'> {
  const at = { siteId, table: table.id, field: field.id };
  const usage = await dispatch(designApi.endpoints.fieldUsage.initiate(at, { subscribe: false, forceRefetch: true }));
  if (!usage.data || usage.data.length > 0) return 'used';
  const { data, error } = await dispatch(designApi.endpoints.removeField.initiate(at));
  if (data) notifyFieldRemoved(dispatch, at, field.title);
  else notifyFailure(dispatch, error);
  return 'done';
}
