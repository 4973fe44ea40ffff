import { useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ApiFailure } from '@/lib/failure';
import { setServerErrors } from './useContractForm';
import type { ContractForm } from './useContractForm';

/** What an RTK Query mutation resolves to. */
export type SubmitResult<R> = { readonly data?: R | undefined; readonly error?: unknown };

type Options<I extends FieldValues, O extends FieldValues, R> = {
  readonly send: (input: O) => Promise<SubmitResult<R>>;
  readonly onSuccess: (data: R) => void;
  /** Fields whose path in the form differs from the one in the request's body. */
  readonly fieldsAt?: Readonly<Record<string, FieldPath<I>>>;
};

const isServerFailure = (error: unknown): error is ApiFailure => typeof error === 'object' && error !== null && 'kind' in error && 'status' in error;
const unknownFailure: ApiFailure = { kind: 'http', method: '', url: '', status: 0, message: '' };

/** Submits a form's values. Field errors from the server are shown at their fields; a failure that names none of them is `failure`. */
export function useSubmit<I extends FieldValues, O extends FieldValues, R>(
  form: ContractForm<I, O>,
  { send, onSuccess, fieldsAt = {} }: Options<I, O, R>,
): { readonly submit: (input: O) => Promise<void>; readonly busy: boolean; readonly failure: ApiFailure | null } {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const submit = async (input: O) => {
    setFailure(null);
    setBusy(true);
    const { data, error } = await send(input);
    setBusy(false);
    if (error === undefined) return onSuccess(data as R);
    const failed = isServerFailure(error) ? error : unknownFailure;
    if (!setServerErrors(form, failed, fieldsAt)) setFailure(failed);
  };
  return { submit, busy, failure };
}
