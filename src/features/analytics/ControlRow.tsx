import AddIcon from '@mui/icons-material/FilterListOutlined';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { Day } from '@/lib/days';
import type { Site } from '@contract/sites/schemas';
import { publicLinkSecret } from '@/lib/publicLink';
import { phone, useMedia } from '@/lib/useMedia';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { populations } from './choices';
import { FilterChips, type FilterEditing, VisitorChoice } from './FilterControls';
import { QuietSelect } from './QuietSelect';
import { CompareChoice, RangeChoice, Zone } from './RangeControls';
import type { Change } from './useReportState';
import { insightSlots } from './insightSlots';
import { type ReportState } from './urlState';
import { useLabels } from './useLabels';

const ControlSheet = lazyWithRetry(() => import(/* webpackChunkName: "filter" */ './ControlSheet'));

const Row = styled('div')({
  position: 'sticky',
  top: 48,
  zIndex: 5,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 4,
  padding: '8px 0',
  marginBottom: 8,
  background: 'var(--canvas)',
  borderBottom: '1px solid var(--line)',
  // The first control's text or arrow, not its hover area, is aligned with the page.
  '& > :first-child': { marginLeft: -8 },
  '@media print': { position: 'static' },
  '@media (max-width: 719px)': { position: 'static', columnGap: 0 },
});
const Side = styled('div')({ marginLeft: 'auto', display: 'flex', alignItems: 'center', gap: 8 });

type ControlProps = {
  readonly site: Site;
  readonly today: Day;
  readonly state: ReportState;
  readonly change: Change;
  /** Off for screens without a range, such as the live list. */ readonly ranged?: boolean;
  /** Off for screens without a comparison. */ readonly compares?: boolean;
};

/** The conditions of a report: range, comparison, visitors, filters, all of them in the address; on a phone everything but the range is a sheet. */
export const ControlRow = ({ children, ...props }: ControlProps & { readonly children?: ReactNode }): ReactElement => {
  const { site, today, state, change, ranged = true } = props;
  const { t } = useLabels();
  const small = useMedia(phone);
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState<FilterEditing | null>(null);
  const conditions = <Conditions {...props} small={small} editing={editing} onEdit={setEditing} />;
  const count = state.filters.length + state.segment.length + (state.who === 'humans' ? 0 : 1);
  return (
    <Row role="group" aria-label={t('controls.label')}>
      {ranged && <RangeChoice today={today} state={state} change={change} timeZone={site.timeZone} />}
      {small ? (
        <>
          <Button
            size="small"
            startIcon={<AddIcon />}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
            sx={{ color: 'text.secondary', px: 0.5, '& .MuiButton-startIcon': { mr: 0.5 } }}
          >
            {count === 0 ? t('controls.more') : t('controls.moreSet', { count })}
          </Button>
          {open && (
            <Suspense fallback={null}>
              <ControlSheet label={t('controls.label')} closeLabel={t('controls.done')} onClose={() => setOpen(false)}>
                {conditions}
              </ControlSheet>
            </Suspense>
          )}
        </>
      ) : (
        conditions
      )}
      {children !== undefined && <Side>{children}</Side>}
    </Row>
  );
};

/** Everything but the range. */
const Conditions = ({
  site,
  today,
  state,
  change,
  ranged = true,
  compares = true,
  small,
  editing,
  onEdit,
}: ControlProps & {
  readonly small: boolean;
  readonly editing: FilterEditing | null;
  readonly onEdit: (editing: FilterEditing | null) => void;
}): ReactElement => {
  const { t } = useLabels();
  const { timeZone } = site;
  const { SegmentMenu } = insightSlots;
  return (
    <>
      {ranged && !small && <Zone title={t('controls.zone', { zone: timeZone })}>{timeZone}</Zone>}
      {ranged && compares && <CompareChoice today={today} state={state} change={change} />}
      <QuietSelect
        label={t('who.label')}
        value={state.who}
        options={populations.map((id) => ({ id, name: t(`who.${id}`) }))}
        onChange={(who) => change({ who })}
      />
      <VisitorChoice state={state} change={change} />
      {SegmentMenu !== undefined && publicLinkSecret === null && (
        <Suspense fallback={null}>
          <SegmentMenu site={site} state={state} change={change} />
        </Suspense>
      )}
      <FilterChips siteId={site.id} state={state} change={change} editing={editing} onEdit={onEdit} />
    </>
  );
};
