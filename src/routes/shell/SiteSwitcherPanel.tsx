import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { SiteFigures } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { selectMay } from '@/features/session/sessionSlice';
import { useFiguresQuery, useSitePinyinQuery } from '@/features/sites/sitePagesApi';
import { selectSitesPinnedFirst } from '@/features/sites/sitesSlice';
import { hostOf } from '@/lib/hostOf';
import { useFormat } from '@/lib/format';
import { matchScore, matchesSyllables } from '@/lib/match';
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
const Sign = styled('span')({
  flex: 'none',
  color: 'var(--ink-2)',
  fontSize: 'var(--text-secondary)',
  fontVariantNumeric: 'tabular-nums',
  '&[data-tone="bad"]': { display: 'inline-flex', color: 'var(--bad)' },
  '&[data-unread]': {
    minWidth: 20,
    padding: '0 6px',
    borderRadius: 10,
    background: 'var(--info)',
    color: 'var(--canvas)',
    fontWeight: 600,
    lineHeight: '20px',
    textAlign: 'center',
  },
});
const Foot = styled('div')({ borderTop: '1px solid var(--line)', padding: '4px 0' });
const None = styled('p')({ padding: '12px', color: 'var(--ink-2)' });

/** Sites that the panel lists: more do not fit, and searching finds them. */
const listed = 50;

/** Matching sites, the best match first, then the most recently used. */
function findSites(sites: readonly Site[], query: string, pinyin: ReadonlyMap<string, readonly string[]>): Site[] {
  const typed = query.trim().toLowerCase();
  const order = recentSites.read();
  const rank = (siteId: string) => (order.includes(siteId) ? order.indexOf(siteId) : order.length);
  return sites
    .map((site) => {
      const sounds = typed !== '' && matchesSyllables(typed, pinyin.get(site.id) ?? []);
      return { site, score: Math.max(matchScore(query, site.name, [hostOf(site), site.slug]), sounds ? 60 : 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || rank(a.site.id) - rank(b.site.id))
    .map(({ site }) => site);
}

/** Of one site: visitors today, what needs attention, and unread conversations. Nothing until the figures have loaded. */
const Signs = ({ figures }: { figures: SiteFigures | undefined }) => {
  const { t } = useTranslation('frame');
  const format = useFormat();
  const [now] = useState(Date.now);
  if (!figures) return null;
  const { visits, unread, uptime, certificate } = figures;
  const isDown = uptime === 'down';
  const isBad = isDown || certificate?.failed === true || (certificate?.until != null && Date.parse(certificate.until) < now);
  return (
    <>
      {isBad && (
        <Sign
          role="img"
          data-tone="bad"
          aria-label={t(isDown ? 'switcher.down' : 'switcher.certificate')}
          title={t(isDown ? 'switcher.down' : 'switcher.certificate')}
        >
          <Icon name="failed" size={16} />
        </Sign>
      )}
      {unread !== null && unread > 0 && (
        <Sign data-unread="" title={t('switcher.unread', { n: format.number(unread) })}>
          <span className="only-read">{t('switcher.unread', { n: format.number(unread) })}</span>
          <span aria-hidden="true">{format.compact(unread)}</span>
        </Sign>
      )}
      {visits && (
        <Sign title={t('switcher.visitors', { n: format.number(visits.visitorsToday) })}>
          <span className="only-read">{t('switcher.visitors', { n: format.number(visits.visitorsToday) })}</span>
          <span aria-hidden="true">{format.compact(visits.visitorsToday)}</span>
        </Sign>
      )}
    </>
  );
};

/** The sites that match, with their figures, which load with the panel, and pinyin, which loads with the search. */
function useFoundSites(query: string) {
  const sites = useAppSelector(selectSitesPinnedFirst);
  const { data: figures } = useFiguresQuery(undefined, { refetchOnMountOrArgChange: 30 });
  const { data: pinyin } = useSitePinyinQuery(undefined, { skip: query === '' });
  const all = findSites(sites, query, new Map(pinyin?.map(({ siteId, syllables }) => [siteId, syllables])));
  return { all, figuresById: new Map(figures?.sites.map((one) => [one.siteId, one])) };
}

/** To the list of sites, and to a new one. */
const Ways = ({ onGo }: { onGo: (to: string) => void }) => {
  const { t } = useTranslation(['shell', 'frame']);
  const mayCreate = useAppSelector((state) => selectMay(state, 'site.create'));
  return (
    <Foot>
      <MenuRow type="button" onClick={() => onGo('/home')}>
        <Icon name="home" />
        {t('allSites')}
      </MenuRow>
      {mayCreate && (
        <MenuRow type="button" onClick={() => onGo('/home/create')}>
          <Icon name="plus" />
          {t('frame:switcher.add')}
        </MenuRow>
      )}
    </Foot>
  );
};

/** How many sites are not listed. */
const More = ({ n }: { n: number }) => {
  const { t } = useTranslation('frame');
  return n > 0 ? <None>{t('switcher.more', { n })}</None> : null;
};

/** All sites, the most recently used first; the search matches names, hosts and pinyin. Switching keeps the section. */
const SiteSwitcherPanel = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame']);
  const navigate = useNavigate();
  const { trail, params } = useTrail();
  const rightsOn = useRightsOn();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const { all, figuresById } = useFoundSites(query);
  const found = all.slice(0, listed);
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
        {found.length === 0 && <None role="status">{t(query === '' ? 'frame:switcher.none' : 'frame:switcher.noneFound', { query })}</None>}
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
            <Signs figures={figuresById.get(site.id)} />
            {site.state === 'archived' && <small>{t('frame:switcher.archived')}</small>}
            {site.id === params['siteId'] && <Icon name="check" size={16} />}
          </MenuRow>
        ))}
        <More n={all.length - listed} />
      </Scroll>
      <Ways onGo={go} />
    </Popup>
  );
};

export default SiteSwitcherPanel;
