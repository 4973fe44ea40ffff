import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { LinkDialog } from './LinkDialog';
import { LinkItem } from './LinkItem';
import { useSharesQuery } from './sharingApi';

/** Shares: what each shows, when it was opened, and ways to create, change and revoke them. */
export function LinksTab({ site, edit, onEdit }: { readonly site: Site; readonly edit: string; readonly onEdit: (id: string) => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const answer = useSharesQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const edited = answer.data?.find(({ id }) => id === edit);
  const make = (
    <Button variant="contained" onClick={() => onEdit('new')}>
      {t('links.make')}
    </Button>
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', justifyContent: 'space-between', gap: 2, mb: 2 }}>
        <Typography variant="body2" sx={{ flex: '1 1 320px', maxWidth: 640, color: 'text.secondary' }}>
          {t('links.lead')}
        </Typography>
        {(answer.data?.length ?? 0) > 0 && make}
      </Box>
      <ListContent
        answer={answer}
        rowsOf={(rows) => rows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="rows" title={t('links.empty')} action={make}>
            {t('links.emptyText')}
          </EmptyState>
        }
      >
        {(shares) => (
          <RowList label={t('links.label')}>
            {shares.map((share) => (
              <LinkItem key={share.id} siteId={site.id} share={share} onEdit={() => onEdit(share.id)} />
            ))}
          </RowList>
        )}
      </ListContent>
      {edit === 'new' && <LinkDialog site={site} share={null} onClose={() => onEdit('')} />}
      {edited !== undefined && <LinkDialog key={edited.id} site={site} share={edited} onClose={() => onEdit('')} />}
    </>
  );
}
