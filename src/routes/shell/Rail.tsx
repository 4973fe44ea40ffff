import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { Icon } from '@/ui/Icon';
import { railModel } from '../railModel';
import type { RailGroup, RailItem } from '../railModel';
import { useRights } from '../useRights';
import { useTrail } from '../useTrail';
import { SiteSwitcher } from './SiteSwitcher';

const Column = styled('nav')({ display: 'flex', flexDirection: 'column', height: '100%', padding: '8px 8px 12px', overflowY: 'auto', overflowX: 'hidden', scrollbarWidth: 'thin' });
const Group = styled('div')({ '& + &': { marginTop: 12 }, '&[data-last]': { marginTop: 'auto', paddingTop: 12 } });
const Heading = styled('p')({ padding: '4px 10px 2px', fontSize: '0.75rem', color: 'var(--ink-2)', whiteSpace: 'nowrap', '[data-folded] &': { visibility: 'hidden', height: 8, padding: 0 } });
const Item = styled(NavLink)({
  display: 'flex', alignItems: 'center', gap: 10, height: 32, padding: '0 10px', borderRadius: 4, color: 'var(--n-7)', textDecoration: 'none', whiteSpace: 'nowrap', overflow: 'hidden',
  transition: 'background 120ms var(--ease), color 120ms var(--ease)',
  '& > svg': { color: 'var(--n-6)' },
  '&:hover': { background: 'var(--n-2)', color: 'var(--ink)' },
  '&[aria-current="page"]': { background: 'var(--n-3)', color: 'var(--ink)', fontWeight: 500, '& > svg': { color: 'var(--ink)' } },
  '&[data-open]': { color: 'var(--ink)', fontWeight: 500, '& > svg': { color: 'var(--ink)' } },
  '@media (pointer: coarse)': { height: 44 },
  '[data-folded] &': { justifyContent: 'center', padding: 0, '& > span': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } },
});
const Below = styled('div')({ margin: '2px 0 6px 18px', paddingLeft: 9, borderLeft: '1px solid var(--line)', '[data-folded] &': { display: 'none' } });
const Sub = styled('p')({ padding: '6px 10px 0', fontSize: '0.6875rem', color: 'var(--ink-2)' });

const Line = ({ item, onGo }: { item: RailItem; onGo: (() => void) | undefined }) => {
  const { t } = useTranslation('nav');
  const { trail } = useTrail();
  const { node, to, below } = item;
  const inside = below.length > 0 && trail.some((one) => one.id === node.id);
  const label = node.title === undefined ? node.id : t(node.title);
  const subs = [...new Set(below.map((one) => one.node.nav?.sub))];
  return (
    <>
      <Item to={to} end={node.children !== undefined && below.length === 0 && node.load !== undefined} title={label} {...(inside ? { 'data-open': '', 'aria-current': false as const } : {})} {...(onGo ? { onClick: onGo } : {})}>
        {node.nav?.icon && <Icon name={node.nav.icon} />}
        <span>{label}</span>
      </Item>
      {inside && (
        <Below>
          {subs.map((sub) => (
            <div key={sub ?? ''}>
              {sub !== undefined && subs.length > 1 && <Sub>{t(`alsGroup.${sub}`)}</Sub>}
              {below.filter((one) => one.node.nav?.sub === sub).map((one) => (
                <Line key={one.node.id} item={one} onGo={onGo} />
              ))}
            </div>
          ))}
        </Below>
      )}
    </>
  );
};

const Part = ({ group: { group, items }, last, onGo }: { group: RailGroup; last: boolean; onGo: (() => void) | undefined }) => {
  const { t } = useTranslation('nav');
  return (
    <Group {...(last ? { 'data-last': '' } : {})}>
      {group !== 'main' && <Heading>{t(`group.${group}`)}</Heading>}
      {items.map((item) => (
        <Line key={item.node.id} item={item} onGo={onGo} />
      ))}
    </Group>
  );
};

/** Site switcher on top, the site's sections grouped by what one does with them, account things at the bottom. */
export const Rail = ({ onGo }: { /** In the drawer: closes it. */ onGo?: () => void }) => {
  const { t } = useTranslation('shell');
  const { params } = useTrail();
  const groups = railModel(params, useRights(params['siteId']));
  return (
    <Column aria-label={t('navigation')}>
      <SiteSwitcher {...(onGo ? { onGo } : {})} />
      {groups.map((group) => (
        <Part key={group.group} group={group} last={group.group === 'account'} onGo={onGo} />
      ))}
    </Column>
  );
};
