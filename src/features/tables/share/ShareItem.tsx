import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewShare } from '@contract/tables/shares';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { useRemoveViewShareMutation, useTakeOverViewShareMutation } from './shareApi';
import { embedCode } from './shareInput';

/** One link: what it opens, how it is guarded and used, and what can be done with it. */
export const ShareItem = ({
  siteId,
  share,
  place,
  onEdit,
}: {
  readonly siteId: string;
  readonly share: ViewShare;
  /** Which table and view, where that is not plain. */ readonly place: boolean;
  readonly onEdit: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [remove, removing] = useRemoveViewShareMutation();
  const [takeOver, takingOver] = useTakeOverViewShareMutation();
  const [now] = useState(() => Date.now());
  const { name, form } = share;
  const over = share.expiresAt !== null && Date.parse(share.expiresAt) <= now;
  const works = !over && share.stopped === null;
  const day = (at: string) => format.date(at, { weekday: false });
  const end = async () => {
    if (!(await confirm({ title: t('share.endTitle', { name }), body: t('share.endText'), confirm: t('share.end'), danger: true }))) return;
    const { error } = await remove({ siteId, id: share.id });
    if (isFailure(error) && error.status !== 404) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    else dispatch(noticeShown({ words: { key: 'tableTransfer:share.ended', values: { name } } }));
  };
  const take = async () => {
    const { error } = await takeOver({ siteId, id: share.id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    else dispatch(noticeShown({ words: { key: 'tableTransfer:share.takenOver', values: { name } } }));
  };
  const marks = [share.hasPassword && t('share.locked'), share.drafts && t('share.withDrafts'), share.download && t('share.canDownload')].filter(
    (mark) => mark !== false,
  );
  const facts = [
    ...(form === null || form.standing === 'open' || form.standing === 'stopped' ? [] : [t(`share.form.standing.${form.standing}`)]),
    ...(form === null
      ? []
      : [
          form.limit === null
            ? t('share.form.answers', { n: format.number(form.answers) })
            : t('share.form.answersOf', { n: format.number(form.answers), limit: format.number(form.limit) }),
        ]),
    ...(form === null || form.refused === 0 ? [] : [t('share.form.refused', { n: format.number(form.refused) })]),
    over ? t('share.over') : share.expiresAt === null ? t('share.forever') : t('share.until', { date: day(share.expiresAt) }),
    share.lastUsedAt === null ? t('share.unused') : t('share.used', { n: format.number(share.opened), when: format.relative(share.lastUsedAt) }),
    t('share.madeBy', { name: share.createdBy, date: day(share.createdAt) }),
  ];
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', ...(!works && { color: 'text.secondary' }) }}>
          {name}
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
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, alignItems: 'center' }}>
        {works && <CopyButton text={share.url}>{t('share.copy')}</CopyButton>}
        {works && (
          <Button size="small" component="a" href={share.url} target="_blank" rel="noreferrer">
            {t(form === null ? 'share.open' : 'share.form.open')}
          </Button>
        )}
        {works && form !== null && form.embeds.length > 0 && <CopyButton text={embedCode(share)}>{t('share.form.embedCode')}</CopyButton>}
        {share.stopped !== null && (
          <Button size="small" onClick={() => void take()} aria-busy={takingOver.isLoading} aria-label={t('share.takeOverNamed', { name })}>
            {t('share.takeOver')}
          </Button>
        )}
        {onEdit && (
          <Button size="small" onClick={onEdit} aria-label={t('share.editNamed', { name })}>
            {t('share.edit')}
          </Button>
        )}
        <Button size="small" onClick={() => void end()} aria-busy={removing.isLoading} aria-label={t('share.endNamed', { name })}>
          {t('share.end')}
        </Button>
      </Box>
    </Box>
  );
};
