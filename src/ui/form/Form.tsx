import { Box } from '@mui/material';
import { useRef } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { FieldValues, SubmitHandler } from 'react-hook-form';
import type { ContractForm } from './useContractForm';

type FormProps<I extends FieldValues, O extends FieldValues> = {
  readonly form: ContractForm<I, O>;
  readonly onSubmit: SubmitHandler<O>;
  /** What submitting does instead, on a step that is not the last. */
  readonly instead?: (() => Promise<void>) | undefined;
  readonly children: ReactNode;
  readonly id?: string;
  /** What the form is for, where no heading says it. */
  readonly label?: string;
};

/**
 * A form element: Enter in a line of text and Ctrl/⌘-Enter anywhere submit; the browser's own bubbles stay away.
 * While one submit is under way (the promise of `onSubmit` or `instead`), further ones are ignored: a double click makes one thing.
 */
export function Form<I extends FieldValues, O extends FieldValues>({ form, onSubmit, instead, children, id, label }: FormProps<I, O>): ReactElement {
  // Not state: the second click may come before the next render.
  const pending = useRef(false);
  const submit = async () => {
    pending.current = true;
    try {
      await (instead ? instead() : form.handleSubmit(onSubmit)());
    } finally {
      pending.current = false;
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <Box
      component="form"
      noValidate
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        // A form in a dialog is a child of the page's form in React's tree: its submit is not the page's.
        event.stopPropagation();
        event.preventDefault();
        if (!pending.current) void submit();
      }}
    >
      {children}
    </Box>
  );
}
