import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import type { FieldType } from '@contract/tables/terms';
import { useMedia } from '@/lib/useMedia';
import { Bone } from '@/ui/skeletons';
import { consoleFieldTypeOf } from '.';
import { MarkdownEditor } from '../record/MarkdownEditor';
import { FoldedEditor, PasswordEditor, RepeaterEditor } from '../record/moreEditors';
import { BarcodeRecordEditor } from './barcode/BarcodeEditor';
import type { EditorProps } from './editorProps';
import { FieldEditor } from './FieldEditor';
import { hasPicker, PickerEditor } from './PickerEditor';

const RichTextEditor = lazy(() => import(/* webpackChunkName: "rich-text" */ '../record/RichTextEditor').then((part) => ({ default: part.RichTextEditor })));

/** The main pointer is a finger. */
const touch = '(pointer: coarse)';

/** `storedValue`: the value without unsaved changes. */
export type RecordEditorProps = EditorProps & { readonly storedValue: unknown };

/** Editors that need the space of a record. Loaded with the record. */
const editors: Partial<Record<FieldType, (props: RecordEditorProps) => ReactElement>> = {
  richText: (props) => (
    <Suspense fallback={<Bone h={156} />}>
      <RichTextEditor {...props} />
    </Suspense>
  ),
  markdown: (props) => <MarkdownEditor {...props} />,
  password: (props) => <PasswordEditor {...props} isStored={props.storedValue === true} />,
  barcode: BarcodeRecordEditor,
  repeater: (props) => <RepeaterEditor {...props} />,
};

export const RecordValueEditor = ({ storedValue, ...props }: RecordEditorProps): ReactElement => {
  const { type } = props.field;
  const isTouch = useMedia(touch);
  const Own = editors[type];
  if (Own) return <Own {...props} storedValue={storedValue} />;
  if (isTouch && hasPicker(type)) return <PickerEditor {...props} />;
  return consoleFieldTypeOf(type).folded === true ? <FoldedEditor {...props} /> : <FieldEditor {...props} />;
};
