import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { History } from './History';
import { NextRelease } from './NextRelease';
import { SiteLinks } from './SiteLinks';

/** What the next release changes, publishing it, and the history with roll-back. */
export const ReleasesTab = ({ site }: { readonly site: Site }): ReactElement => (
  <div className="publishing-columns">
    <SiteLinks site={site} />
    <NextRelease site={site} />
    <History site={site} />
  </div>
);
