import Close from '@mui/icons-material/CloseOutlined';
import type { Cause } from '@contract/dashboard/causes';
import type { Release, SiteParts } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { Box, Drawer, IconButton, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { useRedirectUseQuery } from '@/features/seo/redirects/redirectsApi';
import { RowsSkeleton } from '@/ui/skeletons';
import { Quiet } from '../CardSection';
import { SectionState } from '../SectionState';
import { CauseSignals } from './CauseSignals';
import { isFixed, mayFix } from './causes';
import { FixForm } from './FixForm';
import { LiveSteps } from './LiveSteps';

export type Redirect = SiteParts['redirects']['content'][number];
/** What was published here. `before`: the redirect that it changed, so that it can be put back; null: there was none. */
export type Fix = { readonly release: Pick<Release, 'number' | 'publishedAt'>; readonly before: Redirect | null };

type Props = { readonly site: Site; readonly path: string; readonly cause: Cause | null; readonly onClose: () => void };

/** The redirect that leads away from a page: what it does, what another one would do, and how the change goes live. */
function Fixing({ site, path, cause, onClose }: Props): ReactElement {
  const { t } = useTranslation('dashboard');
  const [fix, setFix] = useState<Fix | null>(null);
  // A page about which nothing is known any more is not listed.
  const [first] = useState(cause);
  const known = cause ?? first;
  const parts = useSitePartsQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const use = useRedirectUseQuery({ siteId: site.id });
  if (known === null) return <p>{t('causes.panel.gone')}</p>;
  const { redirect } = known;
  return (
    <>
      <CauseSignals cause={known} site={site} days={null} />
      {fix !== null || isFixed(known) ? (
        <LiveSteps site={site} path={path} cause={known} fix={fix} onUndone={() => setFix(null)} onClose={onClose} />
      ) : redirect === null ? (
        <p>{t('causes.panel.nothing')}</p>
      ) : !mayFix(site) ? (
        <Quiet>{t('causes.mayNot')}</Quiet>
      ) : (
        <SectionState name={t('causes.panel.title', { path })} result={parts} skeleton={<RowsSkeleton rows={5} />}>
          {({ redirects }) => (
            <FixForm
              site={site}
              path={path}
              live={redirect}
              isLoop={known.issues.some(({ rule, state }) => rule === 'redirect_loop' && state !== 'fixed')}
              redirects={redirects}
              use={use.data ?? null}
              onPublished={setFix}
            />
          )}
        </SectionState>
      )}
    </>
  );
}

/** The drawer in which a page that lost visitors is fixed; the whole screen on a phone. */
export default function FixPanel(props: Props): ReactElement {
  const { t } = useTranslation('dashboard');
  const titleId = useId();
  const { path, onClose } = props;
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: { xs: '100%', sm: 520 }, outline: 'none' } } }}
    >
      <Box
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 3,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 1,
          px: 2,
          py: 1.5,
          bgcolor: 'background.paper',
        }}
      >
        <Typography id={titleId} component="h2" variant="h2" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {t('causes.panel.title', { path })}
        </Typography>
        <IconButton edge="end" aria-label={t('causes.panel.close')} onClick={onClose}>
          <Close fontSize="small" />
        </IconButton>
      </Box>
      <Box sx={{ px: 2, pb: 3 }}>
        <Fixing {...props} />
      </Box>
    </Drawer>
  );
}
