import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import { z } from 'zod';
import { secondFactorPolicies } from '@contract/account/factors';
import type { Policy } from '@contract/account/factors';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { changes, conflicts } from '@/ui/form/conflicts';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useChangePolicyMutation } from './peopleApi';

const PolicyInput = z.object({ secondFactor: z.enum(secondFactorPolicies), graceDays: z.string(), selfRename: z.boolean() });
export type PolicyInput = z.input<typeof PolicyInput>;
const inputOf = ({ secondFactor, graceDays, selfRename }: Policy): PolicyInput => ({ secondFactor, graceDays: String(graceDays), selfRename });

/** The form of the policy. If somebody else changed it, only fields that both changed are left to the person (`stale`). */
export function usePolicyForm(policy: Policy) {
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangePolicyMutation();
  const [base, setBase] = useState(policy);
  const [theirs, setTheirs] = useState<Policy | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(PolicyInput, { defaultValues: inputOf(base), values: inputOf(base) });
  const { isDirty } = useFormState({ control: form.control });
  if (base.revision < policy.revision && !isDirty) setBase(policy);
  useFormDraft(form, 'people.policy');

  const restartFrom = (next: Policy) => {
    setTheirs(null);
    setBase(next);
    resetForm(form, inputOf(next));
  };
  const saveOnto = async (onto: Policy, input: PolicyInput): Promise<void> => {
    setFailure(null);
    const mine = { ...inputOf(onto), ...changes(inputOf(base), input) };
    const { data, error } = await save({ revision: onto.revision, body: { ...mine, graceDays: Number(mine.graceDays) } });
    if (data) {
      restartFrom(data);
      dispatch(noticeShown({ tone: 'good', message: { key: 'people:policy.saved' } }));
      return;
    }
    if (!isFailure(error)) return;
    const current = error.current as Policy | undefined;
    if (isStale(error) && current) {
      if (conflicts(inputOf(base), input, inputOf(current)).length > 0) return setTheirs(current);
      if (current.revision !== onto.revision) return saveOnto(current, input);
    }
    if (!setServerErrors(form, error)) setFailure(error);
  };
  const mine = form.getValues();
  const stale = theirs && {
    mine,
    theirs: inputOf(theirs),
    fields: conflicts(inputOf(base), mine, inputOf(theirs)),
    keepMine: () => void form.handleSubmit((input) => saveOnto(theirs, input))(),
    takeTheirs: () => {
      restartFrom(theirs);
      form.setFocus('secondFactor');
    },
  };
  return {
    form,
    isDirty,
    saving: isLoading,
    failure,
    stale,
    submit: (input: PolicyInput) => saveOnto(theirs ?? base, input),
    discard: () => restartFrom(policy),
  };
}
