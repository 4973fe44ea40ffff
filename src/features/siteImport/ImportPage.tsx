import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportMapping, ImportTarget, SiteImport } from '@contract/siteImport/schemas';
import { useDraft } from '@/features/session/useDraft';
import { useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { useUploads } from '@/store/useUploads';
import { PageHeader } from '@/ui/PageHeader';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Stepper } from '@/ui/Stepper';
import { TabLinks } from '@/ui/TabLinks';
import { PlanStep } from './PlanStep';
import { ReportStep } from './ReportStep';
import { importTarget, useSiteImportQuery } from './siteImportApi';
import { SiteStep } from './SiteStep';
import { SourceStep } from './SourceStep';
import { address, initialMapping, isRead, pollingFor, stepFor, steps } from './steps';
import type { Step } from './steps';
import { SummaryStep } from './SummaryStep';
import './siteImport.css';

type Decided = { readonly mapping?: ImportMapping; readonly target?: ImportTarget };

/** What a person decides about an import before it runs. It survives a reload and an expired session. */
function Decisions({
  it,
  step,
  onStep,
  onNew,
}: {
  readonly it: SiteImport;
  readonly step: Step;
  readonly onStep: (step: Step) => void;
  readonly onNew: () => void;
}): ReactElement {
  const { restored, keep, drop } = useDraft<Decided>(`site.import.${it.id}`);
  const [decided, setDecided] = useState<Decided>(restored ?? {});
  const mapping = decided.mapping ?? initialMapping(it);
  const target = decided.target ?? it.target;
  const decide = (change: Decided): void => {
    const next = { ...decided, ...change };
    setDecided(next);
    keep(next);
  };
  if (step === 'report') return <ReportStep it={it} onNew={onNew} />;
  if (step === 'site' || (step === 'summary' && target === null))
    return (
      <SiteStep
        it={it}
        target={target}
        onBack={() => onStep('plan')}
        onTarget={(chosen) => {
          decide({ target: chosen });
          onStep('summary');
        }}
      />
    );
  if (step === 'summary' && target !== null)
    return (
      <SummaryStep
        it={it}
        draft={{ mapping, target }}
        onBack={() => onStep('site')}
        onStarted={() => {
          drop();
          onStep('report');
        }}
      />
    );
  return <PlanStep it={it} mapping={mapping} onMapping={(next) => decide({ mapping: next })} onNext={() => onStep('site')} onBack={onNew} />;
}

/** Imports a website: where it comes from, what of it, into which site, a summary, and the report. */
export function Component(): ReactElement {
  const { t } = useTranslation('siteImport');
  const [{ id, step: requested }, change] = useSearchState(address);
  const uploads = useUploads(importTarget);
  const [polling, setPolling] = useState(0);
  const {
    currentData: it,
    error,
    isFetching,
    refetch,
  } = useSiteImportQuery({ id }, { skip: id === '', pollingInterval: polling, skipPollingIfUnfocused: true });
  const interval = pollingFor(it);
  if (interval !== polling) setPolling(interval);
  const step = stepFor(it, requested);
  const onStep = (next: Step): void => change({ step: next });
  const onNew = (): void => change({ id: '', step: 'source' });
  const open = (next: string): void => change({ id: next, step: 'plan' });
  const reopen = (next: Step): void => (next === 'source' ? onNew() : onStep(next));
  return (
    <Box className="import-page">
      <PageHeader title={t('title')} />
      <TabLinks
        label={t('ways.label')}
        current="import"
        tabs={[
          { id: 'empty', name: t('ways.empty'), to: href('home.create.empty') },
          { id: 'import', name: t('ways.import'), to: href('home.create.import') },
        ]}
      />
      <Stepper
        label={t('steps.label')}
        steps={steps.map((one) => ({ id: one, name: t(`steps.${one}`) }))}
        current={step}
        {...(step !== 'report' && isRead(it) && { onStep: reopen })}
      />
      {id !== '' && it === undefined ? (
        <ResultState result={{ data: it, error, isFetching, refetch }} skeleton={<RowsSkeleton />}>
          {() => null}
        </ResultState>
      ) : it === undefined || step === 'source' ? (
        <SourceStep it={it} uploads={uploads} onOpen={open} />
      ) : (
        <Decisions key={`${it.id} ${it.plan === null}`} it={it} step={step} onStep={onStep} onNew={onNew} />
      )}
    </Box>
  );
}
