import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { UptimeStatus } from '@contract/uptime/schemas';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { Change, Count, Online } from './SiteFigure';
import type { Figures } from './SiteFigure';
import { SiteMenu } from './SiteMenu';
import type { SiteDialog } from './SiteMenuPanel';
import { detailOf } from './siteRows';
import { SiteTags } from './SiteTags';
import { UptimeSign } from './UptimeSign';

type Props = {
  readonly sites: readonly Site[];
  readonly figuresOf: (site: Site) => Figures;
  readonly uptimeOf: (site: Site) => UptimeStatus | undefined;
  readonly onDialog: (dialog: SiteDialog) => void;
};

type CardProps = { readonly site: Site; readonly figures: Figures; readonly uptime: UptimeStatus | undefined; readonly onDialog: Props['onDialog'] };

/** One card per site: its name, its address, today's figures. The whole card is the link; the menu is above it. */
function SiteCard({ site, figures, uptime, onDialog }: CardProps): ReactElement {
  const { t } = useTranslation('sites');
  const waiting = figures !== undefined && figures !== null && figures.lastHitAt === null;
  return (
    <li className="site-card">
      <div className="head">
        <div>
          <div className="name">
            <Link className="one-line" to={href('site', { siteId: site.id })} data-site-link="" title={site.name}>
              {site.name}
            </Link>
            <SiteTags site={site} />
            <UptimeSign status={uptime} />
          </div>
          <div className="host one-line" title={detailOf(site)}>
            {detailOf(site)}
          </div>
        </div>
        <div className="menu">
          <SiteMenu site={site} onDialog={onDialog} />
        </div>
      </div>
      <div className="figures">
        <div>
          <div className="label">{t('figures.visitors')}</div>
          <div className="count">
            <span>
              <Count figures={figures} />
            </span>
            {figures && !waiting && <Change figures={figures} />}
          </div>
          <div className="foot">{figures && (waiting ? t('figures.waiting') : <Online figures={figures} />)}</div>
        </div>
        {figures && !waiting && <Sparkline values={figures.series} width={112} height={36} />}
      </div>
    </li>
  );
}

export function SiteCards({ sites, figuresOf, uptimeOf, onDialog }: Props): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <ul className="site-cards" aria-label={t('list.label')}>
      {sites.map((site) => (
        <SiteCard key={site.id} site={site} figures={figuresOf(site)} uptime={uptimeOf(site)} onDialog={onDialog} />
      ))}
    </ul>
  );
}
