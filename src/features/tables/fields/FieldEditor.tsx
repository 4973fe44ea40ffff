import type { ReactElement } from 'react';
import type { FieldType } from '@contract/tables/terms';
import { DateEditor } from './DateEditor';
import { ChoiceEditor, LinkEditor, TagsEditor } from './choiceEditors';
import type { EditorProps } from './editorProps';
import './fields.css';
import { ColorEditor, FilesEditor, GeoEditor, JsonEditor, LineEditor, LongTextEditor, RatingEditor, SwitchEditor } from './plainEditors';

type Editor = (props: EditorProps) => ReactElement;
const lines: Partial<Record<FieldType, 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url'>> = {
  text: 'text',
  email: 'email',
  url: 'url',
  phone: 'tel',
  slug: 'text',
  integer: 'numeric',
  number: 'decimal',
  currency: 'decimal',
  percent: 'decimal',
  time: 'numeric',
  duration: 'text',
};
const others: Partial<Record<FieldType, Editor>> = {
  longText: LongTextEditor,
  markdown: LongTextEditor,
  color: ColorEditor,
  rating: RatingEditor,
  switch: SwitchEditor,
  date: DateEditor,
  datetime: DateEditor,
  select: ChoiceEditor,
  multiSelect: ChoiceEditor,
  tags: TagsEditor,
  geo: GeoEditor,
  user: LinkEditor,
  relation: LinkEditor,
  relations: LinkEditor,
  inverse: LinkEditor,
  json: JsonEditor,
  file: FilesEditor,
  image: FilesEditor,
  svg: FilesEditor,
  video: FilesEditor,
};

/** Whether `FieldEditor` has an editor for this type; rich text, repeaters and passwords have theirs in the record, computed fields have none. */
export const hasEditor = (type: FieldType): boolean => lines[type] !== undefined || others[type] !== undefined;

/**
 * The editor of a field, for a form or (with `onDone`) for the panel at a cell. It keeps what is typed as a draft of its own; `onChange` hears every value that
 * is one, and the reason where it is none. To begin anew with another value, give it another key.
 */
export const FieldEditor = (props: EditorProps): ReactElement | null => {
  const { type } = props.field;
  const mode = lines[type];
  if (mode !== undefined) return <LineEditor {...props} inputMode={mode} />;
  const Found = others[type];
  return Found ? <Found {...props} /> : null;
};
