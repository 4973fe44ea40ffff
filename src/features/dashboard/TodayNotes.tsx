import type { CardData } from '@contract/dashboard/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useAnnotationLabels } from '@/features/analytics/insights/useAnnotationLabels';
import { href } from '@/routes/paths';

type Note = CardData<'today'>['notes'][number];

/** The text of an event of today. */
export const useNoteText = (): ((note: Note) => string) => {
  const { t } = useTranslation('dashboard');
  const labelOf = useAnnotationLabels();
  return ({ kind, ...note }) => (kind === 'outage' ? t('outage') : labelOf({ kind, ...note }));
};

/** Where an event can be looked into, and most of them taken back. */
function screenOf(kind: Note['kind'], siteId: string): string | null {
  switch (kind) {
    case 'outage':
      return '#uptime';
    case 'release':
      return href('site.setting.base.releases', { siteId });
    case 'redirects_changed':
      return `${href('site.setting.base.menus', { siteId })}?part=redirects`;
    case 'robots_changed':
      return `${href('site.seo', { siteId })}?tab=robots`;
    case 'hostname_added':
    case 'hostname_removed':
    case 'primary_changed':
      return href('site.setting.hostname', { siteId });
    case 'country_block':
      return href('site.setting.countryBlock', { siteId });
    case 'identity_changed':
    case 'rules_changed':
      return href('site.setting.measuring', { siteId });
    case 'filing_shown':
    case 'filing_hidden':
      return href('site.beian', { siteId });
    default:
      return null;
  }
}

const List = styled('ul')({
  listStyle: 'none',
  margin: '0 0 12px',
  padding: 0,
  '& > li': { display: 'flex', gap: 8, padding: '4px 0', fontSize: 'var(--text-table)' },
  '& time': { color: 'var(--ink-2)', fontVariantNumeric: 'tabular-nums' },
  '& a': { color: 'var(--link)' },
  '& > li > :last-child': { minWidth: 0, overflowWrap: 'anywhere' },
});
const Head = styled('h4')({ margin: '0 0 4px', fontSize: 'var(--text-secondary)', fontWeight: 400, color: 'var(--ink-2)' });

/** What happened today and may be the reason of a change, each leading to its screen. */
export const TodayNotes = ({ siteId, notes }: { readonly siteId: string; readonly notes: readonly Note[] }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const textOf = useNoteText();
  // Goals count differently, but bring and lose nobody.
  const causes = notes.filter(({ kind }) => !kind.startsWith('goal_'));
  if (causes.length === 0) return null;
  return (
    <>
      <Head>{t('why.events')}</Head>
      <List aria-label={t('why.events')}>
        {causes.map((note, at) => {
          const to = screenOf(note.kind, siteId);
          return (
            // The same may happen twice within a minute.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at}>
              <time>{note.time}</time>
              {to === null ? <span>{textOf(note)}</span> : <Link to={to}>{textOf(note)}</Link>}
            </li>
          );
        })}
      </List>
    </>
  );
};
