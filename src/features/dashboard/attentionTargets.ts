import type { AttentionItem } from '@contract/dashboard/schemas';
import { href } from '@/routes/paths';

/** The address of the screen on which a matter can be looked into. */
export function targetOf({ kind, values }: Pick<AttentionItem, 'kind' | 'values'>, siteId: string): string {
  switch (kind) {
    case 'site_down':
      return '#uptime';
    case 'certificate_expired':
    case 'certificate_expiring':
    case 'hostname_error':
    case 'hostname_problem':
      return href('site.setting.hostname', { siteId });
    case 'errors_spike':
    case 'publish_failed':
      return href('site.setting.base.releases', { siteId });
    case 'robots_block_all':
      return values['by'] === 'settings' ? href('site.setting.base', { siteId }) : `${href('site.seo', { siteId })}?tab=robots`;
    case 'filing_overdue':
    case 'filing_due':
      return href('site.beian', { siteId });
    case 'conversations_waiting':
      return `/site/${siteId}/cs`;
    case 'country_database':
      return href('site.setting.countryBlock', { siteId });
    case 'import_failed':
      return values['job'] === 'analytics.import' ? href('site.setting.imports', { siteId }) : href('home.create.import');
    case 'crawl_failed':
      return href('developer.crawler.site', { siteId });
    case 'job_failed':
      return String(values['job']).startsWith('tables.') ? href('site.table.admin', { siteId }) : href('site.resource', { siteId });
    case 'storage_full':
      return href('site.resource', { siteId });
    case 'hits_refused':
      return href('site.setting.measuring', { siteId });
    case 'theme_failing':
      return href('site.setting.base.theme', { siteId });
    case 'vitals_over_budget':
      return `${href('developer.webcv')}?site=${siteId}`;
    case 'no_security_contact':
      return href('account.contacts');
  }
}
