import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '@contract/shares/schemas';
import type { Site } from '@contract/sites/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { LinkDialog } from './LinkDialog';
import { LinkItem } from './LinkItem';
import { useRemoveShareMutation, useSharesQuery, useTakeOverShareMutation } from './sharingApi';

/** Shares: what each shows, when it was opened, and ways to create, change and revoke them. */
export function LinksTab({ site, edit, onEdit }: { readonly site: Site; readonly edit: string; readonly onEdit: (id: string) => void }): ReactElement {
  const { t } = useTranslation('sharing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const answer = useSharesQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const [remove] = useRemoveShareMutation();
  const [takeOver] = useTakeOverShareMutation();
  const [now] = useState(() => Date.now());
  const edited = answer.data?.find(({ id }) => id === edit);

  const end = async ({ id, name }: Share) => {
    if (!(await confirm({ title: t('links.removeTitle', { name }), body: t('links.removeText'), confirm: t('links.remove'), danger: true }))) return;
    const { error } = await remove({ siteId: site.id, id });
    if (isFailure(error) && error.status !== 404) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key: 'sharing:links.removed', values: { name } } }));
  };
  const take = async ({ id, name }: Share) => {
    const { error } = await takeOver({ siteId: site.id, id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key: 'sharing:links.takenOver', values: { name } } }));
  };
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
      <AnswerState answer={answer} skeleton={<RowsSkeleton rows={3} />}>
        {(shares) =>
          shares.length === 0 ? (
            <EmptyState ghost="rows" title={t('links.empty')} action={make}>
              {t('links.emptyText')}
            </EmptyState>
          ) : (
            <Box component="ul" aria-label={t('links.label')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
              {shares.map((share) => (
                <LinkItem
                  key={share.id}
                  share={share}
                  now={now}
                  onEdit={() => onEdit(share.id)}
                  onTakeOver={() => void take(share)}
                  onRemove={() => void end(share)}
                />
              ))}
            </Box>
          )
        }
      </AnswerState>
      {edit === 'new' && <LinkDialog site={site} share={null} onClose={() => onEdit('')} />}
      {edited !== undefined && <LinkDialog key={edited.id} site={site} share={edited} onClose={() => onEdit('')} />}
    </>
  );
}
