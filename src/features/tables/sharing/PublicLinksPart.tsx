import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useViewSharesQuery } from './publicLinksApi';
import { PublicLinkItem } from './PublicLinkItem';

/** Everything of a site's tables that can be opened by a link without an account. */
export default function PublicLinksPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableTransfer');
  const answer = useViewSharesQuery({ siteId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <p className="admin-note">{t('share.adminNote')}</p>
      <AnswerState answer={answer} skeleton={<RowsSkeleton rows={4} />}>
        {(shares) =>
          shares.length === 0 ? (
            <EmptyState ghost="rows" title={t('share.empty')}>
              {t('share.emptyText')}
            </EmptyState>
          ) : (
            <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }} aria-label={t('share.label')}>
              {shares.map((share) => (
                <PublicLinkItem key={share.id} siteId={siteId} share={share} place onEdit={null} />
              ))}
            </Box>
          )
        }
      </AnswerState>
    </>
  );
}
