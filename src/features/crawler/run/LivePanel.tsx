import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { KeyFigure } from '@/ui/KeyFigure';
import { ProgressBar } from '@/ui/JobProgress';
import { Section } from '@/ui/Section';
import { RecentPages } from './RecentPages';
import { RenderingNote } from './RenderingNote';
import { StatusMix } from './StatusMix';
import '../crawler.css';

type Open = CrawlRunDetail & { readonly progress: NonNullable<CrawlRunDetail['progress']> };

function Figures({ run: { counters, progress } }: { readonly run: Open }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const { pagesPerSecond, bytesPerSecond, latency, remainingMs } = progress;
  return (
    <div className="crawl-figures">
      <KeyFigure
        name={t('live.speed')}
        value={format.decimal(pagesPerSecond, 1)}
        below={t('live.perSecond', { bytes: bytesText(Math.round(bytesPerSecond), format) })}
      />
      <KeyFigure
        name={t('live.pages')}
        value={format.compact(counters.pages)}
        exact={format.number(counters.pages)}
        below={bytesText(counters.bytes, format)}
      />
      <KeyFigure
        name={t('live.queued')}
        value={format.compact(counters.queued)}
        exact={format.number(counters.queued)}
        below={t('live.discovered', { count: counters.discovered, n: format.compact(counters.discovered) })}
      />
      <KeyFigure name={t('live.errors')} value={format.compact(counters.errors)} exact={format.number(counters.errors)} below={t('live.errorsText')} />
      <KeyFigure
        name={t('live.latency')}
        value={latency === null ? '–' : t('live.ms', { ms: format.number(latency.median) })}
        below={latency === null ? '' : t('live.p95', { ms: format.number(latency.p95) })}
      />
      <KeyFigure
        name={t('live.remaining')}
        value={remainingMs === null ? '–' : format.duration(remainingMs / 1000)}
        below={remainingMs === null ? '' : t('live.remainingText')}
      />
    </div>
  );
}

function Hosts({ hosts }: { readonly hosts: Open['progress']['hosts'] }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  return (
    <Section title={t('live.hosts')} note={t('live.hostsText')}>
      {hosts.length === 0 && <p>{t('live.noHosts')}</p>}
      <ul className="crawl-mix" style={{ flexDirection: 'column' }}>
        {hosts.map(({ host, limit, active, delayMs, averageMs, closed }) => (
          <li key={host}>
            <b>{host}</b>{' '}
            {closed
              ? t('live.closed')
              : t('live.host', {
                  active: format.number(active),
                  limit: format.number(Math.round(limit)),
                  average: format.number(Math.round(averageMs)),
                  delay: format.number(Math.round(delayMs)),
                })}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** An open run: speed, queue, what the site answers, how gently it is treated, and the pages that were read last. */
export function LivePanel({ run }: { readonly run: CrawlRunDetail }): ReactElement | null {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const { progress, counters, state } = run;
  if (progress === null) return null;
  const known = counters.pages + counters.queued;
  const share = known === 0 || state === 'queued' ? null : Math.min(1, counters.pages / Math.max(1, Math.min(known, run.config.limits.pages)));
  return (
    <section aria-label={t('live.title', { number: run.number })}>
      <p role="status" style={{ margin: '0 0 8px' }}>
        {t(`live.state.${state}`, { number: run.number })}
        {progress.workers > 1 && ` ${t('live.workers', { count: progress.workers, n: format.number(progress.workers) })}`}
      </p>
      {(state === 'running' || state === 'queued') && <ProgressBar label={t('live.progress')} share={share} />}
      {!run.verified && (
        <Alert severity="info" sx={{ mt: 1 }}>
          {t('live.foreign')}
        </Alert>
      )}
      {progress.pace !== null && (
        <Alert severity="info" sx={{ mt: 1 }}>
          {t(progress.workers > 1 ? 'live.paceEach' : 'live.pace', { n: format.number(progress.pace) })}
        </Alert>
      )}
      <RenderingNote run={run} />
      {progress.pausedFamilies > 0 && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {t('live.families', { count: progress.pausedFamilies })} <Link to="?tab=families">{t('live.showFamilies')}</Link>
        </Alert>
      )}
      <Figures run={{ ...run, progress }} />
      <StatusMix run={run} />
      <div className="crawl-panes">
        <RecentPages run={run} />
        <Hosts hosts={progress.hosts} />
      </div>
    </section>
  );
}
