import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { checkNumber, numberExamples } from '@contract/filings/numbers';
import { filingProvinces } from '@contract/filings/provinces';
import type { Filing, FilingInput } from '@contract/filings/schemas';
import { contentTypes, filingKinds, filingLimits, numberKindOf } from '@contract/filings/terms';
import type { FilingKind } from '@contract/filings/terms';
import { may } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { CheckField } from '@/ui/form/CheckField';
import { DateField } from '@/ui/form/DateField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddFilingMutation, useChangeFilingMutation, useFilingSubjectsQuery } from './filingsApi';
import { nameOf } from './filingStatus';
import { NumberNote } from './NumberNote';

const Input = z.object({
  kind: z.enum(filingKinds),
  subject: z.string(),
  serviceName: z.string().max(100),
  number: z.string().max(60),
  province: z.string(),
  domains: z.string().max(5000),
  homeUrl: z.string().max(500),
  contentTypes: z.array(z.enum(contentTypes)).max(filingLimits.contentTypes),
  interactive: z.boolean(),
  inFooter: z.boolean(),
  openedOn: z.iso.date().nullable(),
  approvedOn: z.iso.date().nullable(),
  comparedOn: z.iso.date().nullable(),
  nextReviewOn: z.iso.date().nullable(),
  domainExpires: z.iso.date().nullable(),
});
type Input = z.infer<typeof Input>;

const blank = { serviceName: '', number: '', homeUrl: '', contentTypes: [], interactive: false, inFooter: true };
const noDays = { openedOn: null, approvedOn: null, comparedOn: null, nextReviewOn: null, domainExpires: null };
const inputOf = (row: Filing | null, domains: readonly string[]): Input =>
  row === null
    ? { kind: 'icp', subject: '', province: 'BJ', domains: domains.join('\n'), ...blank, ...noDays }
    : {
        kind: row.kind,
        subject: row.subject ?? '',
        province: row.province,
        domains: (row.domains ?? []).join('\n'),
        serviceName: row.serviceName,
        number: row.number,
        homeUrl: row.homeUrl,
        contentTypes: row.contentTypes,
        interactive: row.interactive,
        inFooter: row.inFooter,
        openedOn: row.openedOn,
        approvedOn: row.approvedOn,
        comparedOn: row.comparedOn,
        nextReviewOn: row.nextReviewOn,
        domainExpires: row.domainExpires,
      };

/** Domains as people write them: one a line, or divided by spaces and commas of any script. */
export const domainsIn = (text: string): string[] => text.split(/[\s,，、;；]+/).filter((domain) => domain !== '');
const bodyOf = ({ subject, domains, ...input }: Input): FilingInput => ({ ...input, subject: subject === '' ? null : subject, domains: domainsIn(domains) });

/** Kinds that a website shows; apps and mini programs have no page to show theirs on. */
const isOnPages = (kind: FilingKind): boolean => kind !== 'app' && kind !== 'mini';

function SubjectField({ form, row }: { readonly form: ContractForm<Input>; readonly row: Filing | null }): ReactElement | null {
  const { t } = useTranslation('filings');
  const session = useAppSelector(selectSession);
  const seesAll = session !== null && may(session.role, 'site.seeAll');
  const { data } = useFilingSubjectsQuery({ size: filingLimits.subjects }, { skip: !seesAll });
  if (!seesAll) return null;
  const known = data?.rows.map(({ id, name }) => ({ value: id, label: name })) ?? (row?.subject ? [{ value: row.subject, label: row.subjectName }] : []);
  return (
    <SelectField
      control={form.control}
      name="subject"
      label={t('form.subject')}
      help={t('form.subjectHelp')}
      choices={[{ value: '', label: t('form.noSubject') }, ...known]}
    />
  );
}

