import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { PublicLinkDialog } from './PublicLinkDialog';
import { PublicLinkItem } from './PublicLinkItem';
import { usePublicLinksQuery } from './publicLinksApi';

/** The public links to reports: what each shows, when it was opened, and ways to create, change and revoke them. */
export function PublicLinksTab({ site, edit, onEdit }: { readonly site: Site; readonly edit: string; readonly onEdit: (id: string) => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const result = usePublicLinksQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const edited = result.data?.find(({ id }) => id === edit);
  const make = (
    <Button variant="contained" onClick={() => onEdit('new')}>
      {t('publicLinks.make')}
    </Button>
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', justifyContent: 'space-between', gap: 2, mb: 2 }}>
        <Typography variant="body2" sx={{ flex: '1 1 320px', maxWidth: 640, color: 'text.secondary' }}>
          {t('publicLinks.lead')}
        </Typography>
        {(result.data?.length ?? 0) > 0 && make}
      </Box>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        skeletonRows={3}
        empty={
          <EmptyState ghost="rows" title={t('publicLinks.empty')} action={make}>
            {t('publicLinks.emptyText')}
          </EmptyState>
        }
      >
        {(publicLinks) => (
          <RowList label={t('publicLinks.label')}>
            {publicLinks.map((publicLink) => (
              <PublicLinkItem key={publicLink.id} siteId={site.id} publicLink={publicLink} onEdit={() => onEdit(publicLink.id)} />
            ))}
          </RowList>
        )}
      </ListContent>
      {edit === 'new' && <PublicLinkDialog site={site} publicLink={null} onClose={() => onEdit('')} />}
      {edited !== undefined && <PublicLinkDialog key={edited.id} site={site} publicLink={edited} onClose={() => onEdit('')} />}
    </>
  );
}
