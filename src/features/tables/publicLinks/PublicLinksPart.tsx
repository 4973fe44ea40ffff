import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { useViewPublicLinksQuery } from './publicLinksApi';
import { PublicLinkItem } from './PublicLinkItem';

/** Everything of a site's tables that can be opened by a link without an account. */
export default function PublicLinksPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableTransfer');
  const result = useViewPublicLinksQuery({ siteId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <p className="admin-note">{t('publicLink.adminNote')}</p>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        skeletonRows={4}
        empty={
          <EmptyState ghost="rows" title={t('publicLink.empty')}>
            {t('publicLink.emptyText')}
          </EmptyState>
        }
      >
        {(links) => (
          <RowList label={t('publicLink.label')}>
            {links.map((link) => (
              <PublicLinkItem key={link.id} siteId={siteId} publicLink={link} place onEdit={null} />
            ))}
          </RowList>
        )}
      </ListContent>
    </>
  );
}
