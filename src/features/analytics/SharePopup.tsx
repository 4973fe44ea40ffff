import { Box, Button, Link, Typography } from '@mui/material';
import type { NewPublicLink, PublicLink } from '@contract/publicLinks/schemas';
import { type PublicScreen, publicLinkPresets, publicScreens } from '@contract/publicLinks/terms';
import { mayOnSite } from '@contract/permissions';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useAddPublicLinkMutation } from '@/features/publicLinks/publicLinksApi';
import { copyText } from '@/lib/copyText';
import { isFailure } from '@/lib/failure';
import { href } from '@/routes/paths';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Popup } from '@/ui/Popup';
import { filterText } from './filters';
import { useSegmentsQuery } from './insights/insightsApi';
import type { SharedReport } from './ShareButton';
import { type ReportState, writeState } from './urlState';
import { useLabels } from './useLabels';

const isPublicScreen = (screen: string): screen is PublicScreen => (publicScreens as readonly string[]).includes(screen);
/** Maximum number of filters of a public link, and the length of its name (contract/publicLinks/schemas.ts). */
const mostFilters = 10;
const nameLength = 60;

/** The link that opens this view: its filters always apply, range and layout are what it begins with. */
const inputOf = (screen: PublicScreen, title: string, state: ReportState, filters: readonly string[]): NewPublicLink => ({
  name: title.slice(0, nameLength),
  screens: [screen],
  filters: [...filters],
  preset: publicLinkPresets.find((preset) => preset === state.preset) ?? 'last30',
  view: writeState({ ...state, filters: [], segment: [], page: 1, at: null }, new URLSearchParams()).toString(),
});

/** Two ways to share: the address for people with an account, and a public link for everybody else. Alerts tell of changes without a look at the report. */
const SharePopup = ({ anchor, onClose, ...report }: SharedReport & { readonly anchor: HTMLElement; readonly onClose: () => void }): ReactElement => {
  const { t } = useLabels();
  const { site, screen } = report;
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('share.title')} align="end" width={320}>
      <Box sx={{ p: 2, display: 'grid', gap: 2 }}>
        <Box>
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
            {t('share.membersText', { site: site.name })}
          </Typography>
          <CopyButton text={location.href}>{t('share.members')}</CopyButton>
        </Box>
        {mayOnSite(site.role, 'analytics.configure') && (
          <Box sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
            {isPublicScreen(screen) ? (
              <CreateLink {...report} screen={screen} />
            ) : (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t('share.notPublic')}
              </Typography>
            )}
          </Box>
        )}
        {mayOnSite(site.role, 'analytics.configure') && (
          <Box sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
            <Link component={RouterLink} to={`${href('site.setting.share', { siteId: site.id })}?tab=alerts`} variant="body2">
              {t('share.alerts')}
            </Link>
          </Box>
        )}
      </Box>
    </Popup>
  );
};

const CreateLink = ({ site, title, screen, state }: SharedReport & { readonly screen: PublicScreen }): ReactElement => {
  const { t } = useLabels();
  const [add, { isLoading, error }] = useAddPublicLinkMutation();
  const [created, setCreated] = useState<{ readonly publicLink: PublicLink; readonly copied: boolean } | null>(null);
  const { data: segments } = useSegmentsQuery({ siteId: site.id }, { skip: state.segment.length === 0 });
  const chosen = (segments ?? []).filter(({ id }) => state.segment.includes(id));
  const filters = [...state.filters.map(filterText), ...chosen.flatMap((segment) => segment.filters)];
  const reason = state.goal !== null ? t('share.oneGoal') : filters.length > mostFilters ? t('share.tooMany', { count: mostFilters }) : null;

  const create = async (): Promise<void> => {
    const { data } = await add({ siteId: site.id, body: inputOf(screen, title, state, filters) });
    if (data !== undefined) setCreated({ publicLink: data, copied: await copyText(data.url) });
  };
  if (created !== null) return <CreatedLink {...created} siteId={site.id} />;
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {reason ?? t(filters.length === 0 ? 'share.publicText' : 'share.publicFiltered')}
      </Typography>
      {isFailure(error) && <ErrorPanel failure={error} title={t('share.failed')} />}
      <Button
        variant="outlined"

        disabled={reason !== null || chosen.length < state.segment.length}
        loading={isLoading}
        onClick={() => void create()}
      >
        {t('share.create')}
      </Button>
    </>
  );
};

/** The new link, already copied where the browser allows it. */
const CreatedLink = ({ publicLink, copied, siteId }: { readonly publicLink: PublicLink; readonly copied: boolean; readonly siteId: string }): ReactElement => {
  const { t } = useLabels();
  const address = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone.
  useEffect(() => address.current?.focus(), []);
  return (
    <>
      <Typography variant="body2" role="status" sx={{ mb: 1 }}>
        {t(copied ? 'share.copied' : 'share.created')}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
        <Box
          component="input"
          ref={address}
          readOnly
          value={publicLink.url}
          aria-label={t('share.link')}
          onFocus={(event) => event.target.select()}
          sx={{
            flex: 1,
            minWidth: 0,
            font: 'inherit',
            fontSize: 'var(--text-table)',
            height: 32,
            px: 1,
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            bgcolor: 'transparent',
            color: 'inherit',
          }}
        />
        <CopyButton text={publicLink.url} label={t('share.copyPublic')} />
      </Box>
      <Link component={RouterLink} to={href('site.setting.share', { siteId })} variant="body2">
        {t('share.manage')}
      </Link>
    </>
  );
};

export default SharePopup;
