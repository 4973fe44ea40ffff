import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawledPageDetail } from '@contract/crawler/inventorySchemas';

/** A page as social networks show it. Its picture belongs to somebody else, so it is named and not loaded. */
export function SocialPreview({ page }: { readonly page: CrawledPageDetail }): ReactElement {
  const { t } = useTranslation('inventory');
  const { openGraph, twitter } = page.facts;
  const of = (name: string): string => openGraph[`og:${name}`] ?? openGraph[name] ?? twitter[`twitter:${name}`] ?? twitter[name] ?? '';
  const image = of('image');
  return (
    <figure className="inventory-card" aria-label={t('page.social')}>
      <div className="inventory-card-image">{image === '' ? t('page.noImage') : image}</div>
      <small>{new URL(page.url).host}</small>
      <b>{of('title') || (page.title ?? '')}</b>
      <p>{of('description') || (page.description ?? '')}</p>
    </figure>
  );
}
