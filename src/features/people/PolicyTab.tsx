import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { secondFactorPolicies } from '@contract/account/factors';
import type { Policy } from '@contract/account/factors';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay } from '@/features/session/sessionSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { conflicts } from '@/ui/form/conflicts';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { RowsSkeleton } from '@/ui/skeletons';
import { useChangePolicyMutation, usePolicyQuery, useEverybodyQuery } from './peopleApi';

/** Days offered; another stored value is offered too. */
const graces = [0, 3, 7, 14, 30, 60, 90];
const Input = z.object({ secondFactor: z.enum(secondFactorPolicies), graceDays: z.string(), selfRename: z.boolean() });
type Input = z.input<typeof Input>;
const inputOf = ({ secondFactor, graceDays, selfRename }: Policy): Input => ({ secondFactor, graceDays: String(graceDays), selfRename });
const mostNames = 8;

/** How many of the people subject to the rule would have to act. */
function Unprotected({ rule }: { readonly rule: Policy['secondFactor'] }): ReactElement | null {
  const { t } = useTranslation('people');
  const { data } = useEverybodyQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const concerned = data.filter((person) => person.state === 'active' && !person.secondFactor && (rule !== 'managers' || person.role !== 'member'));
  const word = rule === 'managers' ? 'managers' : 'all';
  return (
    <Typography variant="body2" component="div" role="status" sx={{ color: concerned.length > 0 && rule !== 'off' ? 'warning.main' : 'text.secondary' }}>
      {concerned.length === 0 ? t(`policy.everybodyHas.${word}`) : t(`policy.without.${word}`, { count: concerned.length })}
      {concerned.length > 0 && (
        <Box sx={{ mt: 0.5, color: 'text.secondary', fontSize: 13 }}>
          {concerned.slice(0, mostNames).map((person, at) => (
            <span key={person.id}>
              {at > 0 && t('comma')}
              <Link className="text-link" to={`?person=${person.id}`} preventScrollReset>
                {person.displayName}
              </Link>
            </span>
          ))}
          {concerned.length > mostNames && t('policy.more', { count: concerned.length - mostNames })}
        </Box>
      )}
    </Typography>
  );
}

function ReadOnly({ policy }: { readonly policy: Policy }): ReactElement {
  const { t } = useTranslation('people');
  return (
    <>
      <Typography variant="body2" role="note" sx={{ mb: 1, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
        {t('policy.readOnly')}
      </Typography>
      <FormSection title={t('policy.factor')} lead={t('policy.factorLead')}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {t(`policy.rule.${policy.secondFactor}`)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`policy.ruleDetail.${policy.secondFactor}`)}
          {policy.secondFactor !== 'off' && t('policy.graceIs', { count: policy.graceDays })}
        </Typography>
        <Unprotected rule={policy.secondFactor} />
      </FormSection>
      <FormSection title={t('policy.rename')}>
        <Typography variant="body2">{t(policy.selfRename ? 'policy.renameOn' : 'policy.renameOff')}</Typography>
      </FormSection>
    </>
  );
}

function Editor({ policy }: { readonly policy: Policy }): ReactElement {
  const { t } = useTranslation('people');
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangePolicyMutation();
  const [base, setBase] = useState(policy);
  const [theirs, setTheirs] = useState<Policy | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Input, { defaultValues: inputOf(base), values: inputOf(base) });
  const { isDirty } = useFormState({ control: form.control });
  const rule = useWatch({ control: form.control, name: 'secondFactor' });
  const grace = useWatch({ control: form.control, name: 'graceDays' });
  const { field: rename } = useController({ control: form.control, name: 'selfRename' });
  if (base.revision < policy.revision && !isDirty) setBase(policy);
  useFormDraft(form, 'people.policy');
  const blocker = useUnsavedWork(isDirty);

  const saveOnto = async (onto: Policy, input: Input): Promise<void> => {
    setFailure(null);
    const mine = { ...inputOf(onto), ...Object.fromEntries(Object.entries(input).filter(([key, value]) => value !== inputOf(base)[key as keyof Input])) };
    const { data, error } = await save({ revision: onto.revision, body: { ...mine, graceDays: Number(mine.graceDays) } });
    if (data) {
      setTheirs(null);
      setBase(data);
      startFrom(form, inputOf(data));
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
  const textOf = (field: keyof Input, value: Input): string =>
    field === 'secondFactor'
      ? t(`policy.rule.${value.secondFactor}`)
      : field === 'graceDays'
        ? t('policy.days', { count: Number(value.graceDays) })
        : t(value.selfRename ? 'policy.renameOn' : 'policy.renameOff');
  const label = { secondFactor: t('policy.factor'), graceDays: t('policy.grace'), selfRename: t('policy.rename') } as const;
  const mine = form.getValues();
  const offered = [...new Set([...graces, Number(grace)])].sort((a, b) => a - b);
  return (
    <Form form={form} onSubmit={(input) => saveOnto(theirs ?? base, input)} label={t('tab.policy')}>
      <Box sx={{ '& > section + section': { borderTop: 1, borderColor: 'divider' }, '& > section:first-of-type': { pt: 1 } }}>
        <FormSection title={t('policy.factor')} lead={t('policy.factorLead')}>
          {theirs && (
            <StaleNotice
              differences={conflicts(inputOf(base), mine, inputOf(theirs)).map((field) => ({
                label: label[field],
                mine: textOf(field, mine),
                theirs: textOf(field, inputOf(theirs)),
              }))}
              onKeepMine={() => void form.handleSubmit((input) => saveOnto(theirs, input))()}
              onTakeTheirs={() => {
                setBase(theirs);
                startFrom(form, inputOf(theirs));
                setTheirs(null);
                form.setFocus('secondFactor');
              }}
            />
          )}
          {failure && <ErrorPanel failure={failure} title={t('policy.failed')} />}
          <RadioCards
            control={form.control}
            name="secondFactor"
            label={t('policy.who')}
            choices={secondFactorPolicies.map((one) => ({ value: one, label: t(`policy.rule.${one}`), detail: t(`policy.ruleDetail.${one}`) }))}
          />
          {rule !== 'off' && (
            <SelectField
              control={form.control}
              name="graceDays"
              label={t('policy.grace')}
              help={t('policy.graceHelp')}
              choices={offered.map((days) => ({ value: String(days), label: days === 0 ? t('policy.atOnce') : t('policy.days', { count: days }) }))}
            />
          )}
          <Unprotected rule={rule} />
        </FormSection>
        <FormSection title={t('policy.rename')} lead={t('policy.renameLead')}>
          <FormControlLabel
            control={
              <Checkbox
                size="small"
                checked={rename.value}
                onChange={(_event, on) => rename.onChange(on)}
                onBlur={rename.onBlur}
                slotProps={{ input: { ref: rename.ref } }}
              />
            }
            label={t('policy.renameLabel')}
            sx={{ mr: 0 }}
          />
        </FormSection>
      </Box>
      <SaveBar
        dirty={isDirty}
        saving={isLoading}
        onDiscard={() => {
          setTheirs(null);
          startFrom(form, inputOf(policy));
          setBase(policy);
        }}
      />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}

/** What the installation requires of its people: owners change it, managers read it. */
export default function PolicyTab(): ReactElement {
  const mayWrite = useAppSelector((state) => selectMay(state, 'policy.write'));
  const answer = usePolicyQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Box sx={{ maxWidth: 760 }}>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={5} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(policy) => (mayWrite ? <Editor policy={policy} /> : <ReadOnly policy={policy} />)}
      </AnswerState>
    </Box>
  );
}
