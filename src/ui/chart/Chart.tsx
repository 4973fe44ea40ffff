import BarChartIcon from '@mui/icons-material/ShowChart';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import { Box, IconButton, Skeleton } from '@mui/material';
import { Component, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartTable } from './ChartTable';
import { lineColour, muted } from './colours';
import type { TimeSeriesProps } from './TimeSeries';
import type { ChartLine, ChartPoint } from './types';

const TimeSeries = lazy(() => import(/* webpackChunkName: "chart" */ './TimeSeries'));
const MinuteBars = lazy(() => import(/* webpackChunkName: "chart" */ './MinuteBars'));

/** If the chart's part does not load, its table is still shown. */
class OrTable extends Component<{ readonly instead: ReactNode; readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

const Failed = ({ children }: { children: ReactNode }): ReactElement => {
  const { t } = useTranslation('chart');
  return (
    <>
      <Box role="alert" sx={{ fontSize: 'var(--text-secondary)', color: 'text.secondary', mb: 1 }}>
        {t('failed')}
      </Box>
      {children}
    </>
  );
};

const Waiting = ({ height }: { height: number }): ReactElement => {
  const { t } = useTranslation('chart');
  return (
    <div role="status">
      <span className="only-read">{t('loading')}</span>
      <Skeleton variant="rectangular" height={height} sx={{ borderRadius: 1 }} />
    </div>
  );
};

/** A time series with its legend and its data table. */
export const Chart = ({ tools, ...props }: TimeSeriesProps & { readonly tools?: ReactNode }): ReactElement => {
  const { t } = useTranslation('chart');
  const [table, setTable] = useState(false);
  const height = props.height ?? 240;
  const behind = <ChartTable label={t('tableOf', { name: props.label })} points={props.points} lines={props.lines} />;
  const compared = props.lines.some((line) => line.compare !== undefined);
  return (
    <Box>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          flexWrap: 'wrap',
          columnGap: 2,
          minHeight: 32,
          fontSize: 'var(--text-secondary)',
          color: 'text.secondary',
        }}
      >
        {props.lines.map((line, at) => (
          <Key key={line.id} colour={lineColour(at)} dashed={false}>
            {line.name}
          </Key>
        ))}
        {compared && (
          <Key colour={muted} dashed>
            {props.lines.find((line) => line.compare !== undefined)?.compareLabel ?? t('before')}
          </Key>
        )}
        <Box sx={{ ml: 'auto', display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', alignItems: 'center', gap: 1 }}>
          {tools}
          <IconButton
            size="small"
            aria-pressed={table}
            aria-label={table ? t('asChart') : t('asTable')}
            title={table ? t('asChart') : t('asTable')}
            onClick={() => setTable(!table)}
          >
            {table ? <BarChartIcon fontSize="small" /> : <TableIcon fontSize="small" />}
          </IconButton>
        </Box>
      </Box>
      {table ? (
        behind
      ) : (
        <OrTable instead={<Failed>{behind}</Failed>}>
          <Suspense fallback={<Waiting height={height} />}>
            <TimeSeries {...props} height={height} />
          </Suspense>
        </OrTable>
      )}
    </Box>
  );
};

/** Bars by minute, with a data table for screen readers. */
export const MinuteChart = ({
  label,
  points,
  line,
  height = 72,
}: {
  label: string;
  points: readonly ChartPoint[];
  line: ChartLine;
  height?: number;
}): ReactElement => (
  <OrTable
    instead={
      <Failed>
        <ChartTable label={label} points={points} lines={[line]} />
      </Failed>
    }
  >
    <Suspense fallback={<Waiting height={height} />}>
      <MinuteBars label={label} points={points} line={line} height={height} />
    </Suspense>
  </OrTable>
);

const Key = ({ colour, dashed, children }: { colour: string; dashed: boolean; children: ReactNode }): ReactElement => (
  <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
    <svg width="16" height="8" aria-hidden>
      <line x1="0" x2="16" y1="4" y2="4" stroke={colour} strokeWidth="2" {...(dashed ? { strokeDasharray: '4 3' } : {})} />
    </svg>
    {children}
  </Box>
);
