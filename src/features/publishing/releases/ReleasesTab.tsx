import type { ReactElement } from 'react';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { RequestsSection } from '../requests/RequestsSection';
import { History } from './History';
import { NextRelease } from './NextRelease';
import { SiteLinks } from './SiteLinks';

/** What the next release changes, publishing it, the history with roll-back, and how many pages visitors get. */
export const ReleasesTab = ({ site }: { readonly site: Site }): ReactElement => (
  <div className="publishing-columns">
    <SiteLinks site={site} />
    <NextRelease site={site} />
    <History site={site} />
    {site.purpose === 'built' && mayOnSite(site.role, 'analytics.read') && <RequestsSection siteId={site.id} />}
  </div>
);
