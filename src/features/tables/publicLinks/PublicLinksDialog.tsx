import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useViewPublicLinksQuery } from './publicLinksApi';
import { PublicLinkForm } from './PublicLinkForm';
import { PublicLinkItem } from './PublicLinkItem';

export type PublicLinksDialogProps = {
  readonly siteId: string;
  readonly table: ContentTable;
  /** null: there is no saved view to share. */ readonly view: RecordView | null;
  /** Whether the screen differs from the saved view. */ readonly changed: boolean;
  readonly onClose: () => void;
};

/** Links to the active view: create, copy, change, revoke. */
const PublicLinksDialog = ({ siteId, table, view, changed, onClose }: PublicLinksDialogProps): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const onPhone = useMedia(phone);
  const id = useId();
  const result = useViewPublicLinksQuery({ siteId }, { refetchOnMountOrArgChange: true, skip: view === null });
  const [editing, setEditing] = useState<string | null>(null);
  const publicLinks = result.data?.filter(({ viewId, form }) => viewId === view?.id && (form !== null) === (view.kind === 'form')) ?? [];
  const edited = publicLinks.find((publicLink) => publicLink.id === editing) ?? null;
  /** The form has its own cancel button. */
  const asks = view !== null && result.data !== undefined && (edited !== null || editing === 'new' || publicLinks.length === 0);
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm" fullScreen={onPhone}>
      <DialogTitle id={id}>
        {view === null ? t('publicLink.titlePlain') : t(view.kind === 'form' ? 'publicLink.form.title' : 'publicLink.title', { name: view.title })}
      </DialogTitle>
      <DialogContent>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {view === null ? t('publicLink.saveFirst') : t(view.kind === 'form' ? 'publicLink.form.lead' : 'publicLink.lead')}
        </Typography>
        {view !== null && changed && (
          <Typography variant="body2" role="note" sx={{ mt: 1, color: 'warning.main' }}>
            {t('publicLink.unsaved')}
          </Typography>
        )}
        {view !== null && (
          <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
            {() => {
              if (asks)
                return (
                  <PublicLinkForm
                    key={edited?.id ?? 'new'}
                    siteId={siteId}
                    table={table}
                    view={view}
                    publicLink={edited}
                    onSaved={() => setEditing(null)}
                    onCancel={() => (publicLinks.length === 0 ? onClose() : setEditing(null))}
                  />
                );
              return (
                <>
                  <Box component="ul" aria-label={t('publicLink.label')} sx={{ m: 0, mt: 1, p: 0, listStyle: 'none' }}>
                    {publicLinks.map((publicLink) => (
                      <PublicLinkItem key={publicLink.id} siteId={siteId} publicLink={publicLink} place={false} onEdit={() => setEditing(publicLink.id)} />
                    ))}
                  </Box>
                  <Button sx={{ mt: 2 }} variant="outlined" onClick={() => setEditing('new')}>
                    {t('publicLink.another')}
                  </Button>
                </>
              );
            }}
          </ResultState>
        )}
      </DialogContent>
      {!asks && (
        <DialogActions sx={{ padding: '8px 24px 16px' }}>
          <Button onClick={onClose}>{t('publicLink.close')}</Button>
        </DialogActions>
      )}
    </Dialog>
  );
};
export default PublicLinksDialog;
