import { curveMonotoneX } from '@visx/curve';
import { Area, LinePath } from '@visx/shape';
import type { ReactElement } from 'react';
import { grid, lineColour, muted } from './colours';
import { type LineSegment, lineSegments } from './geometry';
import type { Plot } from './plot';
import { labelledIndexes } from './ticks';
import type { ChartLine, ChartNote, ChartPoint } from './types';

const tickText = { fontSize: 12, fill: 'var(--ink-2)', style: { fontVariantNumeric: 'tabular-nums' } } as const;

type Layer = { readonly plot: Plot; readonly points: readonly ChartPoint[]; readonly lines: readonly ChartLine[] };

const yOf = (plot: Plot, line: ChartLine): ((value: number) => number) => plot.axes.get(line.id)!.axis.y;

/** The grid with its labels on the left, and the labels of a second unit on the right. */
export const ValueAxes = ({ plot, lines }: Omit<Layer, 'points'>): ReactElement => {
  const left = lines[0] === undefined ? undefined : plot.axes.get(lines[0].id)?.axis;
  const { rightLine } = plot;
  return (
    <>
      {left?.ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${left.y(tick)})`}>
          <line x2={plot.width} stroke={grid} strokeWidth={1} {...(tick === 0 ? { style: { stroke: 'var(--n-4)' } } : {})} />
          <text x={-8} dy="0.32em" textAnchor="end" {...tickText}>
            {lines[0]?.writeTick(tick)}
          </text>
        </g>
      ))}
      {rightLine !== undefined &&
        plot.axes.get(rightLine.id)?.axis.ticks.map((tick) => (
          <text key={tick} x={plot.width + 8} y={yOf(plot, rightLine)(tick)} dy="0.32em" {...tickText}>
            {rightLine.writeTick(tick)}
          </text>
        ))}
    </>
  );
};

/** As many labels of points as fit; those at the ends stay within the plotting area. */
export const TimeAxis = ({ plot, points }: Omit<Layer, 'lines'>): ReactElement => {
  const anchorAt = (index: number): 'start' | 'middle' | 'end' => {
    if (points.length <= 1) return 'middle';
    if (index === 0) return 'start';
    return plot.x(index) > plot.width - plot.tickWidth / 2 ? 'end' : 'middle';
  };
  return (
    <>
      {labelledIndexes(points.length, Math.floor(plot.width / plot.tickWidth)).map((index) => (
        <text key={index} x={plot.x(index)} y={plot.height + 20} textAnchor={anchorAt(index)} {...tickText}>
          {points[index]?.tick}
        </text>
      ))}
    </>
  );
};

const dotOf = (key: string, stretch: LineSegment, x: (index: number) => number, y: (value: number) => number, colour: string): ReactElement => (
  <circle key={key} cx={x(stretch.spots[0]!.index)} cy={y(stretch.spots[0]!.value)} r={2.5} fill={colour} />
);

/** The comparison periods, dashed. */
export const ComparePaths = ({ plot, points, lines }: Layer): ReactElement => (
  <>
    {lines.map((line) => {
      const y = yOf(plot, line);
      return lineSegments((line.compare ?? []).slice(0, Math.max(points.length, 1)), null).map((stretch, at) => {
        const key = `${line.id}-compare-${at}`;
        return stretch.spots.length === 1 ? (
          dotOf(key, stretch, plot.x, y, muted)
        ) : (
          <LinePath
            key={key}
            data={[...stretch.spots]}
            x={(spot) => plot.x(spot.index)}
            y={(spot) => y(spot.value)}
            curve={curveMonotoneX}
            stroke={lines.length === 1 ? muted : lineColour(lines.indexOf(line))}
            strokeOpacity={lines.length === 1 ? 1 : 0.5}
            strokeWidth={1.25}
            strokeDasharray="5 4"
          />
        );
      });
    })}
  </>
);

const openIndexOf = (points: readonly ChartPoint[]): number | null => {
  const index = points.findIndex((point) => point.open);
  return index < 0 ? null : index;
};

/** The ground below a single line. */
export const AreaGround = ({ plot, points, line }: Omit<Layer, 'lines'> & { readonly line: ChartLine }): ReactElement => {
  const y = yOf(plot, line);
  return (
    <>
      {lineSegments(line.values, openIndexOf(points))
        .filter((stretch) => stretch.spots.length > 1)
        .map((stretch, at) => (
          <Area
            key={at}
            data={[...stretch.spots]}
            x={(spot) => plot.x(spot.index)}
            y0={y(0)}
            y1={(spot) => y(spot.value)}
            curve={curveMonotoneX}
            fill={lineColour(0)}
            fillOpacity={0.06}
          />
        ))}
    </>
  );
};

/** The lines themselves, the first one in front. */
export const LinePaths = ({ plot, points, lines }: Layer): ReactElement => (
  <>
    {[...lines].reverse().map((line) => {
      const y = yOf(plot, line);
      const colour = lineColour(lines.indexOf(line));
      return lineSegments(line.values, openIndexOf(points)).map((stretch, at) => {
        const key = `${line.id}-${at}`;
        return stretch.spots.length === 1 ? (
          dotOf(key, stretch, plot.x, y, colour)
        ) : (
          <LinePath
            key={key}
            data={[...stretch.spots]}
            x={(spot) => plot.x(spot.index)}
            y={(spot) => y(spot.value)}
            curve={curveMonotoneX}
            stroke={colour}
            strokeWidth={1.75}
            strokeLinejoin="round"
            {...(stretch.dashed ? { strokeDasharray: '2 3' } : {})}
          />
        );
      });
    })}
  </>
);

/** Rings around the values at the highlighted point. */
export const ReadMarks = ({ plot, lines, index }: Omit<Layer, 'points'> & { readonly index: number }): ReactElement => (
  <>
    {lines.map((line, at) => {
      const value = line.values[index] ?? null;
      return value === null ? null : (
        <circle key={line.id} cx={plot.x(index)} cy={yOf(plot, line)(value)} r={3.5} fill="var(--canvas)" stroke={lineColour(at)} strokeWidth={1.75} />
      );
    })}
  </>
);

/** A small flag at each annotation. */
export const NoteFlags = ({ plot, notes }: { readonly plot: Plot; readonly notes: readonly ChartNote[] }): ReactElement => (
  <>
    {notes.map((note) => (
      <g key={`${note.index}-${note.text}`} transform={`translate(${plot.x(note.index)} 0)`}>
        <line y2={plot.height} stroke={muted} strokeDasharray="1 3" />
        {/* At the right edge the label is on the other side, because the second axis is there. */}
        <path d="M0 0h9l-3 3.5 3 3.5H0z" fill={muted} {...(plot.x(note.index) > plot.width - 12 ? { transform: 'scale(-1 1)' } : {})} />
      </g>
    ))}
  </>
);
