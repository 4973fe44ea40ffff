import type { MeasureId } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Delta } from '@/ui/Delta';
import { KeyFigure } from '@/ui/KeyFigure';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, sampleOf, seriesQuery } from './blocks';
import { measureInfo } from './measures';
import { TodayTip } from './TodayTip';
import { reportQuery } from './urlState';
import { useExplain } from './useExplain';
import { useLabels } from './useLabels';

const Row = styled('section')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(140px, 1fr))',
  gap: 16,
  marginBottom: 8,
  // A heading begins a new part; a chart without one belongs to the figures.
  'div:has(> &) + .section, div:has(> &) + div > .section:first-of-type': { marginTop: 24 },
  // One row, in which a long figure takes more than its share.
  '@media (min-width: 960px)': { gridTemplateColumns: 'none', gridAutoFlow: 'column', gridAutoColumns: 'minmax(max-content, 1fr)' },
  '@media (max-width: 719px)': { gridTemplateColumns: '1fr 1fr' },
});

const Note = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', margin: '-16px 0 16px' });

type FiguresProps = BlockProps & {
  readonly measures: readonly MeasureId[];
  /** The figures choose the line of the chart below them, and compare today with yesterday in a tooltip. */ readonly drives?: boolean;
};

/** The key figures of the range in one row; a click explains a figure, or shows it in the chart below. */
export const FiguresBlock = ({ site, state, change, today, groups, measures, drives = false }: FiguresProps): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const result = useReportQuery(seriesQuery(site.id, reportQuery(state), groups));
  const { open, render: explained } = useExplain(site.id, state);
  const bones = (
    <Row aria-hidden>
      {measures.map((id) => (
        <KeyFigure key={id} name={labels.measure(id)} value="" loading />
      ))}
    </Row>
  );
  return (
    <BlockState name={t('block.keyFigures')} result={result} skeleton={bones}>
      {(report) => (
        <>
          <Row aria-label={t('block.keyFigures')}>
            {measures.map((id) => {
              const now = report.totals[id];
              const before = report.compareTotals?.[id] ?? null;
              const hint = `${labels.value(id, now)} / ${labels.value(id, before)}`;
              return (
                <KeyFigure
                  key={id}
                  {...(drives
                    ? {
                        chosen: id === (state.measures[0] ?? measures[0]),
                        onPick: () => change({ measures: [id, ...state.measures.slice(1).filter((one) => one !== id)] }, 'replace'),
                        tip: <TodayTip site={site} state={state} today={today} measure={id} />,
                      }
                    : {})}
                  name={labels.measure(id)}
                  value={labels.short(id, now)}
                  exact={labels.value(id, now)}
                  below={
                    !isCompared(report) ? undefined : <Delta now={now} before={before} better={measureInfo(id).better} sample={sampleOf(report)} hint={hint} />
                  }
                  explainLabel={t('explain.button', { name: labels.measure(id), value: labels.short(id, now) })}
                  onExplain={(event) => open({ anchor: event.currentTarget, measure: id, value: now, before: isCompared(report) ? before : undefined })}
                />
              );
            })}
          </Row>
          {report.compareTotals !== null && !isCompared(report) && <Note>{t('block.noCompare')}</Note>}
          {explained(report)}
        </>
      )}
    </BlockState>
  );
};
