import { useEffect, useRef } from 'react';
import { useFormState } from 'react-hook-form';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { useDraft } from './useDraft';

/**
 * Stores a form's input as a draft while it differs from the saved values, and restores a draft when the form mounts. The draft is removed once the
 * form is clean again (saved or discarded). `drop` removes it before a dirty form is unmounted. Not for forms with a password.
 */
export function useFormDraft<I extends FieldValues, O>(form: UseFormReturn<I, unknown, O>, key: string): { readonly drop: () => void } {
  const { restored, keep, drop } = useDraft<I>(key);
  const { setValue, getValues, subscribe, control } = form;
  const { isDirty } = useFormState({ control });

  useEffect(() => {
    for (const [name, value] of Object.entries(restored ?? {})) setValue(name as Path<I>, value as PathValue<I, Path<I>>, { shouldDirty: true });
    // Only once: afterwards the form is the truth.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const wasDirty = useRef(false);
  useEffect(() => {
    if (isDirty) keep(getValues());
    else if (wasDirty.current) drop();
    wasDirty.current = isDirty;
  }, [isDirty, getValues, keep, drop]);
  useEffect(() => subscribe({ formState: { values: true }, callback: ({ values }) => wasDirty.current && keep(values) }), [subscribe, keep]);
  return { drop };
}
