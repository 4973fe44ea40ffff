import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawledPageDetail } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import { StatusTag } from '../parts';

/** The page in earlier runs, and what changed from one to the next. */
export function PageHistory({ page }: { readonly page: CrawledPageDetail }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  return (
    <ul className="inventory-rows" aria-label={t('view.history')}>
      {page.history.map((entry) => (
        <li key={entry.runId}>
          <div className="inventory-row">
            <b>{t('run.name', { crawler: entry.crawlerName, number: entry.number })}</b>
            <span className="inventory-quiet">{format.dateTime(entry.at)}</span>
          </div>
          <div className="inventory-chips">
            <StatusTag page={{ status: entry.status, error: null }} />
            <Tag>{t(`indexing.${entry.indexReason}`)}</Tag>
            <span className="inventory-quiet">{t('issue.count', { count: entry.issues, countText: format.number(entry.issues) })}</span>
            {entry.changed.map((field) => (
              <Tag key={field} tone="info">
                {t('compare.fieldChanged', { field: t(`field.${field}`) })}
              </Tag>
            ))}
          </div>
          {entry.title !== null && <p className="inventory-quiet">{entry.title}</p>}
        </li>
      ))}
    </ul>
  );
}
