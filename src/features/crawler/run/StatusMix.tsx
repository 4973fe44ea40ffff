import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRun } from '@contract/crawler/schemas';
import { useFormat } from '@/lib/format';

const tones: Readonly<Record<string, string>> = { '4': 'bad', '5': 'bad', '0': 'bad', '3': 'warning' };

/** Pages by the first digit of their status. */
export function StatusMix({ run }: { readonly run: CrawlRun }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const entries = Object.entries(run.counters.statuses).filter(([, count]) => count > 0);
  return (
    <ul className="crawl-mix" aria-label={t('live.statuses')}>
      {entries.map(([digit, count]) => (
        <li key={digit}>
          <span {...(tones[digit] === undefined ? {} : { 'data-tone': tones[digit] })}>{digit === '0' ? t('live.noResponse') : `${digit}xx`}</span>{' '}
          <b>{format.number(count)}</b>
        </li>
      ))}
      {run.counters.skipped > 0 && (
        <li>
          {t('live.skipped')} <b>{format.number(run.counters.skipped)}</b>
        </li>
      )}
    </ul>
  );
}
