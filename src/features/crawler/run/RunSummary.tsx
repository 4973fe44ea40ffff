import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { severities } from '@contract/crawler/terms';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { KeyFigure } from '@/ui/KeyFigure';
import { RenderingNote } from './RenderingNote';
import { StatusMix } from './StatusMix';
import '../crawler.css';

const reasons = ['pages', 'megabytes', 'minutes', 'robots', 'process'] as const;

type Props = {
  readonly run: CrawlRunDetail;
  /** It may be an older one. */
  readonly isChosen: boolean;
  /** Its extracted rows are counted instead of its issues. */
  readonly isExtraction: boolean;
};

/** A run that has ended, in figures. */
export function RunSummary({ run, isChosen, isExtraction }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const { counters, score, activeMs, newIssues, fixedIssues, reason, state } = run;
  const known = reasons.find((one) => one === reason);
  const rows = run.rows.reduce((sum, one) => sum + one.rows, 0);
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
        {isExtraction ? (
          <KeyFigure name={t('tab.rows')} value={format.compact(rows)} exact={format.number(rows)} />
        ) : (
          <KeyFigure name={t('column.score')} value={score === null ? '–' : format.number(Math.round(score))} below={t('summary.ofHundred')} />
        )}
        <KeyFigure
          name={t('column.pages')}
          value={format.compact(counters.pages)}
          exact={format.number(counters.pages)}
          below={bytesText(counters.bytes, format)}
        />
        {!isExtraction && (
          <>
            {severities.map((severity) => (
              <KeyFigure
                key={severity}
                name={t(`severity.${severity}`)}
                value={format.compact(counters.issues[severity])}
                exact={format.number(counters.issues[severity])}
              />
            ))}
            <KeyFigure
              name={t('summary.changes')}
              value={t('list.changes', { found: format.compact(newIssues), fixed: format.compact(fixedIssues) })}
              below={t('summary.changesText')}
            />
          </>
        )}
        <KeyFigure name={t('summary.duration')} value={format.duration(activeMs / 1000)} />
      </div>
      <RenderingNote run={run} />
      <StatusMix run={run} />
    </section>
  );
}
