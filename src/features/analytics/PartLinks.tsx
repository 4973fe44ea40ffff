import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { type QueryParams, queryString } from '@/lib/queryString';

/** Files with what a block shows, for blocks with an endpoint of their own; absent for those who may not take data out. */
export const PartLinks = ({
  site,
  part,
  query,
}: {
  site: Site;
  part: 'tree' | 'flow' | 'distribution' | 'movers';
  query: QueryParams;
}): ReactElement | null => {
  const { t } = useTranslation('analytics');
  if (!mayOnSite(site.role, 'analytics.export')) return null;
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} size="small" component="a" href={`/api/site/${site.id}/als/${part}/export?${queryString({ ...query, format })}`} download>
          {t(`controls.${format}`)}
        </Button>
      ))}
    </>
  );
};
