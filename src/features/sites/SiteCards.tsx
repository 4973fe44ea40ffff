import { memo } from 'react';
import type { CSSProperties, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SiteFigures } from '@contract/sites/list';
import type { Site } from '@contract/sites/schemas';
import { useTexts } from '@/lib/useTexts';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { Change, Count, Online } from './SiteFigure';
import { SiteMenu } from './SiteMenu';
import type { SiteDialog } from './SiteMenuPanel';
import { PickSite } from './PickSite';
import { detailOf } from './siteRows';
import { HealthSigns, Unread } from './SiteSigns';
import { OwnTags, SiteTags } from './SiteTags';
import type { Selection } from './useSiteList';

/** What the cards and the table show of sites. Figures are undefined while they load, and null if they failed to. */
export type SiteListProps = {
  readonly sites: readonly Site[];
  readonly figuresOf: (site: Site) => SiteFigures | null | undefined;
  readonly selection: Selection;
  readonly onDialog: (dialog: SiteDialog) => void;
};

type CardProps = Omit<SiteListProps, 'sites' | 'figuresOf'> & { readonly site: Site; readonly figures: SiteFigures | null | undefined };

/** One card per site: its name, its address, today's figures, its health. The whole card is the link; the menu is above it. All cards have the same height. */
const SiteCard = memo(function SiteCard({ site, figures, selection, onDialog }: CardProps): ReactElement {
  const t = useTexts('sites');
  const visits = figures === undefined ? undefined : (figures?.visits ?? null);
  const waiting = visits?.lastHitAt === null;
  return (
    <li className="site-card" data-selected={selection.ids.has(site.id) || undefined}>
      <div className="head">
        <div>
          <div className="name">
            <Link className="one-line" to={href('site', { siteId: site.id })} data-site-link={site.id} title={site.name}>
              {site.name}
            </Link>
            <SiteTags site={site} />
          </div>
          <div className="host">
            <span className="one-line" title={detailOf(site)}>
              {detailOf(site)}
            </span>
            <OwnTags site={site} />
          </div>
        </div>
        <div className="menu">
          <PickSite site={site} selection={selection} />
          <SiteMenu site={site} onDialog={onDialog} />
        </div>
      </div>
      <div className="figures">
        <div>
          <div className="label">{t('figures.visitors')}</div>
          <div className="count">
            <span>
              <Count figures={visits} />
            </span>
            {visits && !waiting && <Change figures={visits} why={href('site.dashboard', { siteId: site.id })} />}
          </div>
        </div>
        {visits && !waiting && <Sparkline values={visits.series} width={112} height={36} />}
      </div>
      <div className="foot">
        {visits && (waiting ? t('figures.waiting') : <Online figures={visits} />)}
        {figures && <HealthSigns figures={figures} />}
        {figures && <Unread figures={figures} />}
      </div>
    </li>
  );
});

/** `style`: stands for the cards that are not rendered. */
export function SiteCards({ sites, figuresOf, style, ...others }: SiteListProps & { readonly style?: CSSProperties }): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <ul className="site-cards" aria-label={t('list.label')} data-selecting={others.selection.ids.size > 0 || undefined} style={style}>
      {sites.map((site) => (
        <SiteCard key={site.id} site={site} figures={figuresOf(site)} {...others} />
      ))}
    </ul>
  );
}
