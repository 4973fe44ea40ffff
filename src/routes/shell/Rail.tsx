import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { Icon } from '@/ui/Icon';
import { carriedQuery, railModel } from '../railModel';
import type { RailGroup, RailItem } from '../railModel';
import { useRights } from '../useRights';
import { useTrail } from '../useTrail';
import { SiteSwitcher } from './SiteSwitcher';

const RailLink = ({ item, onGo }: { item: RailItem; onGo: (() => void) | undefined }) => {
  const { t } = useTranslation('nav');
  const { trail } = useTrail();
  const { search } = useLocation();
  const { node, title, to, ids, below } = item;
  const beside = trail.some((one) => one.children?.includes(node) === true && one.keepQuery === true);
  const inside = trail.some((one) => ids.includes(one.id));
  const label = 'key' in title ? t(title.key) : t(`reportGroup.${title.reports}`);
  return (
    <>
      <Link
        className="rail-item"
        to={beside ? { pathname: to, search: carriedQuery(search) } : to}
        title={label}
        {...(inside && below.length > 0 ? { 'data-open': '' } : inside ? { 'aria-current': 'page' as const } : {})}
        {...(onGo ? { onClick: onGo } : {})}
      >
        {node.nav?.icon && <Icon name={node.nav.icon} />}
        <span>{label}</span>
      </Link>
      {inside && below.length > 0 && (
        <div className="rail-below">
          {below.map((one) => (
            <RailLink key={one.node.id} item={one} onGo={onGo} />
          ))}
        </div>
      )}
    </>
  );
};

const Part = ({ group: { group, items }, last, onGo }: { group: RailGroup; last: boolean; onGo: (() => void) | undefined }) => {
  const { t } = useTranslation('nav');
  return (
    <div className="rail-group" {...(last ? { 'data-last': '' } : {})}>
      {group !== 'main' && <p>{t(`group.${group}`)}</p>}
      {items.map((item) => (
        <RailLink key={item.node.id} item={item} onGo={onGo} />
      ))}
    </div>
  );
};

/** Scrolls the rail to its active entry. Not by `scrollIntoView`: in Chromium, Tab would then continue from there, past the skip link. */
function showActive(rail: HTMLElement): void {
  const active = rail.querySelector('[aria-current="page"]');
  if (!active) return;
  const [frame, entry] = [rail.getBoundingClientRect(), active.getBoundingClientRect()];
  if (entry.top < frame.top) rail.scrollTop -= frame.top - entry.top;
  else if (entry.bottom > frame.bottom) rail.scrollTop += entry.bottom - frame.bottom;
}

/** Site switcher at the top, the site's sections grouped by task, account entries at the bottom. */
export const Rail = ({ onGo }: { /** In the drawer: closes it. */ onGo?: () => void }) => {
  const { t } = useTranslation('shell');
  const { params } = useTrail();
  const groups = railModel(params, useRights(params['siteId']));
  const rail = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const entries = groups.reduce((sum, { items }) => sum + items.length, 0);
  // In a short window the rail is longer than the screen, and its entries appear with the list of sites.
  useEffect(() => {
    if (rail.current) showActive(rail.current);
  }, [pathname, entries]);
  return (
    <nav ref={rail} className="rail" aria-label={t('navigation')}>
      <SiteSwitcher {...(onGo ? { onGo } : {})} />
      {groups.map((group) => (
        <Part key={group.group} group={group} last={group.group === 'account'} onGo={onGo} />
      ))}
    </nav>
  );
};
