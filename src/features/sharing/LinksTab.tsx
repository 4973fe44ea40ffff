import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '@contract/shares/schemas';
import type { Site } from '@contract/sites/schemas';
import { useFilterLabels } from '@/features/analytics/useFilterLabels';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { LinkDialog } from './LinkDialog';
import { useRemoveShareMutation, useSharesQuery, useTakeOverShareMutation } from './sharingApi';
import { useScreenName } from './screens';

/** The HTML element that embeds a link's card in another page. */
const embedding = (card: string, name: string, language: string): string =>
  `<iframe src="${card}${language === 'en' ? '?lang=en' : ''}" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="360" height="180" loading="lazy" style="border:0"></iframe>`;

function LinkItem({
  share,
  now,
  onEdit,
  onTakeOver,
  onRemove,
}: {
  readonly share: Share;
  readonly now: number;
  readonly onEdit: () => void;
  readonly onTakeOver: () => void;
  readonly onRemove: () => void;
}): ReactElement {
  const { t, i18n } = useTranslation('sharing');
  const format = useFormat();
  const filterLabels = useFilterLabels();
  const screenName = useScreenName();
  const over = share.expiresAt !== null && Date.parse(share.expiresAt) <= now;
  const works = !over && share.stopped === null;
  const marks = [share.hasPassword && t('links.locked'), share.card !== null && t('links.card')].filter((mark) => mark !== false);
  const day = (at: string) => format.date(at, { weekday: false });
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', ...(!works && { color: 'text.secondary' }) }}>
          {share.name}
          {over && (
            <Typography component="span" variant="caption" sx={{ ml: 1, color: 'error.main', whiteSpace: 'nowrap' }}>
              {t('links.ended')}
            </Typography>
          )}
          {marks.map((mark) => (
            <Typography key={mark} component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary', whiteSpace: 'nowrap' }}>
              {mark}
            </Typography>
          ))}
        </Typography>
        {share.stopped !== null && (
          <Typography variant="caption" component="div" sx={{ color: 'error.main' }}>
            {t(`links.stopped.${share.stopped}`)}
          </Typography>
        )}
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {share.screens.map(screenName).join(t('links.comma'))}
        </Typography>
        {share.filters.length > 0 && (
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {t('links.filtered', {
              filters: filterLabels(share.filters).join(t('links.comma')),
            })}
          </Typography>
        )}
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {[
            share.expiresAt === null ? t('links.forever') : t('links.until', { date: day(share.expiresAt) }),
            share.lastUsedAt === null
              ? t('links.never')
              : `${t('links.opened', { n: share.opened })} · ${t('links.lastUsed', { when: format.relative(share.lastUsedAt) })}`,
            t('links.madeBy', { name: share.createdBy, date: day(share.createdAt) }),
          ].join(' · ')}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {works && <CopyButton text={share.url}>{t('links.copy')}</CopyButton>}
        {works && share.card !== null && <CopyButton text={embedding(share.card, share.name, i18n.language)}>{t('links.copyCard')}</CopyButton>}
        {works && (
          <Button component="a" href={share.url} target="_blank" rel="noreferrer">
            {t('links.open')}
          </Button>
        )}
        {share.stopped !== null && (
          <Button onClick={onTakeOver} aria-label={t('links.takeOverNamed', { name: share.name })}>
            {t('links.takeOver')}
          </Button>
        )}
        <Button onClick={onEdit} aria-label={t('links.editNamed', { name: share.name })}>
          {t('links.edit')}
        </Button>
        <Button variant="outlined" onClick={onRemove} aria-label={t('links.removeNamed', { name: share.name })}>
          {t('links.remove')}
        </Button>
      </Box>
    </Box>
  );
}

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
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={3} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(shares) =>
          shares.length === 0 ? (
            <EmptyState title={t('links.empty')} action={make}>
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
