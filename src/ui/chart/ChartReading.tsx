import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Delta } from '../Delta';
import { lineColour } from './colours';
import type { ChartLine, ChartNote, ChartPoint } from './types';

const boxWidth = 232;

/** The value of one line in a definition list of three columns, and below it the value of the comparison period. */
const LineValues = ({
  line,
  index,
  colour,
  open,
}: {
  readonly line: ChartLine;
  readonly index: number;
  readonly colour: string;
  /** The point is still in progress: no difference is shown. */
  readonly open: boolean;
}): ReactElement => {
  const { t } = useTranslation('chart');
  const value = line.values[index] ?? null;
  const before = line.compare?.[index] ?? null;
  return (
    <Box sx={{ display: 'contents' }}>
      <Box component="dt" sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
        <Box component="span" sx={{ width: 8, height: 2 }} style={{ background: colour }} />
        {line.name}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'right', fontWeight: 600 }}>
        {line.write(value)}
      </Box>
      <Box component="dd" sx={{ m: 0, textAlign: 'right', minWidth: 56 }}>
        {line.compare !== undefined && !open && <Delta now={value} before={before} better="neither" />}
      </Box>
      {open && line.forecast !== undefined && (
        <>
          <Box component="dt" sx={{ color: 'text.secondary', pl: 1.75 }}>
            {t('forecast')}
          </Box>
          <Box component="dd" sx={{ m: 0, textAlign: 'right', color: 'text.secondary' }}>
            {t('forecastRange', { low: line.write(line.forecast.low), high: line.write(line.forecast.high) })}
          </Box>
          <span />
        </>
      )}
      {line.compare !== undefined && (
        <>
          <Box component="dt" sx={{ color: 'text.secondary', pl: 1.75 }}>
            {line.compareLabel ?? t('before')}
          </Box>
          <Box component="dd" sx={{ m: 0, textAlign: 'right', color: 'text.secondary' }}>
            {line.write(before)}
          </Box>
          <span />
        </>
      )}
    </Box>
  );
};

/** The values at one point, floating beside the reading line within the chart. */
export const ChartReading = ({
  point,
  lines,
  index,
  left,
  width,
  notes,
}: {
  point: ChartPoint;
  lines: readonly ChartLine[];
  index: number;
  left: number;
  width: number;
  notes: readonly ChartNote[];
}): ReactElement => {
  const { t } = useTranslation('chart');
  const toRight = left + 12 + boxWidth <= width || left < boxWidth + 12;
  const compared = lines.some((line) => line.compare !== undefined);
  return (
    <Box
      aria-hidden
      sx={{
        position: 'absolute',
        top: 4,
        width: boxWidth,
        maxWidth: '70%',
        p: 1,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        boxShadow: 2,
        fontSize: 'var(--text-secondary)',
        lineHeight: 1.5,
        pointerEvents: 'none',
        zIndex: 2,
        fontVariantNumeric: 'tabular-nums',
        '@media print': { display: 'none' },
      }}
      style={toRight ? { left: Math.min(left + 12, Math.max(0, width - boxWidth)) } : { left: left - 12 - boxWidth }}
    >
      <Box sx={{ fontWeight: 600 }}>
        {point.name}
        {point.open && (
          <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
            {t('open')}
          </Box>
        )}
      </Box>
      {compared && point.compareName !== undefined && <Box sx={{ color: 'text.secondary' }}>{t('against', { name: point.compareName })}</Box>}
      <Box component="dl" sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: 'auto 1fr auto', columnGap: 1 }}>
        {lines.map((line, at) => (
          <LineValues key={line.id} line={line} index={index} colour={lineColour(at)} open={point.open} />
        ))}
      </Box>
      {notes
        .filter((note) => note.index === index)
        .map((note) => (
          <Box key={note.text} sx={{ mt: 0.5, color: 'text.secondary' }}>
            {note.text}
          </Box>
        ))}
    </Box>
  );
};
