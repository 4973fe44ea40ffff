import { Area, LinePath } from '@visx/shape';
import type { ReactElement } from 'react';
import { grid, lineColour, muted } from './colours';
import { type LineSegment, lineSegments } from './geometry';
import type { Plot } from './plot';
import { labelledIndexes } from './ticks';
import type { ChartLine, ChartNote, ChartPoint } from './types';

const tickText = { fontSize: 'var(--text-secondary)', fill: 'var(--ink-2)', style: { fontVariantNumeric: 'tabular-nums' } } as const;

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
            stroke={lines.length === 1 ? muted : lineColour(lines.indexOf(line))}
            strokeOpacity={lines.length === 1 ? 1 : 0.5}
            strokeWidth={1.5}
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

/** The pattern below the step to an unfinished point. */
export const Hatch = ({ id }: { readonly id: string }): ReactElement => (
  <defs>
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={6} height={6} fill={lineColour(0)} fillOpacity={0.04} />
      <line y2={6} stroke={lineColour(0)} strokeOpacity={0.28} strokeWidth={2} />
    </pattern>
  </defs>
);

/** The range in which the unfinished point is expected to end, as a cone from the point before it. */
export const ForecastCone = ({ plot, points, line }: Omit<Layer, 'lines'> & { readonly line: ChartLine }): ReactElement | null => {
  const open = openIndexOf(points);
  const { forecast } = line;
  if (open === null || forecast === undefined) return null;
  const y = yOf(plot, line);
  const x = plot.x(open);
  const before = line.values[open - 1] ?? null;
  const [low, high] = [y(forecast.low), y(forecast.high)];
  return (
    <g>
      {before !== null && <path d={`M${plot.x(open - 1)} ${y(before)}L${x} ${high}V${low}Z`} fill={lineColour(0)} fillOpacity={0.1} />}
      <line x1={x} x2={x} y1={low} y2={high} stroke={lineColour(0)} strokeOpacity={0.5} strokeWidth={4} />
    </g>
  );
};

/** Up to this many points each value has a dot: with more, dots hide the line. */
const dotsBelow = 15;

/** A dot for each value of a short series, so that it is clear where values are and where only lines. */
export const Dots = ({ plot, points, lines }: Layer): ReactElement | null =>
  points.length >= dotsBelow ? null : (
    <>
      {lines.flatMap((line, at) =>
        line.values.map((value, index) =>
          // The position is the identity of a point.
          // oxlint-disable-next-line react/no-array-index-key
          value === null ? null : <circle key={`${line.id}-${index}`} cx={plot.x(index)} cy={yOf(plot, line)(value)} r={2.5} fill={lineColour(at)} />,
        ),
      )}
    </>
  );

/** The ground below a single line; below the step to the unfinished point it is hatched. */
export const AreaGround = ({ plot, points, line, hatchId }: Omit<Layer, 'lines'> & { readonly line: ChartLine; readonly hatchId: string }): ReactElement => {
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
            fill={stretch.dashed ? `url(#${hatchId})` : lineColour(0)}
            fillOpacity={stretch.dashed ? 1 : 0.12}
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
