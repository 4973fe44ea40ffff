import { Box, Button, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { SiteInput } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { oneOf, useSearchState } from '@/lib/searchState';
import { guessTimeZone } from '@/lib/timeZones';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { encodeFieldError } from '@/ui/form/fieldError';
import { Form } from '@/ui/form/Form';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { PageHeader } from '@/ui/PageHeader';
import { Stepper } from '@/ui/Stepper';
import { TabLinks } from '@/ui/TabLinks';
import { useLazySlugQuery, useSlugQuery } from '../sitePagesApi';
import { useCreateSiteMutation } from '../sitesApi';
import { NewSite, draftFrom, fieldsOf, steps, withScheme } from './newSite';
import type { NewSiteDraft, Step } from './newSite';
import { DetailsStep, PurposeStep, SettingsStep, SummaryStep } from './stepPages';

const address = { step: oneOf(steps, 'purpose') };

const blank = (locale: string): NewSiteDraft => ({
  purpose: 'external',
  starter: 'company',
  copyFrom: '',
  name: '',
  slug: '',
  url: '',
  defaultLang: locale === 'en' ? 'en' : 'zh-Hans',
  timeZone: guessTimeZone(),
  identity: 'first_party',
});

const typedName = (name: string | undefined): keyof NewSiteDraft | undefined => steps.flatMap((step) => fieldsOf[step]).find((field) => field === name);

/** The first step with an invalid field. */
const stepOf = (fields: Readonly<Record<string, unknown>>): Step | undefined => steps.find((step) => fieldsOf[step].some((field) => field in fields));

/** The step requested by the address, or the first invalid one before it: addresses can be bookmarked in the middle. */
function furthest(requested: Step, values: NewSiteDraft): Step {
  const faulty = NewSite.safeParse(values).error?.issues.map((issue) => stepOf({ [String(issue.path[0])]: true })) ?? [];
  return steps.slice(0, steps.indexOf(requested)).find((step) => faulty.includes(step)) ?? requested;
}

/** The input of a new site, stored as a draft, and the step that the address shows. */
function useNewSite() {
  const { i18n } = useTranslation('siteCreate');
  const [{ step: requested }, change] = useSearchState(address);
  const { restored, keep, drop } = useDraft<NewSiteDraft>('site.create');
  const [begun] = useState(restored);
  const form = useContractForm(NewSite, { defaultValues: draftFrom(begun, blank(i18n.language)) });
  const [startedOver, setStartedOver] = useState(false);
  const values = useWatch({ control: form.control, compute: (all: NewSiteDraft) => all });
  const step = furthest(requested, values);

  const { subscribe, getFieldState, trigger } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values: typed, name }) => {
          keep(typed);
          // A step is validated without a submit, after which the form would revalidate on every change.
          const changed = typedName(name);
          if (changed !== undefined && getFieldState(changed).error) void trigger(changed);
        },
      }),
    [subscribe, keep, getFieldState, trigger],
  );
  const startOver = () => {
    drop();
    form.reset(blank(i18n.language));
    setStartedOver(true);
    change({ step: 'purpose' }, 'replace');
  };
  return { form, values, step, change, drop, resumed: begun !== undefined && !startedOver, startOver };
}
type SiteForm = ReturnType<typeof useNewSite>['form'];

/** Whether the fields of a step are valid; errors are set and focused. */
function useStepCheck(form: SiteForm): (step: Step) => Promise<boolean> {
  const [askSlug] = useLazySlugQuery();
  /** Reported here rather than after the last step. If the check fails, the creation itself reports it. */
  const slugIsFree = async (): Promise<boolean> => {
    if (form.getValues('purpose') === 'external') return true;
    const { data } = await askSlug({ slug: form.getValues('slug').trim() });
    if (data?.free === false) form.setError('slug', { type: 'server', message: encodeFieldError({ code: 'taken' }) }, { shouldFocus: true });
    return data?.free !== false;
  };
  return async (step) => {
    form.setValue('url', withScheme(form.getValues('url')));
    const fields = fieldsOf[step].filter((field) => field !== (form.getValues('purpose') === 'external' ? 'slug' : 'url'));
    return (await form.trigger(fields, { shouldFocus: true })) && (step !== 'details' || (await slugIsFree()));
  };
}

type CreateOptions = Pick<ReturnType<typeof useNewSite>, 'form' | 'step' | 'change' | 'drop'>;

