import { analyticsCalls } from '@contract/analytics/calls';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryParams } from '@/lib/queryString';
import { addressOf } from '@/store/endpoints';

const files = {
  tree: analyticsCalls.exportTree,
  flow: analyticsCalls.exportFlow,
  distribution: analyticsCalls.exportDistribution,
  movers: analyticsCalls.exportMovers,
};

/** Files with what a block shows, for blocks with an endpoint of their own; absent for those who may not take data out. */
export const PartLinks = ({ site, part, query }: { site: Site; part: keyof typeof files; query: QueryParams }): ReactElement | null => {
  const { t } = useTranslation('analytics');
  if (!mayOnSite(site.role, 'analytics.export')) return null;
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} size="small" component="a" href={addressOf(files[part], { ...query, siteId: site.id, format })} download>
          {t(`controls.${format}`)}
        </Button>
      ))}
    </>
  );
};
