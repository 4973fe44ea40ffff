import FlowIcon from '@mui/icons-material/AltRouteOutlined';
import LeadIcon from '@mui/icons-material/SubdirectoryArrowRightOutlined';
import OpenIcon from '@mui/icons-material/OpenInNewOutlined';
import VisitsIcon from '@mui/icons-material/FormatListBulletedOutlined';
import type { DimensionId } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { IconButton, Menu, MenuItem } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isAllowedDimension, publicLinkSecret } from '@/lib/publicLink';
import { webAddress } from '@/lib/webAddress';
import { href } from '@/routes/paths';
import { withFilter } from './filters';
import { outsideAddress } from './outsideAddress';
import { carried, type ReportState, writeState } from './urlState';

const pages: ReadonlySet<DimensionId> = new Set(['path', 'entryPath', 'exitPath']);
const icon = { fontSize: 'var(--text-body)' } as const;

type SplitProps = { name: string; dimensions: readonly DimensionId[]; onLead: ((by: DimensionId) => void) | undefined };

const SplitMenu = ({ name, dimensions, onLead }: SplitProps): ReactElement => {
  const { t } = useTranslation('analytics');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        size="small"
        aria-haspopup="menu"
        aria-label={t('block.splitOf', { name })}
        title={t('block.split')}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ p: 0.25 }}
      >
        <LeadIcon style={icon} />
      </IconButton>
      {anchor !== null && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {dimensions.map((one) => (
            <MenuItem
              key={one}
              onClick={() => {
                setAnchor(null);
                onLead?.(one);
              }}
            >
              {t('block.splitBy', { dimension: t(`dimension.${one}`) })}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
};

/** Actions on one row besides filtering by it: split it by another dimension, show its visits, open its page. */
export const RowLinks = ({
  site,
  state,
  by,
  rowKey,
  name,
  leads = [],
  onLead,
}: {
  site: Site;
  state: ReportState;
  by: DimensionId;
  rowKey: string;
  name: string;
  leads?: readonly DimensionId[];
  onLead?: (by: DimensionId) => void;
}): ReactElement => {
  const { t } = useTranslation('analytics');
  const reachable = leads.filter(isAllowedDimension);
  const address = pages.has(by) ? webAddress(site.url ?? site.systemHost, rowKey) : outsideAddress(by, rowKey);
  const search = writeState({ ...carried(state), filters: withFilter(state.filters, { by, op: 'is', values: [rowKey] }) }, new URLSearchParams()).toString();
  return (
    <>
      {reachable.length > 0 && <SplitMenu name={name} dimensions={reachable} onLead={onLead} />}
      {publicLinkSecret === null && (
        <IconButton
          size="small"
          component={Link}
          to={{ pathname: href('site.als.latest', { siteId: site.id }), search }}
          aria-label={`${t('block.visits')} ${name}`}
          title={t('block.visits')}
          sx={{ p: 0.25 }}
        >
          <VisitsIcon style={icon} />
        </IconButton>
      )}
      {pages.has(by) && rowKey !== '' && isAllowedDimension('path') && (
        <IconButton
          size="small"
          component={Link}
          to={{
            pathname: href('site.als.path', { siteId: site.id }),
            search: writeState({ ...carried(state), view: 'flow', at: rowKey }, new URLSearchParams()).toString(),
          }}
          aria-label={t('blocks.flow.go', { name })}
          title={t('blocks.flow.title')}
          sx={{ p: 0.25 }}
        >
          <FlowIcon style={icon} />
        </IconButton>
      )}
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
          <OpenIcon style={icon} />
        </IconButton>
      )}
    </>
  );
};
