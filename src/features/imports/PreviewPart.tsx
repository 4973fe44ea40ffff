import type { Import, ImportMode } from '@contract/imports';
import { Alert, Box, Button, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { DataTable } from '@/ui/DataTable';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Bone } from '@/ui/skeletons';
import { useImportPreviewQuery, useStartImportMutation } from './importsApi';

const zoneText = (minutes: number): string =>
  `UTC${minutes < 0 ? '−' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;

/** What the files would become, the choice of how they count, and the start. */
export function PreviewPart({ siteId, it, timeZone }: { readonly siteId: string; readonly it: Import; readonly timeZone: string }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const modeId = useId();
  const [chosen, setChosen] = useState<ImportMode | null>(null);
  const { data, error, isFetching, refetch } = useImportPreviewQuery({ siteId, id: it.id, options: {} });
  const [start, starting] = useStartImportMutation();
  if (isFailure(error)) return <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (data === undefined) return <Bone h={160} />;
  if (data.format === null)
    return <Alert severity="warning">{`${t('preview.unknown')}${t('preview.unknownText') === '' ? '' : ` · ${t('preview.unknownText')}`}`}</Alert>;
  const mode = chosen ?? data.suggested;
  const day = (at: number): string => format.dateTime(at, { timeZone });
  const facts = [
    t('preview.detected', { format: t(`format.${data.format}`) }),
    ...(data.zoneOffset === null ? [] : [t('preview.zone', { zone: zoneText(data.zoneOffset) })]),
    ...(data.firstAt === null
      ? []
      : [data.lastAt === null ? t('preview.range', { from: day(data.firstAt) }) : t('preview.rangeTo', { from: day(data.firstAt), to: day(data.lastAt) })]),
    t('preview.looked', { lines: format.number(data.looked.lines), accepted: format.number(data.looked.accepted) }),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Typography variant="body2">{facts.join(' · ')}</Typography>
      {data.looked.refused.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {data.looked.refused.map(({ reason, count }) => `${t(`reason.${reason}`)} ${format.number(count)}`).join(' · ')}
        </Typography>
      )}
      <DataTable
        label={t('preview.title')}
        dense
        columns={[
          { id: 'line', name: t('preview.line'), numeric: true, cell: (row) => row.line },
          { id: 'time', name: t('preview.time'), cell: (row) => (row.at === null ? '—' : format.dateTime(row.at, { timeZone, seconds: true })), minWidth: 150 },
          { id: 'path', name: t('preview.path'), cell: (row) => row.path, fills: true },
          { id: 'status', name: t('preview.status'), numeric: true, cell: (row) => (row.status === 0 ? '—' : row.status) },
          { id: 'address', name: t('preview.address'), cell: (row) => row.address || '—' },
          { id: 'browser', name: t('preview.browser'), cell: (row) => row.browser || '—' },
          { id: 'result', name: t('preview.result'), cell: (row) => (row.refused === null ? t('preview.view') : t(`reason.${row.refused}`)) },
        ]}
        rows={data.lines}
        rowKey={(row) => `${row.line} ${row.host} ${row.path}`}
      />
      {data.sameAs !== null && <Alert severity="info">{t('sameAs', { date: format.dateTime(data.sameAs) })}</Alert>}
      {data.format === 'plausible' ? (
        <Typography variant="body2">{t('plausibleNote')}</Typography>
      ) : (
        <>
          {data.overlap > 0 && <Alert severity="info">{t('overlap', { count: data.overlap, shown: format.number(data.overlap) })}</Alert>}
          <RadioGroup aria-labelledby={modeId} value={mode} onChange={(_event, value) => setChosen(value as ImportMode)}>
            {(['count', 'compare'] as const).map((one) => (
              <FormControlLabel
                key={one}
                value={one}
                control={<Radio size="small" />}
                label={
                  <>
                    {t(`mode.${one}`)}
                    <Typography component="span" variant="body2" sx={{ color: 'text.secondary', ml: 1 }}>
                      {t(`modeText.${one}`)}
                    </Typography>
                  </>
                }
              />
            ))}
          </RadioGroup>
        </>
      )}
      {isFailure(starting.error) && <ErrorPanel failure={starting.error} />}
      <Box>
        <Button variant="contained" disabled={starting.isLoading} onClick={() => void start({ siteId, id: it.id, mode })}>
          {t('start')}
        </Button>
      </Box>
    </Box>
  );
}
