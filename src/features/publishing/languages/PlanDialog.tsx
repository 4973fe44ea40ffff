import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { languageLimits, removedDays } from '@contract/languages/terms';
import type { LanguagePlan } from '@contract/publishing/schemas';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import type { ShownFailure } from '@/ui/ErrorPanel';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import type { Removal } from './useSaveLanguages';

const Typed = z.strictObject({ names: z.array(z.string()), days: z.literal(removedDays.map(String)) });
type Loss = LanguagePlan['removed'][number];
const hasTexts = ({ records, texts, resources }: Loss): boolean => records + texts + resources > 0;

/** Whether a plan has something that a person has to see before it is saved. */
export const hasConsequences = ({ addresses, redirects, removedRedirects, removed }: LanguagePlan): boolean =>
  addresses > 0 || redirects.length > 0 || removedRedirects.length > 0 || removed.some(hasTexts);

const movesOf = (rows: readonly { readonly from: string; readonly to: string }[]): ReactElement => (
  <ul className="language-plan">
    {rows.map(({ from, to }) => (
      <li key={from}>
        {from} → {to}
      </li>
    ))}
  </ul>
);

/** For each language with texts that is removed: its name to type. For all of them: when the texts are deleted. */
function RemovalFields({
  form,
  losing,
}: {
  readonly form: ContractForm<z.input<typeof Typed>, z.output<typeof Typed>>;
  readonly losing: readonly Loss[];
}): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const languageName = useLanguageName();
  const lossOf = ({ records, texts, resources }: Loss): string =>
    format.list([
      ...(records > 0 ? [t('languages.lostRecords', { count: records })] : []),
      ...(texts > 0 ? [t('languages.lostTexts', { count: texts })] : []),
      ...(resources > 0 ? [t('languages.lostResources', { count: resources })] : []),
    ]);
  return (
    <>
      {losing.map((loss, at) => (
        <TextField
          key={loss.tag}
          control={form.control}
          name={`names.${at}`}
          label={t('languages.typeName', { language: languageName(loss.tag) })}
          help={t('languages.losing', { language: languageName(loss.tag), list: lossOf(loss) })}
          messages={{ pattern: t('languages.nameMismatch') }}
          autoComplete="off"
          verbatim
        />
      ))}
      <SelectField
        control={form.control}
        name="days"
        label={t('languages.purgeAfter')}
        help={t('languages.purgeHelp')}
        choices={removedDays.map((count) => ({ value: String(count), label: t('languages.days', { count }) }))}
      />
    </>
  );
}

/** What a change of languages would do, before it is saved. A language with translations is removed only when its name is typed. */
export function PlanDialog({
  plan,
  busy,
  failure,
  onSave,
  onClose,
}: {
  readonly plan: LanguagePlan;
  readonly busy: boolean;
  readonly failure: ShownFailure | null;
  readonly onSave: (removal: Removal) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const losing = plan.removed.filter(hasTexts);
  const form = useContractForm(Typed, { defaultValues: { names: losing.map(() => ''), days: String(languageLimits.removedDays) } });
  const submit = async ({ names, days }: z.output<typeof Typed>): Promise<void> => {
    const wrong = losing.findIndex(({ tag }, at) => names[at]?.trim() !== languageName(tag));
    if (wrong < 0)
      return onSave({ confirm: losing.map(({ tag }) => tag), days: removedDays.find((one) => String(one) === days) ?? languageLimits.removedDays });
    form.setError(`names.${wrong}`, { message: encodeFieldError({ code: 'pattern' }) }, { shouldFocus: true });
  };
  return (
    <FormDialog
      form={form}
      title={t('languages.planTitle')}
      submitLabel={t('languages.save')}
      cancelLabel={t('languages.back')}
      busy={busy}
      failure={failure}
      failureTitle={t('saveFailed')}
      danger={losing.length > 0}
      confirmsDiscard={false}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      {plan.addresses > 0 && (
        <section>
          <Typography variant="body2">{t('languages.moved', { count: plan.addresses })}</Typography>
          {movesOf(plan.examples)}
        </section>
      )}
      {plan.redirects.length > 0 && (
        <section>
          <Typography variant="body2">{t('languages.addedRedirects')}</Typography>
          {movesOf(plan.redirects)}
        </section>
      )}
      {plan.removedRedirects.length > 0 && (
        <section>
          <Typography variant="body2">{t('languages.removedRedirects')}</Typography>
          <ul className="language-plan">
            {plan.removedRedirects.map((from) => (
              <li key={from}>{from}</li>
            ))}
          </ul>
        </section>
      )}
      {losing.length > 0 && <RemovalFields form={form} losing={losing} />}
    </FormDialog>
  );
}