function NumberFields({ form, isNew }: { readonly form: ContractForm<Input>; readonly isNew: boolean }): ReactElement {
  const { t } = useTranslation('filings');
  const [kind, number] = useWatch({ control: form.control, name: ['kind', 'number'] });
  const takeProvince = (typed: string): void => {
    const { province } = checkNumber(numberKindOf[kind], typed);
    if (province !== null) form.setValue('province', province);
  };
  return (
    <>
      {isNew && (
        <SelectField control={form.control} name="kind" label={t('form.kind')} choices={filingKinds.map((value) => ({ value, label: t(`kind.${value}`) }))} />
      )}
      <TextField
        control={form.control}
        name="number"
        label={t('form.number')}
        help={t(`form.numberHelp.${numberKindOf[kind]}`, { example: numberExamples[numberKindOf[kind]] })}
        autoComplete="off"
        maxLength={60}
        verbatim
        optional
        onTyped={takeProvince}
        below={<NumberNote kind={kind} text={number} />}
      />
      <SelectField
        control={form.control}
        name="province"
        label={t('form.province')}
        choices={filingProvinces.map(({ iso }) => ({ value: iso, label: t(`province.${iso as 'BJ'}`) }))}
      />
    </>
  );
}

/** Adds a filing, or changes one. The number is checked while it is typed, in any spelling. `domains`: those of the site, for a new one. */
export function FilingDialog({
  siteId,
  row,
  domains,
  onClose,
}: {
  readonly siteId: string;
  readonly row: Filing | null;
  readonly domains: readonly string[];
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const [add] = useAddFilingMutation();
  const [save] = useChangeFilingMutation();
  const form = useContractForm(Input, { defaultValues: inputOf(row, domains) });
  const kind = useWatch({ control: form.control, name: 'kind' });
  const { submit, busy, failure } = useSubmit(form, {
    send: (input) => (row === null ? add({ siteId, body: bodyOf(input) }) : save({ siteId, id: row.id, revision: row.revision, body: bodyOf(input) })),
    onSuccess: (filing) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'filings:done.saved', values: { name: nameOf(filing, t(`kind.${filing.kind}`)) } } }));
      onClose();
    },
  });
  const title = row === null ? t('form.add') : t('form.edit', { name: nameOf(row, t(`kind.${row.kind}`)) });
  return (
    <FormDialog
      form={form}
      title={title}
      lead={row?.locked ? t('form.locked') : undefined}
      submitLabel={row === null ? t('form.submitNew') : t('form.submit')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <NumberFields form={form} isNew={row === null || row.state === 'incomplete'} />
      <SubjectField form={form} row={row} />
      <TextField control={form.control} name="serviceName" label={t('form.serviceName')} help={t('form.serviceNameHelp')} maxLength={100} optional />
      <TextField
        control={form.control}
        name="domains"
        label={t('form.domains')}
        help={t('form.domainsHelp')}
        multiline
        minRows={2}
        maxRows={6}
        verbatim
        optional
      />
      <TextField control={form.control} name="homeUrl" label={t('form.homeUrl')} inputMode="url" maxLength={500} verbatim optional />
      {kind !== 'mps' && kind !== 'license' && (
        <CheckboxGroup
          control={form.control}
          name="contentTypes"
          label={t('form.contentTypes')}
          help={t('form.contentTypesHelp', { count: filingLimits.contentTypes })}
          choices={contentTypes.map((value) => ({ value, label: t(`content.${value}`) }))}
        />
      )}
      <DateField control={form.control} name="domainExpires" label={t('form.domainExpires')} help={t('form.domainExpiresHelp')} nullable optional />
      <DateField control={form.control} name="openedOn" label={t('form.openedOn')} help={t('form.openedOnHelp')} nullable optional />
      <DateField control={form.control} name="approvedOn" label={t('form.approvedOn')} nullable optional />
      <DateField control={form.control} name="comparedOn" label={t('form.comparedOn')} help={t('form.comparedOnHelp')} nullable optional />
      <DateField control={form.control} name="nextReviewOn" label={t('form.nextReviewOn')} help={t('form.nextReviewOnHelp')} nullable optional />
      {kind === 'mps' && <CheckField control={form.control} name="interactive" label={t('form.interactive')} help={t('form.interactiveHelp')} />}
      {isOnPages(kind) && <CheckField control={form.control} name="inFooter" label={t('form.inFooter')} help={t('form.inFooterHelp')} />}
    </FormDialog>
  );
}
