import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { KeyFigure } from '@/ui/KeyFigure';
import { RenderingNote } from './RenderingNote';
import { StatusMix } from './StatusMix';
import '../crawler.css';

const reasons = ['pages', 'megabytes', 'minutes', 'robots', 'process'] as const;

/** A run that has ended, in figures. `isChosen`: it is not the latest one necessarily. */
export function RunSummary({ run, isChosen }: { readonly run: CrawlRunDetail; readonly isChosen: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const { counters, score, activeMs, newIssues, fixedIssues, reason, state } = run;
  const known = reasons.find((one) => one === reason);
  const { error, warning, notice } = counters.issues;
  return (
    <section aria-label={t('summary.title', { number: run.number })}>
      <p style={{ margin: '0 0 8px' }}>
        {t('summary.when', { number: run.number, when: format.dateTime(run.finishedAt ?? run.createdAt) })}
        {isChosen && (
          <>
            {' '}
            <Link to="?">{t('summary.latest')}</Link>
          </>
        )}
      </p>
      {(state === 'failed' || state === 'limited') && (
        <Alert severity={state === 'failed' ? 'error' : 'info'} sx={{ mb: 1 }}>
          {known === undefined ? t(`summary.${state}`) : t(`reason.${known}`)}
        </Alert>
      )}
      <div className="crawl-figures">
        <KeyFigure name={t('column.score')} value={score === null ? '–' : format.number(Math.round(score))} below={t('summary.ofHundred')} />
        <KeyFigure
          name={t('column.pages')}
          value={format.compact(counters.pages)}
          exact={format.number(counters.pages)}
          below={bytesText(counters.bytes, format)}
        />
        <KeyFigure name={t('severity.error')} value={format.compact(error)} exact={format.number(error)} />
        <KeyFigure name={t('severity.warning')} value={format.compact(warning)} exact={format.number(warning)} />
        <KeyFigure name={t('severity.notice')} value={format.compact(notice)} exact={format.number(notice)} />
        <KeyFigure
          name={t('summary.changes')}
          value={t('list.changes', { found: format.compact(newIssues), fixed: format.compact(fixedIssues) })}
          below={t('summary.changesText')}
        />
        <KeyFigure name={t('summary.duration')} value={format.duration(activeMs / 1000)} />
      </div>
      <RenderingNote run={run} />
      <StatusMix run={run} />
    </section>
  );
}
