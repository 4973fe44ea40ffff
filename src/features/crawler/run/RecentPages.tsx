import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { useFormat } from '@/lib/format';
import { Section } from '@/ui/Section';

/** The pages that were read last. */
export function RecentPages({ run }: { readonly run: CrawlRunDetail }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  return (
    <Section title={t('live.recent')}>
      {run.recent.length === 0 ? (
        <p>{t('live.noPages')}</p>
      ) : (
        <ol className="crawl-log">
          {run.recent.map(({ url, status, error, ms, at }) => (
            <li key={`${url} ${at}`}>
              <span title={format.dateTime(at, { seconds: true })}>{status === 0 ? '–' : status}</span>
              <span>{error === null ? t('live.ms', { ms: format.number(ms) }) : t(`error.${error}`)}</span>
              <span title={url}>{url}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
