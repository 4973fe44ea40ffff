import OpenIcon from '@mui/icons-material/OpenInNewOutlined';
import VisitsIcon from '@mui/icons-material/FormatListBulletedOutlined';
import type { DimensionId } from '@contract/analytics';
import type { Site } from '@contract/sites';
import { IconButton } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { webAddress } from '@/lib/webAddress';
import { href } from '@/routes/paths';
import { withFilter } from './filters';
import { type ReportState, writeState } from './urlState';

const pages: ReadonlySet<DimensionId> = new Set(['path', 'entryPath', 'exitPath']);

/** What can be done with one row besides filtering by it: see its visits, open its page. */
export const RowLinks = ({
  site,
  state,
  by,
  rowKey,
  name,
}: {
  site: Site;
  state: ReportState;
  by: DimensionId;
  rowKey: string;
  name: string;
}): ReactElement => {
  const { t } = useTranslation('analytics');
  const address = pages.has(by) ? webAddress(site.url ?? site.systemHost, rowKey) : null;
  const search = writeState(
    { ...state, by: null, sort: null, page: 1, measures: [], filters: withFilter(state.filters, { by, op: 'is', values: [rowKey] }) },
    new URLSearchParams(),
  ).toString();
  return (
    <>
      <IconButton
        size="small"
        component={Link}
        to={{ pathname: href('site.als.latest', { siteId: site.id }), search }}
        aria-label={`${t('block.visits')} ${name}`}
        title={t('block.visits')}
        sx={{ p: 0.25 }}
      >
        <VisitsIcon sx={{ fontSize: 15 }} />
      </IconButton>
      {address !== null && (
        <IconButton
          size="small"
          component="a"
          href={address}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`${t('block.open')} ${name}`}
          title={t('block.open')}
          sx={{ p: 0.25 }}
        >
          <OpenIcon sx={{ fontSize: 15 }} />
        </IconButton>
      )}
    </>
  );
};
