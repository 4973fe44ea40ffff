import { analyticsCalls } from '@contract/analytics/calls';
import type { analyticsEndpoints } from '@contract/analytics/schemas';
import type { Call } from '@contract/call';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, typed } from '@/store/endpoints';
import type { TypedCall } from '@/store/endpoints';

const calls = typed<typeof analyticsEndpoints>(analyticsCalls);
const files = { tree: calls.exportTree, flow: calls.exportFlow, distribution: calls.exportDistribution, movers: calls.exportMovers };
type Part = keyof typeof files;
/** Query parameters of a part's file, besides site and format. */
type Query<P extends Part> = (typeof files)[P] extends TypedCall<infer A, unknown> ? Omit<A, 'siteId' | 'format'> : never;

/** Links to files with the data of a block, for blocks with their own endpoint; absent without the permission to export. */
export const PartLinks = <P extends Part>({ site, part, query }: { site: Site; part: P; query: Query<P> }): ReactElement | null => {
  const { t } = useTranslation('analytics');
  const call: Call = files[part];
  if (!mayOnSite(site.role, 'analytics.export')) return null;
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} size="small" component="a" href={addressOf(call, { ...query, siteId: site.id, format })} download>
          {t(`controls.${format}`)}
        </Button>
      ))}
    </>
  );
};
