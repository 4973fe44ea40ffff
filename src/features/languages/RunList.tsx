import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranslationRun } from '@contract/languages/translations';
import type { EngineKind, ExchangeFormat, RunKind } from '@contract/languages/translationTerms';
import { isRunning } from '@/features/jobs/jobsSlice';
import { useJob } from '@/features/jobs/useJob';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { ListContent } from '@/ui/list/ListContent';
import { Section } from '@/ui/Section';
import { translationsChanged, useTranslationRunsQuery, useUndoTranslationRunMutation } from './translationsApi';

function Run({ siteId, run }: { readonly siteId: string; readonly run: TranslationRun }): ReactElement {
  const { t } = useTranslation('translations');
  const { number, dateTime } = useFormat();
  const languageName = useLanguageName();
  const dispatch = useAppDispatch();
  const [undo, { isLoading }] = useUndoTranslationRunMutation();
  const { job, stop, stopping } = useJob(run.jobId, () => void dispatch(translationsChanged()));
  const running = job !== undefined && isRunning(job);
  const label = run.kind === 'machine' ? t(`engine.${run.label as EngineKind}`) : t(`format.${run.label as ExchangeFormat}`);
  const takeBack = async (): Promise<void> => notifyFailure(dispatch, (await undo({ siteId, runId: run.id })).error);
  return (
    <li>
      <p>
        <b>{t(`run.${run.kind}`, { language: languageName(run.tag), label })}</b>{' '}
        <span className="translation-quiet">
          {dateTime(run.at)} {run.by}
        </span>
      </p>
      {running ? (
        <JobProgress title={t('running')} share={shareDone(job.done, job.total)} stop={{ label: t('stop'), busy: stopping, onStop: () => void stop() }} />
      ) : (
        <p>
          {t('runCounts', { changed: number(run.changed), refused: number(run.refused) })}
          {job?.error !== undefined && job.error !== null && ` ${job.error}`}
        </p>
      )}
      {!running && run.undoneAt === null && run.changed > 0 && (
        <Button size="small" variant="outlined" disabled={isLoading} onClick={() => void takeBack()}>
          {t('undo')}
        </Button>
      )}
      {run.undoneAt !== null && <p className="translation-quiet">{t('undone', { time: dateTime(run.undoneAt) })}</p>}
    </li>
  );
}

/** Imports or machine translations, the latest first; each can be taken back as a whole. */
export function RunList({ siteId, kind }: { readonly siteId: string; readonly kind: RunKind }): ReactElement {
  const { t } = useTranslation('translations');
  const result = useTranslationRunsQuery({ siteId }, { refetchOnMountOrArgChange: true });
  return (
    <Section title={t(`runs.${kind}`)} note={t('runsNote')}>
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows.filter((run) => run.kind === kind)}
        skeletonRows={2}
        empty={<EmptyState title={t(`noRuns.${kind}`)} />}
      >
        {(rows) => (
          <ul className="translation-runs" aria-label={t(`runs.${kind}`)}>
            {rows.map((run) => (
              <Run key={run.id} siteId={siteId} run={run} />
            ))}
          </ul>
        )}
      </ListContent>
    </Section>
  );
}
