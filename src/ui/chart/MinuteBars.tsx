import { scaleBand } from '@visx/scale';
import { Bar } from '@visx/shape';
import { Box } from '@mui/material';
import { type ReactElement, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartReading } from './ChartReading';
import { lineColour } from './colours';
import { axisTicks } from './ticks';
import type { ChartLine, ChartPoint } from './types';
import { useReading } from './useReading';
import { useWidth } from './useWidth';

/** Small bars for a short, regular interval, such as page views by minute. The last bar is still growing. */
const MinuteBars = ({ label, points, line, height = 72 }: { label: string; points: readonly ChartPoint[]; line: ChartLine; height?: number }): ReactElement => {
  const { t } = useTranslation('chart');
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 480);
  const { index, spoken, set, onKeyDown } = useReading(points.length);
  const plotHeight = height - 18;
  const ticks = axisTicks(line.values, line.unit, 2);
  const top = ticks[ticks.length - 1] as number;
  const band = scaleBand<number>({ domain: points.map((_, at) => at), range: [0, width], padding: 0.2 });
  const barHeight = (value: number): number => (value === 0 ? 1 : Math.max(2, (value / top) * (plotHeight - 2)));
  const point = index === null ? undefined : points[index];
  const spokenPoint = spoken === null ? undefined : points[spoken];
  return (
    <Box
      ref={box}
      role="group"
      tabIndex={0}
      aria-label={`${label}${t('separator')}${t('keysBars')}`}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => {
        const from = event.currentTarget.getBoundingClientRect();
        set(Math.min(points.length - 1, Math.max(0, Math.floor(((event.clientX - from.left) / Math.max(1, width)) * points.length))));
      }}
      onPointerLeave={() => set(null)}
      onBlur={() => set(null)}
      sx={{ position: 'relative', height, borderRadius: 1, touchAction: 'pan-y' }}
    >
      <svg aria-hidden width="100%" height={height} viewBox={`0 0 ${width} ${height}`} style={{ display: 'block' }}>
        {line.values.map((value, at) => {
          const size = barHeight(value ?? 0);
          return (
            <Bar
              key={at}
              x={band(at) ?? 0}
              y={plotHeight - size}
              width={band.bandwidth()}
              height={size}
              fill={(value ?? 0) === 0 ? 'var(--chart-grid)' : lineColour(0)}
              opacity={index === null || index === at ? 1 : 0.55}
            />
          );
        })}
        {[0, points.length - 1].map((at) => (
          <text key={at} x={at === 0 ? 0 : width} y={height - 3} textAnchor={at === 0 ? 'start' : 'end'} fontSize="var(--text-secondary)" fill="var(--ink-2)">
            {points[at]?.tick}
          </text>
        ))}
      </svg>
      {point !== undefined && index !== null && (
        <ChartReading point={point} lines={[line]} index={index} left={(band(index) ?? 0) + band.bandwidth() / 2} width={width} notes={[]} />
      )}
      <Box role="status" aria-live="polite" className="only-read">
        {spokenPoint === undefined || spoken === null ? '' : `${spokenPoint.name}${t('colon')}${line.name} ${line.write(line.values[spoken] ?? null)}`}
      </Box>
    </Box>
  );
};

export default MinuteBars;
