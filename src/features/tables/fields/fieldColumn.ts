import { createElement } from 'react';
import type { FieldType } from '@contract/tables/terms';
import type { CellEditorProps, CellViewProps, EditKind, GridColumn } from '../grid/types';
import { CellEditor } from './CellEditor';
import { CellView } from './CellView';
import { shownAs } from './env';
import type { FieldEnv, ShownField } from './env';

const edits: Partial<Record<FieldType, EditKind>> = {
  switch: 'toggle',
  markdown: 'record',
  richText: 'record',
  repeater: 'record',
  inverse: 'record',
  password: 'record',
  lookup: 'none',
  rollup: 'none',
  formula: 'none',
  button: 'none',
  autonumber: 'none',
};
const panels: readonly FieldType[] = [
  'longText',
  'date',
  'datetime',
  'select',
  'multiSelect',
  'tags',
  'relation',
  'relations',
  'user',
  'rating',
  'color',
  'geo',
  'json',
  'file',
  'image',
  'svg',
  'video',
];
const inputModes: Partial<Record<FieldType, NonNullable<GridColumn['inputMode']>>> = {
  integer: 'numeric',
  number: 'decimal',
  currency: 'decimal',
  percent: 'decimal',
  email: 'email',
  url: 'url',
  phone: 'tel',
};
/** How a field is edited in a cell. */
export const editOf = (field: ShownField): EditKind => (field.readonly ? 'none' : (edits[field.type] ?? (panels.includes(field.type) ? 'panel' : 'text')));

/** One pair of components per definition: a new one would draw all cells of the column anew. */
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

/** A field as a column of the grid; widths, sorting, the foot and what else the view knows are the caller's. Stands within a `FieldEnvProvider`. */
export function fieldColumn(field: ShownField, env: Pick<FieldEnv, 'print' | 'read'>): GridColumn {
  const shown = shownAs(field);
  const mode = inputModes[field.type];
  const series = shown === 'number' || shown === 'date' || shown === 'datetime' ? shown : undefined;
  // Values of links and choices mean something only where they lead to the same place.
  const home = field.type === 'select' || field.type === 'multiSelect' ? field.id : (field.options.to ?? '');
  return {
    id: field.id,
    title: field.title,
    width: 180,
    edit: editOf(field),
    kind: `${field.type}:${home}`,
    ...(shown === 'number' && field.type !== 'rating' ? { align: 'right' as const } : {}),
    ...(mode ? { inputMode: mode } : {}),
    ...(series && field.type !== 'rating' ? { series } : {}),
    ...partsOf(field),
    toText: (value) => env.print(field, value),
    parse: (text) => env.read(field, text),
  };
}
