import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '@contract/shares/schemas';
import { useFilterLabels } from '@/features/analytics/useFilterLabels';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';
import { useScreenName } from './screens';

/** The HTML element that embeds a link's card in another page. */
const embedding = (card: string, name: string, language: string): string =>
  `<iframe src="${card}${language === 'en' ? '?lang=en' : ''}" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="360" height="180" loading="lazy" style="border:0"></iframe>`;

type ItemProps = {
  readonly share: Share;
  readonly now: number;
  readonly onEdit: () => void;
  readonly onTakeOver: () => void;
  readonly onRemove: () => void;
};

const hasEnded = ({ expiresAt }: Share, now: number): boolean => expiresAt !== null && Date.parse(expiresAt) <= now;

/** One share as a row; the link can be copied and opened while it works. */
export const LinkItem = (props: ItemProps): ReactElement => (
  <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
    <LinkFacts share={props.share} ended={hasEnded(props.share, props.now)} />
    <LinkActions {...props} />
  </Box>
);

const LinkName = ({ share, ended }: { readonly share: Share; readonly ended: boolean }): ReactElement => {
  const { t } = useTranslation('sharing');
  const marks = [share.hasPassword && t('links.locked'), share.card !== null && t('links.card')].filter((mark) => mark !== false);
  return (
    <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', ...((ended || share.stopped !== null) && { color: 'text.secondary' }) }}>
      {share.name}
      {ended && (
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
  );
};

const LinkFacts = ({ share, ended }: { readonly share: Share; readonly ended: boolean }): ReactElement => {
  const { t } = useTranslation('sharing');
  const format = useFormat();
  const filterLabels = useFilterLabels();
  const screenName = useScreenName();
  const day = (at: string) => format.date(at, { weekday: false });
  return (
    <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
      <LinkName share={share} ended={ended} />
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
  );
};

const LinkActions = ({ share, now, onEdit, onTakeOver, onRemove }: ItemProps): ReactElement => {
  const { t, i18n } = useTranslation('sharing');
  const works = !hasEnded(share, now) && share.stopped === null;
  return (
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
  );
};
