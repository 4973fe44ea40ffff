import ShareIcon from '@mui/icons-material/ShareOutlined';
import { Box, Button } from '@mui/material';
import type { Site } from '@contract/sites/schemas';
import { type ReactElement, Suspense } from 'react';
import { publicLinkSecret } from '@/lib/publicLink';
import { useMenu } from '@/ui/useMenu';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import type { ReportState } from './urlState';
import { useLabels } from './useLabels';

const SharePopup = lazyWithRetry(() => import(/* webpackChunkName: "share-report" */ './SharePopup'));

export type SharedReport = {
  readonly site: Site;
  /** The report as a title, the name of a new link. */ readonly title: string;
  /** Its last part of the address below `als`. */ readonly screen: string;
  readonly state: ReportState;
};

/** Shares the current view of the report. Renders nothing on a public link. */
export const ShareButton = (report: SharedReport): ReactElement | null => {
  const { t } = useLabels();
  const menu = useMenu();
  if (publicLinkSecret !== null) return null;
  return (
    <>
      <Button
        size="small"
        aria-label={t('share.button')}
        title={t('share.title')}
        aria-haspopup="dialog"
        aria-expanded={menu.anchor !== null}
        onClick={menu.toggle}
        sx={{ minWidth: 0, gap: 1, color: 'text.secondary', '@media (pointer: coarse)': { minWidth: 44 }, '@media print': { display: 'none' } }}
      >
        <ShareIcon fontSize="small" />
        {/* The row of conditions fits one line of a laptop without it. */}
        <Box component="span" sx={{ display: { xs: 'none', xl: 'inline' } }}>
          {t('share.button')}
        </Box>
      </Button>
      {menu.anchor !== null && (
        <Suspense fallback={null}>
          <SharePopup {...report} anchor={menu.anchor} onClose={menu.close} />
        </Suspense>
      )}
    </>
  );
};
