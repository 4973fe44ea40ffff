import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { UptimeStatus } from '@contract/uptime/schemas';
import { hostOf } from '@/lib/hostOf';
import { href } from '@/routes/paths';
import { Sparkline } from '@/ui/chart/Sparkline';
import { Change, Count, Online } from './SiteFigure';
import type { Figures } from './SiteFigure';
import { SiteMenu } from './SiteMenu';
import type { SiteDialog } from './SiteMenu';
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
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gridTemplateRows: 'auto 1fr',
        minWidth: 0,
        p: 2,
        pt: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.default',
        transition: 'border-color 120ms ease-out',
        '&:hover': { borderColor: 'var(--n-5)' },
        '&:has(a:focus-visible)': { outline: '2px solid var(--info)', outlineOffset: 1 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 30 }}>
            <Typography
              component={Link}
              to={href('site', { siteId: site.id })}
              data-site-link=""
              title={site.name}
              noWrap
              sx={{
                fontWeight: 600,
                color: 'inherit',
                textDecoration: 'none',
                '&:focus-visible': { outline: 'none' },
                '&::after': { content: '""', position: 'absolute', inset: 0 },
              }}
            >
              {site.name}
            </Typography>
            <SiteTags site={site} />
            <UptimeSign status={uptime} />
          </Box>
          <Typography variant="caption" component="div" noWrap title={hostOf(site)} sx={{ color: 'text.secondary', fontSize: 'var(--text-table)', mt: -0.25 }}>
            {hostOf(site)}
          </Typography>
        </Box>
        <Box sx={{ position: 'relative', mr: -1 }}>
          <SiteMenu site={site} onDialog={onDialog} />
        </Box>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 2, mt: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {t('figures.visitors')}
          </Typography>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, fontSize: 'var(--text-table)' }}>
            <Box component="span" sx={{ fontSize: 'var(--text-figure)', lineHeight: '36px', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
              <Count figures={figures} />
            </Box>
            {figures && !waiting && <Change figures={figures} />}
          </Box>
          <Typography variant="caption" component="div" sx={{ display: 'flex', alignItems: 'center', height: 20, color: 'text.secondary' }}>
            {figures && (waiting ? t('figures.waiting') : <Online figures={figures} />)}
          </Typography>
        </Box>
        {figures && !waiting && (
          <Box sx={{ pb: 0.75 }}>
            <Sparkline values={figures.series} width={112} height={36} />
          </Box>
        )}
      </Box>
    </Box>
  );
}

export function SiteCards({ sites, figuresOf, uptimeOf, onDialog }: Props): ReactElement {
  const { t } = useTranslation('sites');
  return (
    <Box
      component="ul"
      aria-label={t('list.label')}
      sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))', gap: 2, m: 0, p: 0, listStyle: 'none' }}
    >
      {sites.map((site) => (
        <SiteCard key={site.id} site={site} figures={figuresOf(site)} uptime={uptimeOf(site)} onDialog={onDialog} />
      ))}
    </Box>
  );
}
