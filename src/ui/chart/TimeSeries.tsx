import { curveMonotoneX } from '@visx/curve';
import { Group } from '@visx/group';
import { Area, LinePath } from '@visx/shape';
import { Box } from '@mui/material';
import type { TFunction } from 'i18next';
import { type PointerEvent, type ReactElement, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartReading } from './ChartReading';
import { grid, lineColour, muted } from './colours';
import { axesOf, nearestPoint, pointX, type Stretch, stretches } from './geometry';
import { labelledIndexes } from './ticks';
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

const text = { fontSize: 12, fill: 'var(--ink-2)', style: { fontVariantNumeric: 'tabular-nums' } } as const;

/** Lines over time with the comparison dashed behind them, the unfinished point dashed, and values announced on arrow keys. */
const TimeSeries = ({ label, points, lines, height = 240, notes = [], reading, onPick }: TimeSeriesProps): ReactElement => {
  const { t } = useTranslation('chart');
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 720);
  const { index, spoken, set, onKeyDown } = useReading(points.length, reading, onPick);

  const plotHeight = height - 36;
  const axes = axesOf(lines, plotHeight);
  const left = lines[0] === undefined ? undefined : axes.get(lines[0].id);
  const rightLine = lines.find((line) => axes.get(line.id)?.side === 'right');
  const widest = (line: ChartLine | undefined): number =>
    line === undefined ? 0 : Math.max(...(axes.get(line.id)?.axis.ticks ?? []).map((tick) => textWidth(line.writeTick(tick))));
  const gutter = { left: widest(lines[0]) + 12, right: rightLine === undefined ? 12 : widest(rightLine) + 12 };
  const plotWidth = Math.max(40, width - gutter.left - gutter.right);
  const openIndex = points.findIndex((point) => point.open);
  const x = (at: number): number => pointX(at, points.length, plotWidth);
  const tickWidth = Math.max(28, ...points.map((point) => textWidth(point.tick))) + 16;

  const follow = (event: PointerEvent<HTMLElement>): void => {
    const from = event.currentTarget.getBoundingClientRect();
    set(nearestPoint(event.clientX - from.left - gutter.left, points.length, plotWidth));
  };
  const path = (stretch: Stretch, y: (value: number) => number, colour: string, key: string): ReactElement =>
    stretch.spots.length === 1 ? (
      <circle key={key} cx={x(stretch.spots[0]!.index)} cy={y(stretch.spots[0]!.value)} r={2.5} fill={colour} />
    ) : (
      <LinePath
        key={key}
        data={[...stretch.spots]}
        x={(spot) => x(spot.index)}
        y={(spot) => y(spot.value)}
        curve={curveMonotoneX}
        stroke={colour}
        strokeWidth={1.75}
        strokeLinejoin="round"
        {...(stretch.dashed ? { strokeDasharray: '2 3' } : {})}
      />
    );

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
        <Group left={gutter.left} top={8}>
          {left?.axis.ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${left.axis.y(tick)})`}>
              <line x2={plotWidth} stroke={grid} strokeWidth={1} {...(tick === 0 ? { style: { stroke: 'var(--n-4)' } } : {})} />
              <text x={-8} dy="0.32em" textAnchor="end" {...text}>
                {lines[0]?.writeTick(tick)}
              </text>
            </g>
          ))}
          {rightLine !== undefined &&
            axes.get(rightLine.id)?.axis.ticks.map((tick) => (
              <text key={tick} x={plotWidth + 8} y={axes.get(rightLine.id)!.axis.y(tick)} dy="0.32em" {...text}>
                {rightLine.writeTick(tick)}
              </text>
            ))}
          {labelledIndexes(points.length, Math.floor(plotWidth / tickWidth)).map((at) => (
            <text
              key={at}
              x={x(at)}
              y={plotHeight + 20}
              textAnchor={at === 0 && points.length > 1 ? 'start' : x(at) > plotWidth - tickWidth / 2 && points.length > 1 ? 'end' : 'middle'}
              {...text}
            >
              {points[at]?.tick}
            </text>
          ))}
          {index !== null && <line x1={x(index)} x2={x(index)} y2={plotHeight} stroke="var(--n-4)" strokeWidth={1} />}
          {lines.map((line) =>
            stretches((line.compare ?? []).slice(0, Math.max(points.length, 1)), null).map((stretch, at) =>
              stretch.spots.length === 1 ? (
                path(stretch, axes.get(line.id)!.axis.y, muted, `${line.id}-compare-${at}`)
              ) : (
                <LinePath
                  key={`${line.id}-compare-${at}`}
                  data={[...stretch.spots]}
                  x={(spot) => x(spot.index)}
                  y={(spot) => axes.get(line.id)!.axis.y(spot.value)}
                  curve={curveMonotoneX}
                  stroke={lines.length === 1 ? muted : lineColour(lines.indexOf(line))}
                  strokeOpacity={lines.length === 1 ? 1 : 0.5}
                  strokeWidth={1.25}
                  strokeDasharray="5 4"
                />
              ),
            ),
          )}
          {lines.length === 1 &&
            lines.map((line) =>
              stretches(line.values, openIndex < 0 ? null : openIndex)
                .filter((one) => one.spots.length > 1)
                .map((stretch, at) => (
                  <Area
                    key={at}
                    data={[...stretch.spots]}
                    x={(spot) => x(spot.index)}
                    y0={axes.get(line.id)!.axis.y(0)}
                    y1={(spot) => axes.get(line.id)!.axis.y(spot.value)}
                    curve={curveMonotoneX}
                    fill={lineColour(0)}
                    fillOpacity={0.06}
                  />
                )),
            )}
          {[...lines]
            .reverse()
            .map((line) =>
              stretches(line.values, openIndex < 0 ? null : openIndex).map((stretch, at) =>
                path(stretch, axes.get(line.id)!.axis.y, lineColour(lines.indexOf(line)), `${line.id}-${at}`),
              ),
            )}
          {index !== null &&
            lines.map((line, at) => {
              const value = line.values[index] ?? null;
              return value === null ? null : (
                <circle
                  key={line.id}
                  cx={x(index)}
                  cy={axes.get(line.id)!.axis.y(value)}
                  r={3.5}
                  fill="var(--canvas)"
                  stroke={lineColour(at)}
                  strokeWidth={1.75}
                />
              );
            })}
          {notes.map((note) => (
            <g key={`${note.index}-${note.text}`} transform={`translate(${x(note.index)} 0)`}>
              <line y2={plotHeight} stroke={muted} strokeDasharray="1 3" />
              {/* At the right edge the label is on the other side, because the second axis is there. */}
              <path d="M0 0h9l-3 3.5 3 3.5H0z" fill={muted} {...(x(note.index) > plotWidth - 12 ? { transform: 'scale(-1 1)' } : {})} />
            </g>
          ))}
        </Group>
      </svg>
      {index !== null && points[index] !== undefined && (
        <ChartReading point={points[index]} lines={lines} index={index} left={gutter.left + x(index)} width={width} notes={notes} />
      )}
      <Box role="status" aria-live="polite" className="only-read">
        {spoken === null ? '' : spokenText(spoken, points, lines, notes, t)}
      </Box>
    </Box>
  );
};

/** Width of a label at 12 px: Han characters are square, others a little over half as wide. Accurate enough to reserve room. */
const textWidth = (label: string): number => [...label].reduce((sum, mark) => sum + (mark.charCodeAt(0) > 0x2e80 ? 12 : 6.8), 0);

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
