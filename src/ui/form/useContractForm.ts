import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { encodeFault, faultOf } from './fault';
import type { FieldFault } from './fault';

/** A form whose values are `I` while typed and `O` once the contract has read them. */
export type ContractForm<I extends FieldValues, O = I> = UseFormReturn<I, unknown, O>;

type Options<I extends FieldValues> = {
  readonly defaultValues: DefaultValues<I>;
  /** Follows outside changes (another tab, a refresh) in fields that were not touched. */
  readonly values?: I;
};

/**
 * A form checked by a schema of the contract: on submit first, on every change of a faulty field afterwards.
 * Errors are kept as faults (`encodeFault`), so that the parts of `ui/form` find words for them in either language.
 */
export function useContractForm<I extends FieldValues, O>(schema: z.ZodType<O, I>, { defaultValues, values }: Options<I>): ContractForm<I, O> {
  return useForm<I, unknown, O>({
    defaultValues,
    ...(values !== undefined && { values, resetOptions: { keepDirtyValues: true } }),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: true,
    resolver: zodResolver<I, unknown, O>(schema, { error: (issue) => encodeFault(faultOf(issue)) }),
  });
}

/** The form holds `values`, and counts as unchanged. (A plain `reset` would keep what was touched, as following `values` asks for.) */
export const startFrom = <I extends FieldValues, O>(form: ContractForm<I, O>, values: I): void =>
  form.reset(values, { keepDirtyValues: false, keepFieldsRef: true });

/**
 * Puts the server's refusals at their fields and the focus on the first. `at` names fields that stand elsewhere in the
 * form than in the body. Answers whether a field took the blame; otherwise the caller has to say what happened.
 */
export function setServerErrors<I extends FieldValues, O>(
  form: ContractForm<I, O>,
  failure: { readonly fields?: Readonly<Record<string, FieldFault>> | undefined },
  at: Readonly<Record<string, FieldPath<I>>> = {},
): boolean {
  const known = form.getValues();
  let pointed = false;
  for (const [path, fault] of Object.entries(failure.fields ?? {})) {
    const head = path.split('.')[0] ?? path;
    const name = at[path] ?? (head in known ? (head as FieldPath<I>) : undefined);
    if (name === undefined) continue;
    form.setError(name, { type: 'server', message: encodeFault(fault) }, { shouldFocus: !pointed });
    pointed = true;
  }
  return pointed;
}
