import type { MeasureId, Report } from '@contract/analytics/schemas';
import { Button, Popover } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import type { Filter } from './filters';
import { carried, type ReportState, withBegan, writeState } from './urlState';
import { type Labels, useLabels } from './useLabels';

const Body = styled('div')({ width: 380, maxWidth: '90vw', padding: 16, fontSize: 'var(--text-table)', lineHeight: 1.6 });
const Title = styled('h2')({ fontSize: 'var(--text-body)', fontWeight: 600, display: 'flex', justifyContent: 'space-between', gap: 16 });
const Facts = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content 1fr',
  gap: '4px 16px',
  margin: '12px 0',
  paddingTop: 12,
  borderTop: '1px solid var(--line)',
  '& dt': { color: 'var(--ink-2)' },
  '& dd': { overflowWrap: 'anywhere' },
});
const Foot = styled('div')({ display: 'flex', justifyContent: 'space-between', gap: 8, marginLeft: -12 });

/** The figure to explain. */
export type ExplainedFigure = {
  readonly anchor: HTMLElement;
  readonly measure: MeasureId;
  readonly value: number | null;
  /** Its value in the comparison period, if that is shown too. */
  readonly before?: number | null | undefined;
  /** The row it belongs to. */
  readonly of?: string | undefined;
  /** All filters of the figure, if there are more than the screen's. */
  readonly filters?: readonly Filter[] | undefined;
  /** The part of the range that it covers. */
  readonly range?: string | undefined;
};

type Fact = readonly [name: string, text: ReactNode];

/** The comparison period, after the value in it. */
const comparison = (labels: Labels, { measure, before }: ExplainedFigure, report: Report): readonly Fact[] => {
  const { compareFrom, compareTo, compareUntil, timeZone } = report;
  const { t, format } = labels;
  if (compareFrom === null || compareTo === null) return [];
  return [
    [
      t('explain.compare'),
      <>
        {before !== undefined && (
          <>
            {labels.value(measure, before)}
            <br />
          </>
        )}
        {format.days({ from: compareFrom, to: compareTo })}
        {compareUntil !== null && (
          <>
            <br />
            {t('explain.compareUntil', { time: format.dateTime(compareUntil, { timeZone }) })}
          </>
        )}
      </>,
    ],
  ];
};

/** Bots, which are counted and then left out; only visits of people exclude any. */
const exclusion = ({ t, format }: Labels, who: ReportState['who'], { suspected, bots }: Report['explain']['excluded']): readonly Fact[] => {
  if (who !== 'humans') return [];
  const text =
    suspected + bots === 0 ? t('explain.excludedNone') : t('explain.excludedValue', { suspected: format.number(suspected), bots: format.number(bots) });
  return [[t('explain.excluded'), text]];
};

const methodText = ({ t, format }: Labels, { building, exact, source, error }: Report['explain']): string => {
  if (building) return t('explain.building');
  if (exact) return t(source === 'rollup' ? 'explain.rollup' : 'explain.exact');
  return t('explain.sketch', { error: format.percent(error ?? 0, 1) });
};

const factsOf = (labels: Labels, figure: ExplainedFigure, report: Report, state: ReportState): readonly Fact[] => {
  const { t, format } = labels;
  const { explain, timeZone } = report;
  const filters = figure.filters ?? state.filters;
  return [
    [t('explain.range'), `${figure.range ?? format.days(report)} (${timeZone})`],
    ...comparison(labels, figure, report),
    [t('explain.filters'), filters.length === 0 ? t('explain.noFilters') : filters.map(labels.filter).join(t('list'))],
    [t('explain.who'), t(`who.${state.who}`)],
    ...exclusion(labels, state.who, explain.excluded),
    [t('explain.fresh'), explain.freshTo === null ? t('explain.freshNone') : format.dateTime(explain.freshTo, { timeZone, seconds: true })],
    [t('explain.method'), methodText(labels, explain)],
  ];
};

/** Explains one figure: its meaning, what was counted and excluded, how fresh and exact it is, and the visits behind it. */
const ExplainPopover = ({
  figure,
  report,
  state,
  siteId,
  onClose,
}: {
  figure: ExplainedFigure;
  report: Report;
  state: ReportState;
  siteId: string;
  onClose: () => void;
}): ReactElement => {
  const { anchor, measure, value, of, filters = state.filters } = figure;
  const labels = useLabels();
  const { t } = labels;
  const id = useId();
  const sample = withBegan(writeState({ ...carried(state), filters }, new URLSearchParams()), state.range);
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id } }}
    >
      <Body>
        <Title id={id}>
          <span>{of === undefined ? labels.measure(measure) : t('explain.of', { name: labels.measure(measure), row: of })}</span>
          <span>{labels.value(measure, value)}</span>
        </Title>
        <p>{t(`measure.${measure}.text`)}</p>
        <Facts>
          {factsOf(labels, figure, report, state).map(([name, fact]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </Facts>
        <Foot>
          <Button component={Link} to={{ pathname: href('site.als.latest', { siteId }), search: sample.toString() }} sx={{ color: 'info.main' }}>
            {t('explain.sample')}
          </Button>
          <Button onClick={onClose}>{t('explain.close')}</Button>
        </Foot>
      </Body>
    </Popover>
  );
};

export default ExplainPopover;
