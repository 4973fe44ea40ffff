import { createElement } from 'react';
import { hasChoices } from '@contract/tables/fieldTypes';
import type { CellEditorProps, CellViewProps, EditKind, GridColumn } from '../grid/types';
import { consoleFieldTypeOf } from '.';
import { CellEditor } from './CellEditor';
import { CellView } from './CellView';
import { displayKind } from './env';
import type { FieldEnv, ShownField } from './env';

/** How a field is edited in a cell. */
export const editOf = (field: ShownField): EditKind => (field.readonly ? 'none' : (consoleFieldTypeOf(field.type).edit ?? 'text'));

/** One pair of components per definition: a new pair would remount all cells of the column. */
const parts = new WeakMap<ShownField, Pick<GridColumn, 'View' | 'Editor'>>();
function partsOf(field: ShownField): Pick<GridColumn, 'View' | 'Editor'> {
  let found = parts.get(field);
  if (!found) {
    found = {
      View: ({ value, height }: CellViewProps) => createElement(CellView, { field, value, height }),
      Editor: (props: CellEditorProps) => createElement(CellEditor, { field, ...props }),
    };
    parts.set(field, found);
  }
  return found;
}

/** A field as a column of the grid; the caller adds widths, sorting, footers and what else the view defines. Must render within a `FieldEnvProvider`. */
export function fieldColumn(field: ShownField, env: Pick<FieldEnv, 'print' | 'read'>): GridColumn {
  const displayedKind = displayKind(field);
  const { inputMode, noQuantity = false } = consoleFieldTypeOf(field.type);
  const series = displayedKind === 'number' || displayedKind === 'date' || displayedKind === 'datetime' ? displayedKind : undefined;
  // Values of links and choices are only interchangeable where they refer to the same table or field.
  const home = hasChoices(field.type) ? field.id : (field.options.to ?? '');
  return {
    id: field.id,
    title: field.title,
    width: 180,
    edit: editOf(field),
    kind: `${field.type}:${home}`,
    ...(displayedKind === 'number' && !noQuantity ? { align: 'right' as const } : {}),
    ...(inputMode ? { inputMode } : {}),
    ...(series && !noQuantity ? { series } : {}),
    ...partsOf(field),
    toText: (value) => env.print(field, value),
    parse: (text) => env.read(field, text),
  };
}
