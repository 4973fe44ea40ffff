import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { encodeFieldError, fieldErrorOf } from './fieldError';
import type { FieldError } from './fieldError';

/** A form whose values are `I` while typed and `O` once the contract has parsed them. */
export type ContractForm<I extends FieldValues, O = I> = UseFormReturn<I, unknown, O>;

type Options<I extends FieldValues> = {
  readonly defaultValues: DefaultValues<I>;
  /** Follows outside changes (another tab, a refresh) in untouched fields. */
  readonly values?: I;
};

/**
 * A form validated by a schema of the contract: first on submit, then on every change of an invalid field. Errors are stored encoded (`encodeFieldError`),
 * so that the parts of `ui/form` can show them in either language.
 */
export function useContractForm<I extends FieldValues, O>(schema: z.ZodType<O, I>, { defaultValues, values }: Options<I>): ContractForm<I, O> {
  return useForm<I, unknown, O>({
    defaultValues,
    ...(values !== undefined && { values, resetOptions: { keepDirtyValues: true } }),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: true,
    resolver: zodResolver<I, unknown, O>(schema, { error: (issue) => encodeFieldError(fieldErrorOf(issue)) }),
  });
}

/** Sets the form to `values`, unchanged. (A plain `reset` would keep touched fields, as following `values` requires.) */
export const resetForm = <I extends FieldValues, O>(form: ContractForm<I, O>, values: I): void =>
  form.reset(values, { keepDirtyValues: false, keepFieldsRef: true });

/**
 * Shows the server's field errors at their fields and focuses the first. `at` maps fields whose path in the form differs from the one in the body.
 * Returns whether any field was found; otherwise the caller has to show the failure.
 */
export function setServerErrors<I extends FieldValues, O>(
  form: ContractForm<I, O>,
  failure: { readonly fields?: Readonly<Record<string, FieldError>> | undefined },
  at: Readonly<Record<string, FieldPath<I>>> = {},
): boolean {
  const known = form.getValues();
  let pointed = false;
  for (const [path, error] of Object.entries(failure.fields ?? {})) {
    const head = path.split('.')[0] ?? path;
    const name = at[path] ?? (head in known ? (head as FieldPath<I>) : undefined);
    if (name === undefined) continue;
    form.setError(name, { type: 'server', message: encodeFieldError(error) }, { shouldFocus: !pointed });
    pointed = true;
  }
  return pointed;
}
