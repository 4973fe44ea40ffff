import { Alert, Box, Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router-dom';
import type { Crawler } from '@contract/crawler/schemas';
import { crawlerKinds } from '@contract/crawler/terms';
import { mayOnSite } from '@contract/permissions';
import { selectSites } from '@/features/sites/sitesSlice';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import { flag, oneOf, text, useSearchState } from '@/lib/searchState';
import { guessTimeZone } from '@/lib/timeZones';
import { useUnsavedGuard } from '@/lib/useUnsavedGuard';
import { href } from '@/routes/paths';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { encodeFieldError } from '@/ui/form/fieldError';
import { Form } from '@/ui/form/Form';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Stepper } from '@/ui/Stepper';
import { useAddCrawlerMutation, useChangeCrawlerMutation, useCrawlerQuery } from '../crawlerApi';
import { useRunActions } from '../useRunActions';
import { CollectStep } from './CollectStep';
import { addressOf, draftOf, inputOf, linesOf, newDraft, placeOf, steps } from './draft';
import type { Draft, Step } from './draft';
import { JsonView } from './JsonView';
import { LimitsStep } from './LimitsStep';
import { ScheduleStep } from './ScheduleStep';
import { ScopeStep } from './ScopeStep';
import { TargetStep } from './TargetStep';
import { addressOfSite, useDefaults } from './useDefaults';
import { useTarget } from './useTarget';
import type { WizardForm } from './wizardForm';
import '../crawler.css';

const address = { step: oneOf(steps, 'target'), json: flag(), clone: flag(), kind: oneOf(crawlerKinds, 'audit'), site: text('', 20) };

const isAddress = (line: string): boolean => URL.canParse(addressOf(line)) && addressOf(line).length <= 2000;

/** What a step must have before the next one. */
function problemsOf(step: Step, draft: Draft): readonly (readonly [keyof Draft, 'required' | 'not_a_url'])[] {
  if (step !== 'target') return [];
  const seeds = linesOf(draft.seeds);
  return [
    ...(seeds.length === 0 ? ([['seeds', 'required']] as const) : seeds.every(isAddress) ? [] : ([['seeds', 'not_a_url']] as const)),
    ...(draft.name.trim() === '' ? ([['name', 'required']] as const) : []),
  ];
}

/** Saves the draft; errors of the server appear at their fields, in the first step that has one. */
function useSave(form: WizardForm, edited: Crawler | null, toStep: (step: Step) => void) {
  const dispatch = useAppDispatch();
  const [add, adding] = useAddCrawlerMutation();
  const [change, changing] = useChangeCrawlerMutation();
  const save = async (): Promise<Crawler | null> => {
    const draft = form.getValues();
    const body = inputOf(draft, edited?.secretNames ?? []);
    const { data, error } =
      edited === null ? await add({ siteId: draft.siteId, body }) : await change({ crawlerId: edited.id, revision: edited.revision, body });
    if (data) return data;
    const places = isFailure(error)
      ? Object.entries(error.fields ?? {}).flatMap(([path, problem]) => (placeOf(path) ? [{ ...placeOf(path), problem }] : []))
      : [];
    for (const { field, problem } of places) if (field !== undefined) form.setError(field, { type: 'server', message: encodeFieldError(problem) });
    const first = steps.find((step) => places.some((place) => place.step === step));
    if (first !== undefined) toStep(first);
    else notifyFailure(dispatch, error);
    return null;
  };
  return { save, busy: adding.isLoading || changing.isLoading, isStale: isFailure(changing.error) && isStale(changing.error) };
}

function StepContent({ step, form, edited }: { readonly step: Step; readonly form: WizardForm; readonly edited: Crawler | null }): ReactElement {
  const target = useTarget(form);
  if (step === 'target') return <TargetStep form={form} target={target} isNew={edited === null} />;
  if (step === 'scope') return <ScopeStep form={form} />;
  if (step === 'limits') return <LimitsStep form={form} verified={target.data?.verified ?? edited?.verified ?? false} />;
  if (step === 'collect') return <CollectStep form={form} target={target} />;
  return <ScheduleStep form={form} verified={target.data?.verified ?? edited?.verified ?? false} />;
}

type WizardProps = { readonly initial: Draft; readonly present: Crawler | null; readonly title: string; readonly isNew?: boolean };

