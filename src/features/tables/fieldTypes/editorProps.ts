import { useEffect, useEffectEvent } from 'react';
import type { CellEditorProps } from '../grid/types';
import type { ShownField } from './env';

/** An editor of one value, in a cell's panel or in a form. */
export type EditorProps = {
  readonly field: ShownField;
  readonly value: unknown;
  /** Called on every change; `error` is the message why the value is invalid. */
  readonly onChange: (value: unknown, error?: string) => void;
  /** In a cell: commits and closes. Absent in a form. */
  readonly onDone?: CellEditorProps['onDone'];
  /** The text whose typing opened the editor. */
  readonly typed?: string | null;
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
};
/** Attributes of the element that is focused first. */
export const ariaOf = (props: EditorProps) => ({
  'aria-label': props.field.title,
  ...(props.id === undefined ? {} : { id: props.id }),
  ...(props['aria-describedby'] === undefined ? {} : { 'aria-describedby': props['aria-describedby'] }),
  ...(props['aria-invalid'] === undefined ? {} : { 'aria-invalid': props['aria-invalid'] }),
  ...(props.onDone ? { 'data-autofocus': true } : {}),
});

/** Treats the text that opened the editor as the first draft, like anything typed afterwards. */
export function useTypedDraft(typed: string | null | undefined, put: (typed: string) => void): void {
  const begin = useEffectEvent(() => {
    if (typed !== null && typed !== undefined && typed !== '') put(typed);
  });
  useEffect(() => begin(), []);
}
