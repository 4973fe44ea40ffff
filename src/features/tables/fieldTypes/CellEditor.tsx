import { useState } from 'react';
import type { CellEditorProps } from '../grid/types';
import { FieldEditor } from './FieldEditor';
import type { ShownField } from './env';

/** The editor of a field in the panel at its cell. */
export const CellEditor = ({ field, value, typed, onDraft, onDone }: CellEditorProps & { readonly field: ShownField }) => {
  const [now, setNow] = useState(value);
  return (
    <FieldEditor
      field={field}
      value={now}
      typed={typed}
      onChange={(next, error) => {
        if (error === undefined || Array.isArray(next)) setNow(next);
        onDraft(next, error);
      }}
      onDone={onDone}
    />
  );
};
