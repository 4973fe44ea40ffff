import type { ReactElement } from 'react';

/**
 * A line without axes, in plain SVG so that lists can show one per row without loading the chart part. Hidden from screen readers: the figure beside
 * it says the same.
 */
export const Sparkline = ({
  values,
  ghost,
  width = 96,
  height = 24,
}: {
  values: readonly number[];
  /** An earlier period, drawn muted behind the line. */ ghost?: readonly number[];
  width?: number;
  height?: number;
}): ReactElement => {
  const length = Math.max(values.length, ghost?.length ?? 0, 2);
  const top = Math.max(1, ...values, ...(ghost ?? []));
  const points = (line: readonly number[]): string =>
    line.map((value, index) => `${((index / (length - 1)) * (width - 2) + 1).toFixed(1)},${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`).join(' ');
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} width={width} height={height} style={{ display: 'block', overflow: 'visible' }}>
      {ghost !== undefined && (
        <polyline points={points(ghost)} fill="none" stroke="var(--chart-muted)" strokeWidth={1} strokeDasharray="3 2" vectorEffect="non-scaling-stroke" />
      )}
      {values.length === 1 ? (
        <circle cx={1} cy={height - 1 - ((values[0] as number) / top) * (height - 2)} r={1.5} fill="var(--chart-accent)" />
      ) : (
        <polyline points={points(values)} fill="none" stroke="var(--chart-accent)" strokeWidth={1.5} strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  );
};
