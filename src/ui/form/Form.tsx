import { Box } from '@mui/material';
import { useRef } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { FieldValues, SubmitHandler } from 'react-hook-form';
import type { ContractForm } from './useContractForm';

type FormProps<I extends FieldValues, O extends FieldValues> = {
  readonly form: ContractForm<I, O>;
  readonly onSubmit: SubmitHandler<O>;
  /** Called instead of submitting on a step that is not the last. */
  readonly instead?: (() => Promise<void>) | undefined;
  readonly children: ReactNode;
  readonly id?: string;
  /** Accessible name of the form if no heading describes it. */
  readonly label?: string;
};

/**
 * A form element: Enter in a single-line field and Ctrl/⌘-Enter anywhere submit; native validation bubbles are off. While a submit is in progress
 * (the promise of `onSubmit` or `instead`), further ones are ignored, so that a double click submits once.
 */
export function Form<I extends FieldValues, O extends FieldValues>({ form, onSubmit, instead, children, id, label }: FormProps<I, O>): ReactElement {
  // A ref, not state: the second click may come before the next render.
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
        // A form in a dialog is a child of the page's form in React's tree; its submit must not reach the page's form.
        event.stopPropagation();
        event.preventDefault();
        if (!pending.current) void submit();
      }}
    >
      {children}
    </Box>
  );
}