/** Creates the site and opens it. A refused field is shown on its step. */
function useCreation({ form, step, change, drop }: CreateOptions) {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [create, { isLoading: busy }] = useCreateSiteMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const submit = async (site: SiteInput) => {
    setFailure(null);
    const { data, error } = await create({ body: site });
    if (data) {
      drop();
      dispatch(noticeShown({ tone: 'good', message: { key: 'sites:notice.created', values: { name: data.name } } }));
      await navigate(href('site', { siteId: data.id }));
      return;
    }
    if (!isFailure(error)) return;
    const at = stepOf(error.fields ?? {});
    if (at === undefined) return setFailure(error);
    if (at !== step) change({ step: at }, 'replace');
    setServerErrors(form, error);
    return undefined;
  };
  const showFirstError = (errors: Readonly<Record<string, unknown>>) => {
    const at = stepOf(errors);
    if (at !== undefined && at !== step) change({ step: at }, 'replace');
  };
  return { submit, showFirstError, busy, failure, clearFailure: () => setFailure(null) };
}

function ResumedNotice({ onStartOver }: { readonly onStartOver: () => void }): ReactElement {
  const { t } = useTranslation('siteCreate');
  return (
    <Typography role="status" variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
      {t('resumed')}
      <Button onClick={onStartOver} sx={{ ml: 0.5, minHeight: 24, py: 0, textDecoration: 'underline' }}>
        {t('startOver')}
      </Button>
    </Typography>
  );
}

type ButtonsProps = {
  readonly step: Step;
  readonly busy: boolean;
  readonly onStep: (step: Step) => void;
  readonly onCancel: () => void;
  /** Creates the site without showing the remaining steps. */ readonly onFinish: () => void;
};

function StepButtons({ step, busy, onStep, onCancel, onFinish }: ButtonsProps): ReactElement {
  const { t } = useTranslation('siteCreate');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', gap: 1 }}>
      <Button onClick={onCancel} sx={{ color: 'text.secondary', ml: -1.5 }}>
        {t('cancel')}
      </Button>
      <Box sx={{ flex: 1 }} />
      {step !== 'purpose' && (
        <Button variant="outlined" onClick={() => onStep(steps[steps.indexOf(step) - 1] ?? 'purpose')}>
          {t('back')}
        </Button>
      )}
      {step === 'details' && (
        <Button variant="outlined" disabled={busy} onClick={onFinish}>
          {t('submitNow')}
        </Button>
      )}
      <Button type="submit" variant="contained" aria-busy={busy}>
        {step === 'summary' ? (busy ? t('busy') : t('submit')) : t('next')}
      </Button>
    </Box>
  );
}

/** Creates a site in four small steps, each with its address. The input survives a reload and an expired session. */
export function Component(): ReactElement {
  const { t } = useTranslation('siteCreate');
  const navigate = useNavigate();
  const { form, values, step, change, drop, resumed, startOver } = useNewSite();
  const { submit, showFirstError, busy, failure, clearFailure } = useCreation({ form, step, change, drop });
  const isValid = useStepCheck(form);
  const { currentData: slugResponse } = useSlugQuery({ slug: values.slug }, { skip: step !== 'summary' || values.slug === '' });

  const goTo = (next: Step) => {
    clearFailure();
    change({ step: next });
  };
  const forward = async () => {
    const valid = await isValid(step);
    const next = steps[steps.indexOf(step) + 1];
    if (valid && next !== undefined) goTo(next);
  };
  const finish = async () => {
    if (await isValid('details')) await form.handleSubmit(submit, showFirstError)();
  };
  const cancel = () => {
    drop();
    void navigate(href('home'));
  };
  const last = step === 'summary';
  return (
    <Box sx={{ maxWidth: 720 }}>
      <PageHeader title={t('title')} />
      <TabLinks
        label={t('ways.label')}
        current="empty"
        tabs={[
          { id: 'empty', name: t('ways.empty'), to: href('home.create.empty') },
          { id: 'import', name: t('ways.import'), to: href('home.create.import') },
        ]}
      />
      <Stepper label={t('steps.label')} steps={steps.map((id) => ({ id, name: t(`steps.${id}`) }))} current={step} onStep={goTo} />
      {resumed && !last && <ResumedNotice onStartOver={startOver} />}
      <Form form={form} onSubmit={submit} instead={last ? undefined : forward} label={t('title')}>
        <Box sx={{ display: 'grid', gap: 3, maxWidth: 560 }}>
          {step === 'purpose' && <PurposeStep form={form} />}
          {step === 'details' && <DetailsStep form={form} />}
          {step === 'settings' && <SettingsStep form={form} />}
          {last && <SummaryStep form={form} host={slugResponse?.systemHost ?? values.slug} onStep={goTo} />}
          {failure && <ErrorPanel title={t('failed')} failure={failure} />}
          <StepButtons step={step} busy={busy} onStep={goTo} onCancel={cancel} onFinish={() => void finish()} />
        </Box>
      </Form>
    </Box>
  );
}
