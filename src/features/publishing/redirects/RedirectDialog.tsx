import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { compileRedirectPattern, patternOf, redirectPatternLimits } from '@contract/publishing/redirectPattern';
import { createRedirects } from '@contract/publishing/redirects';
import { publishingLimits } from '@contract/publishing/terms';
import { safeText } from '@contract/text';
import { DateField } from '@/ui/form/DateField';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { isTarget, patternRule, redirectStatuses } from './redirectRules';
import type { Redirect } from './redirectRules';

const RedirectValues = z
  .strictObject({
    kind: z.enum(['path', 'pattern']),
    from: z.string().trim().max(publishingLimits.path),
    to: z.string().trim(),
    status: z.enum(redirectStatuses.map(String)),
    note: safeText(200),
    expiresOn: z.iso.date().nullable(),
  })
  .superRefine(({ kind, from, to, status }, { addIssue }) => {
    const refuse = (field: 'from' | 'to', value: string): void =>
      addIssue({ code: 'custom', path: [field], message: encodeFieldError({ code: value === '' ? 'required' : 'pattern' }) });
    const isValid = kind === 'path' ? from.startsWith('/') : compileRedirectPattern(from) !== null;
    if (!isValid) refuse('from', from);
    if (status !== '410' && (!isTarget(to) || (isValid && kind === 'pattern' && !patternRule(from, to, 301)))) refuse('to', to);
  });
type RedirectValues = z.output<typeof RedirectValues>;
type RedirectForm = ContractForm<z.input<typeof RedirectValues>, RedirectValues>;
const kinds = ['path', 'pattern'] as const;

/** Where an address leads that the pattern matches. */
function PatternExample({ form: { control } }: { readonly form: RedirectForm }): ReactElement {
  const { t } = useTranslation('publishing');
  const [from, to, status] = useWatch({ control, name: ['from', 'to', 'status'] });
  const text = useMemo(() => {
    const example = compileRedirectPattern(from.trim())?.example();
    if (example === undefined || example === null) return t('redirect.noExample');
    const rule = patternRule(from, to.trim(), status === '410' ? 410 : 301);
    const found = rule && createRedirects([rule])(example, '');
    return found && found.status !== 410 ? `${example} → ${found.location}` : example;
  }, [from, to, status, t]);
  return (
    <p className="publishing-quiet" role="status">
      {t('redirect.example')} <code>{text}</code>
    </p>
  );
}

/** Which addresses lead where. */
function RuleFields({ form, hasRoom }: { readonly form: RedirectForm; readonly hasRoom: boolean }): ReactElement {
  const { t } = useTranslation('publishing');
  const { control } = form;
  const [kind, status] = useWatch({ control, name: ['kind', 'status'] });
  const isPattern = kind === 'pattern';
  const isGone = status === '410';
  return (
    <>
      <SelectField
        control={control}
        name="kind"
        label={t('redirect.match')}
        help={hasRoom ? undefined : t('redirect.patternsFull', { count: redirectPatternLimits.patterns })}
        choices={kinds.filter((one) => one === 'path' || hasRoom || isPattern).map((value) => ({ value, label: t(`redirect.matches.${value}`) }))}
      />
      <TextField
        control={control}
        name="from"
        label={t(isPattern ? 'redirect.patternFrom' : 'redirect.from')}
        help={t(isPattern ? 'redirect.patternHelp' : 'redirect.fromHelp')}
        verbatim
        autoFocus
        placeholder={isPattern ? String.raw`/blog/(\d{4})/(.+)` : '/old'}
        messages={{ pattern: t(isPattern ? 'redirect.patternInvalid' : 'redirect.fromPattern') }}
      />
      <SelectField
        control={control}
        name="status"
        label={t('redirect.status')}
        choices={redirectStatuses.map((one) => ({ value: String(one), label: t(`redirect.kind.code${one}`) }))}
      />
      {!isGone && (
        <TextField
          control={control}
          name="to"
          label={t('redirect.to')}
          help={t(isPattern ? 'redirect.groupsHelp' : 'redirect.toHelp')}
          verbatim
          placeholder={isPattern ? '/news/$2' : '/new'}
          messages={{ pattern: t(isPattern ? 'redirect.groupsInvalid' : 'redirect.toPattern') }}
        />
      )}
      {isPattern && <PatternExample form={form} />}
    </>
  );
}

/** A redirect that is edited, or a new one (null). */
export function RedirectDialog({
  redirect,
  path = '',
  hasRoom,
  onClose,
  onDone,
}: {
  readonly redirect: Redirect | null;
  /** Old address of a new one. */
  readonly path?: string;
  /** Whether the site may have one more pattern. */
  readonly hasRoom: boolean;
  readonly onClose: () => void;
  readonly onDone: (redirect: Redirect) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const address = redirect?.from ?? path;
  const source = patternOf(address);
  const form = useContractForm<z.input<typeof RedirectValues>, RedirectValues>(RedirectValues, {
    defaultValues: {
      kind: source === null ? 'path' : 'pattern',
      from: source ?? address,
      to: redirect?.to ?? '',
      status: String(redirect?.status ?? 301),
      note: redirect?.note ?? '',
      expiresOn: redirect?.expiresOn ?? null,
    },
  });
  const { control } = form;
  const submit = ({ kind, from, to, status, note, expiresOn }: RedirectValues): void => {
    const chosen = redirectStatuses.find((one) => String(one) === status) ?? 301;
    onDone({
      from: kind === 'pattern' ? `~${from}` : from,
      to: chosen === 410 ? '' : to,
      status: chosen,
      origin: redirect?.origin ?? 'person',
      note,
      expiresOn,
    });
  };
  return (
    <FormDialog
      form={form}
      title={t(redirect ? 'redirect.editTitle' : 'redirect.addTitle')}
      submitLabel={t(redirect ? 'menu.apply' : 'menu.addSubmit')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <RuleFields form={form} hasRoom={hasRoom} />
      <DateField control={control} name="expiresOn" label={t('redirect.expiresOn')} help={t('redirect.expiresHelp')} optional nullable />
      <TextField control={control} name="note" label={t('redirect.note')} optional maxLength={200} />
    </FormDialog>
  );
}
