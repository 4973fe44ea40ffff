import type { Cause } from '@contract/dashboard/causes';
import type { Release, SiteParts } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { Box } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { useRedirectUseQuery } from '@/features/seo/redirects/redirectsApi';
import { SideSheet } from '@/ui/SideSheet';
import { RowsSkeleton } from '@/ui/skeletons';
import { Quiet } from '../CardSection';
import { SectionState } from '../SectionState';
import { CauseSignals } from './CauseSignals';
import { isFixed, mayFix } from './causes';
import { FixForm } from './FixForm';
import { LiveSteps } from './LiveSteps';

export type Redirect = SiteParts['redirects']['content'][number];
/** What was published here. `before`: the redirect that it changed and `at` its place, so that it can be put back; null: there was none. */
export type Fix = { readonly release: Pick<Release, 'number' | 'publishedAt'>; readonly before: Redirect | null; readonly at: number };

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
        <Box sx={{ mt: 2 }}>
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
        </Box>
      )}
    </>
  );
}

/** The drawer in which a page that lost visitors is fixed; the whole screen on a phone. */
export default function FixPanel(props: Props): ReactElement {
  const { t } = useTranslation('dashboard');
  return (
    <SideSheet title={t('causes.panel.title', { path: props.path })} open width={520} onClose={props.onClose}>
      <Box sx={{ px: 3, pb: 3 }}>
        <Fixing {...props} />
      </Box>
    </SideSheet>
  );
}
