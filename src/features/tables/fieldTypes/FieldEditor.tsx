import type { ReactElement } from 'react';
import type { FieldType } from '@contract/tables/terms';
import { consoleFieldTypeOf } from '.';
import type { EditorProps } from './editorProps';
import './fields.css';

/** Whether `FieldEditor` has an editor for this type. Rich text, repeaters and passwords are edited in the record; computed fields cannot be edited. */
export const hasEditor = (type: FieldType): boolean => consoleFieldTypeOf(type).Editor !== undefined;

/**
 * The editor of a field, for a form or (with `onDone`) for the panel at a cell. It keeps its own draft of what is typed; `onChange` receives every valid value,
 * or the reason why the draft is invalid. To reset it to another value, change its `key`.
 */
export const FieldEditor = (props: EditorProps): ReactElement | null => {
  const Found = consoleFieldTypeOf(props.field.type).Editor;
  return Found ? <Found {...props} /> : null;
};
