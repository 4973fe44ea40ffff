import type { Site } from '@contract/sites/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { useOnlineQuery } from './analyticsApi';
import { useLabels } from './useLabels';

const Online = styled(Link)({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  color: 'var(--ink-2)',
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  '&:hover': { color: 'var(--ink)' },
  '& > span': { width: 8, height: 8, borderRadius: '50%', background: 'var(--good)' },
  '@media (pointer: coarse)': { minHeight: 44 },
});
const pollMs = 15_000;

/** How many visitors are online, with a link to the live list; nothing until the first answer. */
export const LiveDot = ({ site }: { readonly site: Site }): ReactElement | null => {
  const { t, format } = useLabels();
  const { currentData } = useOnlineQuery({ siteId: site.id }, { pollingInterval: pollMs, skipPollingIfUnfocused: true });
  if (currentData === undefined) return null;
  const { online } = currentData;
  return (
    <Online to={href('site.als.latest', { siteId: site.id })} title={t('latest.onlineHelp')}>
      <span aria-hidden />
      {t('latest.onlineCount', { count: online, countText: format.number(online) })}
    </Online>
  );
};
