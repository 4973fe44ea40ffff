import { useEffect, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { CountryRuleState } from '@contract/countryBlock/schemas';
import { warningsToAccept } from '@contract/countryBlock/terms';
import type { RuleWarning } from '@contract/countryBlock/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { resetForm, setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useChangeCountryRuleMutation } from './countryBlockApi';
import { inputOf, RuleInput, ruleOf } from './ruleInput';
import type { ParsedRule } from './ruleInput';

/** Saves again once somebody has accepted what the rule would do to themselves. */
export function useAccepted() {
  const { t } = useTranslation('countryBlock');
  const confirm = useConfirm();
  return async <R extends { readonly error?: unknown }>(send: (accepted: RuleWarning[]) => Promise<R>): Promise<R | null> => {
    const result = await send([]);
    if (!isFailure(result.error) || result.error.code !== 'confirm_mismatch') return result;
    const question = { title: t('accept.title'), body: t('warning.would_block_you'), confirm: t('accept.confirm'), danger: true };
    return (await confirm(question)) ? send([...warningsToAccept]) : null;
  };
}

/** The form with the stored rule, and the outcome of saving: `theirs` is a rule that somebody else saved meanwhile. `opened`: a network to leave open. */
export function useRuleForm(siteId: string, defaultLang: string, state: CountryRuleState, opened: string) {
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangeCountryRuleMutation();
  const saveAccepted = useAccepted();
  const [base, setBase] = useState(state);
  const [theirs, setTheirs] = useState<CountryRuleState | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(RuleInput, { defaultValues: inputOf(base.rule, defaultLang) });
  const { isDirty } = useFormState({ control: form.control });
  useEffect(() => {
    const networks = form.getValues('rule.openNetworks') ?? [];
    if (opened === '' || networks.some(({ network }) => network === opened)) return;
    form.setValue('rule.openNetworks', [...networks, { network: opened, note: '', expiresAt: null }], { shouldDirty: true });
  }, [form, opened]);
  const startFrom = (from: CountryRuleState): void => {
    setTheirs(null);
    setFailure(null);
    setBase(from);
    resetForm(form, inputOf(from.rule, defaultLang));
  };
  if (base.version < state.version && !isDirty) startFrom(state);

  const saveOnto = async (onto: CountryRuleState, input: ParsedRule): Promise<void> => {
    setFailure(null);
    const body = { rule: ruleOf(input), note: input.note };
    const result = await saveAccepted((accepted) => save({ siteId, revision: onto.version, body: { ...body, accepted } }));
    if (result === null) return;
    if (result.data) {
      startFrom(result.data);
      dispatch(noticeShown({ tone: 'good', message: { key: 'countryBlock:saved' } }));
    } else if (isFailure(result.error)) {
      const { error } = result;
      const current = error.current as CountryRuleState | undefined;
      if (isStale(error) && current) setTheirs(current);
      else if (!setServerErrors(form, error, Object.fromEntries(Object.keys(error.fields ?? {}).map((path) => [path, path as 'rule'])))) setFailure(error);
    }
  };
  return { form, base, theirs, failure, isDirty, isSaving: isLoading, saveOnto, startFrom };
}
