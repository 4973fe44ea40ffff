import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicLink } from '@contract/tables/publicLinks';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { useFailureNotice } from '@/features/tables/useFailureNotice';
import { useRemoveViewShareMutation, useTakeOverViewShareMutation } from './publicLinksApi';
import { embedCode } from './publicLinkInput';

/** Revokes a link after confirmation, and takes over one whose maker has lost the right to it. */
function usePublicLinkActions(siteId: string, share: PublicLink) {
  const { t } = useTranslation('tableTransfer');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const notifyFailure = useFailureNotice();
  const [remove, removing] = useRemoveViewShareMutation();
  const [takeOver, takingOver] = useTakeOverViewShareMutation();
  const { id, name } = share;
  return {
    ending: removing.isLoading,
    takingOver: takingOver.isLoading,
    end: async (): Promise<void> => {
      if (!(await confirm({ title: t('share.endTitle', { name }), body: t('share.endText'), confirm: t('share.end'), danger: true }))) return;
      const { error } = await remove({ siteId, id });
      if (isFailure(error) && error.status !== 404) notifyFailure(error);
      else dispatch(noticeShown({ message: { key: 'tableTransfer:share.ended', values: { name } } }));
    },
    takeOver: async (): Promise<void> => {
      const { error } = await takeOver({ siteId, id });
      if (isFailure(error)) notifyFailure(error);
      else dispatch(noticeShown({ message: { key: 'tableTransfer:share.takenOver', values: { name } } }));
    },
  };
}

/** Facts about a link: answers to its form, expiry, number of visits, and its maker. */
function useFacts({ form, ...share }: PublicLink, isOver: boolean): string[] {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const day = (at: string) => format.date(at, { weekday: false });
  const ofForm = form && [
    ...(form.status === 'open' || form.status === 'stopped' ? [] : [t(`share.form.status.${form.status}`)]),
    form.limit === null
      ? t('share.form.answers', { n: format.number(form.answers) })
      : t('share.form.answersOf', { n: format.number(form.answers), limit: format.number(form.limit) }),
    ...(form.refused === 0 ? [] : [t('share.form.refused', { n: format.number(form.refused) })]),
  ];
  return [
    ...(ofForm ?? []),
    isOver ? t('share.over') : share.expiresAt === null ? t('share.forever') : t('share.until', { date: day(share.expiresAt) }),
    share.lastUsedAt === null ? t('share.unused') : t('share.used', { n: format.number(share.opened), when: format.relative(share.lastUsedAt) }),
    t('share.madeBy', { name: share.createdBy, date: day(share.createdAt) }),
  ];
}

const Description = ({
  share,
  works,
  isOver,
  place,
}: {
  readonly share: PublicLink;
  readonly works: boolean;
  readonly isOver: boolean;
  readonly place: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const facts = useFacts(share, isOver);
  const marks = [share.hasPassword && t('share.locked'), share.drafts && t('share.withDrafts'), share.download && t('share.canDownload')].filter(
    (mark) => mark !== false,
  );
  return (
    <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
      <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', ...(!works && { color: 'text.secondary' }) }}>
        {share.name}
        {marks.map((mark) => (
          <Typography key={mark} component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {mark}
          </Typography>
        ))}
      </Typography>
      {place && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('share.place', { table: share.tableTitle, view: share.viewTitle })}
        </Typography>
      )}
      {share.stopped !== null && (
        <Typography variant="caption" component="div" sx={{ color: 'error.main' }}>
          {t(`share.stopped.${share.stopped}`)}
        </Typography>
      )}
      <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
        {facts.join(' · ')}
      </Typography>
    </Box>
  );
};

/** One public link: what it opens, its protection and usage, and its actions. */
export const PublicLinkItem = ({
  siteId,
  share,
  place,
  onEdit,
}: {
  readonly siteId: string;
  readonly share: PublicLink;
  /** Whether to show the table and view. */ readonly place: boolean;
  readonly onEdit: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { ending, takingOver, end, takeOver } = usePublicLinkActions(siteId, share);
  const [now] = useState(() => Date.now());
  const { name, form } = share;
  const isOver = share.expiresAt !== null && Date.parse(share.expiresAt) <= now;
  const works = !isOver && share.stopped === null;
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Description share={share} works={works} isOver={isOver} place={place} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, alignItems: 'center' }}>
        {works && <CopyButton text={share.url}>{t('share.copy')}</CopyButton>}
        {works && (
          <Button size="small" component="a" href={share.url} target="_blank" rel="noreferrer">
            {t(form === null ? 'share.open' : 'share.form.open')}
          </Button>
        )}
        {works && form !== null && form.embeds.length > 0 && <CopyButton text={embedCode(share)}>{t('share.form.embedCode')}</CopyButton>}
        {share.stopped !== null && (
          <Button size="small" onClick={() => void takeOver()} aria-busy={takingOver} aria-label={t('share.takeOverNamed', { name })}>
            {t('share.takeOver')}
          </Button>
        )}
        {onEdit && (
          <Button size="small" onClick={onEdit} aria-label={t('share.editNamed', { name })}>
            {t('share.edit')}
          </Button>
        )}
        <Button size="small" onClick={() => void end()} aria-busy={ending} aria-label={t('share.endNamed', { name })}>
          {t('share.end')}
        </Button>
      </Box>
    </Box>
  );
};
