import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { type ApiFailure, isFailure } from '@/lib/failure';
import { type ContractForm, setServerErrors, resetForm } from '@/ui/form/useContractForm';

/**
 * Saves one definition from its dialog. A saved definition no longer has a draft; errors are shown at their fields, or above them if they have none
 * or somebody else saved first (the input is preserved).
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
      const result = await save(body);
      if (result.error === undefined) {
        resetForm(form, form.getValues());
        drop();
        onSaved(result.data as NonNullable<A>, body);
      } else if (isFailure(result.error) && (result.error.code === 'stale_revision' || !setServerErrors(form, result.error))) setFailure(result.error);
    },
  };
}
