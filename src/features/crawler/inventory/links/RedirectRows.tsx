import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRedirect } from '@contract/crawler/inventorySchemas';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import { PageLink, StatusTag } from '../parts';

/** Redirects with every hop on the way. */
export function RedirectRows({ rows }: { readonly rows: readonly CrawlRedirect[] }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  return (
    <ul className="inventory-rows" aria-label={t('links.views.redirects')}>
      {rows.map(({ from, hops, loops, linksIn }) => (
        <li key={from.urlId}>
          <ol className="inventory-hops">
            {[from, ...hops].map((page, at) => (
              <li key={`${String(page.urlId)}-${String(at)}`}>
                {page.status !== null && <StatusTag page={{ status: page.status, error: null }} />} <PageLink page={page} />
              </li>
            ))}
          </ol>
          <div className="inventory-chips">
            {loops && <Tag tone="bad">{t('links.loop')}</Tag>}
            {hops.length > 1 && !loops && <Tag tone="warning">{t('links.hops', { count: hops.length })}</Tag>}
            <span className="inventory-quiet">{t('links.linked', { count: linksIn, countText: format.number(linksIn) })}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
