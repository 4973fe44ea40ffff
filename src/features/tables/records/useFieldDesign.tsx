import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { canConvertFrom } from '@contract/tables/fieldTypes';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { withMessages } from '@/i18n';
import { useAppDispatch } from '@/store/hooks';
import { withMui } from '@/theme/mui';
import type { GridProps } from '../grid/types';
import { withNewColumn } from './columnChanges';
import type { BesideColumn } from './columnChanges';
import type { ActiveView } from './useActiveView';
import { isSystem, visibleColumnsOf } from './viewState';

/** The designer's parts arrive with their messages when they are first used. */
export const loadFieldActions = () =>
  withMessages(import(/* webpackChunkName: "field-design" */ '@/features/tables/schema/fields/fieldActions'), ['tableDesign', 'form']);
const loadCreator = async () => {
  const part = import(/* webpackChunkName: "field-design" */ '@/features/tables/schema/fields/FieldCreator');
  return { default: (await withMessages(part, ['tableDesign', 'form'])).FieldCreator };
};
const FieldCreator = lazy(() => withMui(loadCreator()));
const loadRemoval = async () => {
  const part = import(/* webpackChunkName: "field-design" */ '@/features/tables/schema/fields/RemoveField');
  return { default: (await withMessages(part, ['tableDesign', 'form'])).RemoveFieldDialog };
};
const RemoveFieldDialog = lazy(() => withMui(loadRemoval()));
const loadConversion = async () => {
  const part = import(/* webpackChunkName: "field-conversion" */ '@/features/tables/schema/conversion/FieldConversion');
  return { default: (await withMessages(part, ['tableConvert', 'tableDesign', 'form'])).FieldConversion };
};
const FieldConversion = lazy(() => withMui(loadConversion()));

type Options = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly mayDesign: boolean;
};
type OpenDialog =
  | { readonly kind: 'add'; readonly anchor: HTMLElement; readonly beside: BesideColumn | null }
  | { readonly kind: 'convert' | 'remove'; readonly field: TableField };
type DesignGestures = Pick<GridProps, 'onAddField' | 'onInsertField' | 'onRenameField' | 'columnMenu' | 'columnMenuEnd'>;

/** The changes of fields that the grid offers. */
function useFieldChanges({ site, table, activeView, mayDesign }: Options, open: (dialog: OpenDialog) => void) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const { query, change } = activeView;
  const fieldOf = (id: string): TableField | undefined => table.fields.find((field) => field.id === id);

  /** Shows a new field where it was inserted: in the order of the table, or of the view if it has its own. */
  const place = async (id: string, saved: ContentTable, beside: BesideColumn | null): Promise<void> => {
    const columns = withNewColumn(visibleColumnsOf(table, query), id, beside);
    if (query.columns !== null) return change({ columns }, 'replace');
    const next = columns.slice(columns.findIndex(({ field }) => field === id) + 1).find(({ field }) => !isSystem(field) && field !== table.primaryField);
    if (next) await (await loadFieldActions()).placeField(dispatch, site.id, saved, id, next.field);
  };
  const duplicate = async (field: TableField): Promise<void> => {
    const added = await (await loadFieldActions()).duplicateField(dispatch, { siteId: site.id, table, field }, t('views.copyName', { name: field.title }));
    if (added) await place(added.id, added.table, { field: field.id, side: 'right' });
  };
  const remove = async (field: TableField): Promise<void> => {
    const result = await (await loadFieldActions()).removeUnusedField(dispatch, { siteId: site.id, table, field });
    if (result === 'used') open({ kind: 'remove', field });
  };
  const gestures: DesignGestures = {
    onAddField: (anchor) => open({ kind: 'add', anchor, beside: null }),
    onInsertField: (beside, side, anchor) => open({ kind: 'add', anchor, beside: { field: beside, side } }),
    onRenameField: (id, title) => {
      const field = fieldOf(id);
      if (field) void loadFieldActions().then(({ renameField }) => renameField(dispatch, { siteId: site.id, table, field }, title));
    },
    columnMenu: ({ id }) => {
      const field = fieldOf(id);
      if (!field) return [];
      return [
        ...(canConvertFrom(field.type) ? [{ id: 'convert', name: t('design.convert'), onChoose: () => open({ kind: 'convert', field }) }] : []),
        ...(field.type === 'inverse' ? [] : [{ id: 'duplicateField', name: t('design.duplicate'), onChoose: () => void duplicate(field) }]),
      ];
    },
    columnMenuEnd: ({ id }) => {
      const field = fieldOf(id);
      if (!field || id === table.primaryField) return [];
      return [{ id: 'removeField', name: t('design.remove'), danger: true, onChoose: () => void remove(field) }];
    },
  };
  return { gestures: mayDesign ? gestures : {}, place };
}

/** What people who may design tables can do with fields in the grid: nothing for others. `dialogs` belongs beside the grid. */
export function useFieldDesign(options: Options): { readonly gestures: DesignGestures; readonly dialogs: ReactElement | null } {
  const { site, tables, table, mayDesign } = options;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { gestures, place } = useFieldChanges(options, setDialog);
  if (dialog === null || !mayDesign) return { gestures, dialogs: null };
  const of = { site, tables, table, onClose: () => setDialog(null) };
  return {
    gestures,
    dialogs: (
      <Suspense fallback={null}>
        {dialog.kind === 'add' && (
          <FieldCreator
            {...of}
            anchor={dialog.anchor}
            onAdded={(id, saved) => {
              setDialog(null);
              void place(id, saved, dialog.beside);
            }}
          />
        )}
        {dialog.kind === 'convert' && <FieldConversion {...of} field={dialog.field} />}
        {dialog.kind === 'remove' && <RemoveFieldDialog {...of} field={dialog.field} onRemoved={of.onClose} />}
      </Suspense>
    ),
  };
}
