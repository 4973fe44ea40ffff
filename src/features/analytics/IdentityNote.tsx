import type { Site } from '@contract/sites/schemas';
import { mayOnSite } from '@contract/permissions';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import type { Range } from './range';
import { useLabels } from './useLabels';

/** Values that require recognising a visitor on another day. Within one day visitors of cookieless sites are recognised too. */
const acrossDays = new Set(['ago', 'visitNumber', 'newReturning']);

/**
 * Whether this is unknown for the range because the site stores no visitor id (`ago`, `fr` and `visitor` are disabled, never estimated).
 */
export const needsIdentity = (site: Site, what: string, range: Range): boolean =>
  site.identity === 'cookieless' && (acrossDays.has(what) || (what === 'perVisits' && range.from !== range.to));

/** Shown instead of figures that the site's way of recognising visitors cannot provide. */
export const IdentityNote = ({ site }: { site: Site }): ReactElement => {
  const { t } = useLabels();
  return (
    <EmptyState
      title={t('blocks.histogram.identity.title')}
      action={
        mayOnSite(site.role, 'analytics.configure') ? (
          <Button variant="outlined" component={Link} to={href('site.setting.measuring', { siteId: site.id })}>
            {t('blocks.histogram.identity.change')}
          </Button>
        ) : undefined
      }
    >
      {t('blocks.histogram.identity.text')}
    </EmptyState>
  );
};
