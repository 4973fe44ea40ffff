import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import { selectMay } from '@/features/session/sessionSlice';
import { selectSitesPinnedFirst } from '@/features/sites/sitesSlice';
import { hostOf } from '@/lib/hostOf';
import { matchScore } from '@/lib/match';
import { recentSites } from '@/lib/recent';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { MenuRow, Popup } from '@/ui/Popup';
import { Avatar } from '@/ui/Avatar';
import { sameSection } from '../railModel';
import { useRightsOn } from '../useRights';
import { useTrail } from '../useTrail';

const Search = styled('input')({
  width: '100%',
  height: 40,
  padding: '0 12px',
  border: 0,
  borderBottom: '1px solid var(--line)',
  background: 'transparent',
  color: 'var(--ink)',
  '&:focus-visible': { outline: 'none' },
});
const Scroll = styled('div')({ maxHeight: 320, overflowY: 'auto', padding: '4px 0' });
const Names = styled('span')({
  minWidth: 0,
  flex: 1,
  '& > span, & > small': { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > small': { color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', lineHeight: 1.3 },
});
const Foot = styled('div')({ borderTop: '1px solid var(--line)', padding: '4px 0' });
const None = styled('p')({ padding: '12px', color: 'var(--ink-2)' });

/** Matching sites, the best match first, then the most recently used. */
function findSites(sites: readonly Site[], query: string): Site[] {
  const order = recentSites.read();
  const rank = (siteId: string) => (order.includes(siteId) ? order.indexOf(siteId) : order.length);
  return sites
    .map((site) => ({ site, score: matchScore(query, site.name, [hostOf(site), site.slug]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || rank(a.site.id) - rank(b.site.id))
    .map(({ site }) => site);
}

/** All sites, the most recently used first; the search matches names, hosts and pinyin initials. Switching keeps the section. */
const SiteSwitcherPanel = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame']);
  const navigate = useNavigate();
  const { trail, params } = useTrail();
  const rightsOn = useRightsOn();
  const sites = useAppSelector(selectSitesPinnedFirst);
  const mayCreate = useAppSelector((state) => selectMay(state, 'site.create'));
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();

  const found = findSites(sites, query);
  const chosen = Math.min(at, found.length - 1);

  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(1, found.length));
    }
    const site = found[chosen];
    if (event.key === 'Enter' && site) go(sameSection(trail, site.id, rightsOn(site)));
  };

  return (
    <Popup anchor={anchor} onClose={onClose} label={t('switchSite')} width={304}>
      <Search
        data-autofocus=""
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${String(chosen)}` : undefined}
        placeholder={t('frame:switcher.find')}
        aria-label={t('frame:switcher.find')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Scroll id={id} role="listbox" aria-label={t('switchSite')}>
        {found.length === 0 && <None role="status">{sites.length === 0 ? t('frame:switcher.none') : t('frame:switcher.noneFound', { query })}</None>}
        {found.map((site, index) => (
          <MenuRow
            key={site.id}
            id={`${id}-${String(index)}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerMove={() => setAt(index)}
            onClick={() => go(sameSection(trail, site.id, rightsOn(site)))}
          >
            <Avatar square name={site.name} size={24} />
            <Names>
              <span>{site.name}</span>
              {hostOf(site) !== '' && <small>{hostOf(site)}</small>}
            </Names>
            {site.state === 'archived' && <small>{t('frame:switcher.archived')}</small>}
            {site.id === params['siteId'] && <Icon name="check" size={16} />}
          </MenuRow>
        ))}
      </Scroll>
      <Foot>
        <MenuRow type="button" onClick={() => go('/home')}>
          <Icon name="home" />
          {t('allSites')}
        </MenuRow>
        {mayCreate && (
          <MenuRow type="button" onClick={() => go('/home/create')}>
            <Icon name="plus" />
            {t('frame:switcher.add')}
          </MenuRow>
        )}
      </Foot>
    </Popup>
  );
};

export default SiteSwitcherPanel;