/** `present`: the crawler to change; null: a new one is created. `isNew`: it is not a copy either. */
function Wizard({ initial, present, title, isNew = false }: WizardProps): ReactElement {
  const { t } = useTranslation('crawler');
  // The crawler may be fetched again meanwhile, but the draft began from this revision.
  const [edited] = useState(present);
  const navigate = useNavigate();
  const actions = useRunActions();
  const [{ step, json }, change] = useSearchState(address);
  const form: WizardForm = useForm<Draft>({ defaultValues: initial });
  useDefaults(form, isNew);
  const { save, busy, isStale: stale } = useSave(form, edited, (next) => change({ step: next, json: false }));
  const [saved, setSaved] = useState(false);
  const blocker = useUnsavedGuard(form.formState.isDirty && !saved);
  const at = steps.indexOf(step);
  const next = steps[at + 1];
  const goTo = (to: Step): void => change({ step: to, json: false });
  const isComplete = (): boolean => {
    const problems = problemsOf('target', form.getValues());
    for (const [field, code] of problems) form.setError(field, { type: 'own', message: encodeFieldError({ code }) }, { shouldFocus: true });
    if (problems.length > 0 && step !== 'target') goTo('target');
    return problems.length === 0;
  };
  const finish = async (run: boolean): Promise<void> => {
    if (!isComplete()) return;
    const crawler = await save();
    if (crawler === null) return;
    setSaved(true);
    if (run) await actions.start(crawler.id);
    void navigate(href('developer.crawler.one', { crawlerId: crawler.id }));
  };
  return (
    <>
      <LeaveDialog blocker={blocker} />
      <PageHeader title={title} actions={<Button onClick={() => change({ json: !json })}>{t(json ? 'wizard.form' : 'wizard.json')}</Button>} />
      <Stepper label={t('wizard.steps')} steps={steps.map((id) => ({ id, name: t(`step.${id}`) }))} current={step} done={t('wizard.done')} onStep={goTo} />
      {stale && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('wizard.stale')}
        </Alert>
      )}
      {json ? (
        <JsonView form={form} onDone={() => change({ json: false })} />
      ) : (
        <Form
          form={form}
          label={title}
          onSubmit={() => undefined}
          instead={async () => (next === undefined ? finish(false) : isComplete() ? goTo(next) : undefined)}
        >
          <StepContent step={step} form={form} edited={edited} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 3 }}>
            {at > 0 && <Button onClick={() => goTo(steps[at - 1] ?? 'target')}>{t('wizard.back')}</Button>}
            <Box sx={{ flex: 1 }} />
            {(edited !== null || next === undefined) && (
              <Button disabled={busy} variant={next === undefined ? 'outlined' : 'text'} onClick={() => void finish(false)}>
                {t('wizard.save')}
              </Button>
            )}
            {next === undefined ? (
              <Button variant="contained" disabled={busy || actions.busy} onClick={() => void finish(true)}>
                {t('wizard.saveAndRun')}
              </Button>
            ) : (
              <Button type="submit" variant="contained">
                {t('wizard.next')}
              </Button>
            )}
          </Box>
        </Form>
      )}
    </>
  );
}

function Existing({ crawlerId, clone }: { readonly crawlerId: string; readonly clone: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const result = useCrawlerQuery({ crawlerId }, { refetchOnMountOrArgChange: true });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton />}>
      {(crawler) =>
        clone ? (
          <Wizard
            key={`${crawler.id} clone`}
            initial={{ ...draftOf({ ...crawler, secretNames: [] }), name: t('wizard.copyOf', { name: crawler.name }) }}
            present={null}
            title={t('wizard.cloneTitle', { name: crawler.name })}
          />
        ) : (
          <Wizard key={crawler.id} initial={draftOf(crawler)} present={crawler} title={t('wizard.editTitle', { name: crawler.name })} />
        )
      }
    </ResultState>
  );
}

/** The wizard of a crawler: `new`, or the id of one to change or (with `?clone=1`) to copy. */
export function Component(): ReactElement {
  const { t } = useTranslation('crawler');
  const { crawlerId = 'new' } = useParams();
  const [{ clone, kind, site }] = useSearchState(address);
  const sites = useAppSelector(selectSites).filter(({ role }) => mayOnSite(role, 'crawler.configure'));
  const first = sites.find(({ id }) => id === site) ?? sites[0];
  if (crawlerId !== 'new') return <Existing crawlerId={crawlerId} clone={clone} />;
  if (first === undefined)
    return (
      <EmptyState kind="noRight" title={t('wizard.noSite')}>
        {t('wizard.noSiteText')}
      </EmptyState>
    );
  const initial = { ...newDraft(kind, { siteId: first.id, timeZone: guessTimeZone(), seed: addressOfSite(first) }), name: t(`template.${kind}`) };
  return <Wizard key={kind} initial={initial} present={null} title={t('wizard.title')} isNew />;
}
