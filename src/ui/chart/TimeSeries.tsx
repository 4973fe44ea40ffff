import { Group } from '@visx/group';
import { Box } from '@mui/material';
import type { TFunction } from 'i18next';
import { type PointerEvent, type ReactElement, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartReading } from './ChartReading';
import { nearestPoint } from './geometry';
import { plotOf } from './plot';
import { AreaGround, ComparePaths, Dots, ForecastCone, Hatch, LinePaths, NoteFlags, ReadMarks, TimeAxis, ValueAxes } from './TimeSeriesLayers';
import type { ChartLine, ChartNote, ChartPoint } from './types';
import { useReading } from './useReading';
import { useWidth } from './useWidth';

export type TimeSeriesProps = {
  /** Describes the chart in words. */
  readonly label: string;
  readonly points: readonly ChartPoint[];
  /** At most two measures, or five lines of one measure. */
  readonly lines: readonly ChartLine[];
  readonly height?: number;
  readonly notes?: readonly ChartNote[];
  /** Shares the highlighted point with a table beside the chart. */
  readonly reading?: { readonly index: number | null; readonly set: (index: number | null) => void };
  /** A click or Enter on a point, to drill down. */
  readonly onPick?: (index: number) => void;
};

/** Straight lines over time (a curve would invent values between them) with the comparison dashed behind them, the unfinished point dashed and hatched, and values announced on arrow keys. */
const TimeSeries = ({ label, points, lines, height = 240, notes = [], reading, onPick }: TimeSeriesProps): ReactElement => {
  const { t } = useTranslation('chart');
  const hatchId = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 720);
  const { index, spoken, set, onKeyDown } = useReading(points.length, reading, onPick);
  const plot = plotOf(points, lines, { width, height });
  const follow = (event: PointerEvent<HTMLElement>): void => {
    const from = event.currentTarget.getBoundingClientRect();
    set(nearestPoint(event.clientX - from.left - plot.gutter.left, points.length, plot.width));
  };
  return (
    <Box
      ref={box}
      role="group"
      tabIndex={0}
      aria-label={`${label}${t('separator')}${t('keys')}`}
      onKeyDown={onKeyDown}
      onPointerMove={follow}
      onPointerLeave={() => set(null)}
      onBlur={() => set(null)}
      {...(onPick === undefined
        ? {}
        : {
            onClick: () => {
              if (index !== null) onPick(index);
            },
          })}
      sx={{
        position: 'relative',
        height,
        borderRadius: 1,
        cursor: onPick === undefined ? 'default' : 'pointer',
        touchAction: 'pan-y',
        '@media print': { breakInside: 'avoid' },
      }}
    >
      <svg aria-hidden width="100%" height={height} viewBox={`0 0 ${width} ${height}`} style={{ display: 'block' }}>
        <Hatch id={hatchId} />
        <Group left={plot.gutter.left} top={8}>
          <ValueAxes plot={plot} lines={lines} />
          <TimeAxis plot={plot} points={points} />
          {index !== null && <line x1={plot.x(index)} x2={plot.x(index)} y2={plot.height} stroke="var(--n-4)" strokeWidth={1} />}
          <ComparePaths plot={plot} points={points} lines={lines} />
          {lines[0] !== undefined && lines.length === 1 && (
            <>
              <AreaGround plot={plot} points={points} line={lines[0]} hatchId={hatchId} />
              <ForecastCone plot={plot} points={points} line={lines[0]} />
            </>
          )}
          <LinePaths plot={plot} points={points} lines={lines} />
          <Dots plot={plot} points={points} lines={lines} />
          {index !== null && <ReadMarks plot={plot} lines={lines} index={index} />}
          <NoteFlags plot={plot} notes={notes} />
        </Group>
      </svg>
      {index !== null && points[index] !== undefined && (
        <ChartReading point={points[index]} lines={lines} index={index} left={plot.gutter.left + plot.x(index)} width={width} notes={notes} />
      )}
      <Box role="status" aria-live="polite" className="only-read">
        {spoken === null ? '' : spokenText(spoken, points, lines, notes, t)}
      </Box>
    </Box>
  );
};

const spokenText = (index: number, points: readonly ChartPoint[], lines: readonly ChartLine[], notes: readonly ChartNote[], t: TFunction<'chart'>): string => {
  const point = points[index];
  const values = lines.map((line) => {
    const now = `${line.name} ${line.write(line.values[index] ?? null)}`;
    return line.compare === undefined ? now : `${now}${t('separator')}${t('compared', { value: line.write(line.compare[index] ?? null) })}`;
  });
  const flags = notes.filter((note) => note.index === index).map((note) => note.text);
  return `${point?.name ?? ''}${point?.open === true ? t('open') : ''}${t('colon')}${[...values, ...flags].join(t('separator'))}`;
};

export default TimeSeries;
