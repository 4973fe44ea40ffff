import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { type ApiFailure, isFailure } from '@/store/failure';
import { type ContractForm, setServerErrors, startFrom } from '@/ui/form/useContractForm';

/**
 * Saving one definition from its dialog: what was saved is no draft any more; a refusal stands at its fields, or above them when it has none or when
 * somebody else saved first (what was typed stays).
 */
export function useSaving<I extends FieldValues, O extends FieldValues, A>(
  form: ContractForm<I, O>,
  drop: () => void,
  save: (body: O) => PromiseLike<{ readonly data: A; readonly error?: undefined } | { readonly data?: undefined; readonly error: unknown }>,
  onSaved: (saved: NonNullable<A>, body: O) => void,
): { readonly submit: (body: O) => Promise<void>; readonly failure: ApiFailure | null } {
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  return {
    failure,
    submit: async (body) => {
      setFailure(null);
      const answer = await save(body);
      if (answer.error === undefined) {
        startFrom(form, form.getValues());
        drop();
        onSaved(answer.data as NonNullable<A>, body);
      } else if (isFailure(answer.error) && (answer.error.code === 'stale_revision' || !setServerErrors(form, answer.error))) setFailure(answer.error);
    },
  };
}
