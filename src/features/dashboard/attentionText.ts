import type { AttentionItem } from '@contract/dashboard/schemas';
import type { TFunction } from 'i18next';

type Formats = { readonly bytes: (bytes: number) => string; readonly number: (value: number) => string; readonly day: (day: string) => string };

/** The sentence of a matter. Values that are codes become words. */
export function attentionText(t: TFunction<['dashboard', 'jobs']>, { kind, values }: AttentionItem, { bytes, number, day }: Formats): string {
  const text = (name: string): string => String(values[name] ?? '');
  const count = Number(values['count'] ?? values['days'] ?? 0);
  switch (kind) {
    case 'errors_spike':
      return t(`matter.${kind}`, { count: Number(values['failed'] ?? 0), all: number(Number(values['requests'] ?? 0)) });
    case 'robots_block_all':
      return t(values['by'] === 'settings' ? 'matter.robots_closed' : 'matter.robots_block_all');
    case 'filing_overdue':
    case 'filing_due':
      return t(`matter.${kind}`, { what: t(`deadline.${text('deadline') as 'domain_expiry'}`), filing: text('filing'), date: day(text('on')) });
    case 'country_database':
      return t(values['problem'] === 'no_database' ? 'matter.country_no_database' : 'matter.country_database_old');
    case 'certificate_expiring':
      return t('matter.certificate_expiring', { host: text('host'), count });
    case 'import_failed':
    case 'crawl_failed':
    case 'job_failed':
      return t('matter.job_failed', { job: t(`jobs:kind.${text('job') as 'site.purge'}`, { name: text('label') }) });
    case 'storage_full':
      return t('matter.storage_full', { used: bytes(Number(values['usedBytes'] ?? 0)), max: bytes(Number(values['maxBytes'] ?? 0)) });
    default:
      return t(`matter.${kind}`, { host: text('host'), number: text('number'), page: text('page'), count });
  }
}
