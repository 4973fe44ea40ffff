import type { Import, ImportMode, ImportOptions, ImportPreview } from '@contract/imports/schemas';
import { Alert, AlertTitle, Box, Button, FormControlLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { useToday } from '@/lib/useToday';
import { isFailure } from '@/lib/failure';
import { DataTable } from '@/ui/DataTable';
import { ErrorPanel } from '@/ui/ErrorPanel';
import type { Column } from '@/ui/tableColumns';
import { Bone } from '@/ui/skeletons';
import { FormatPart } from './FormatPart';
import { KeywordsPart } from './KeywordsPart';
import { useImportPreviewQuery, useStartImportMutation } from './importsApi';

type PreviewLine = ImportPreview['lines'][number];

const zoneText = (minutes: number): string =>
  `UTC${minutes < 0 ? '−' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;

type FindingsProps = { readonly preview: ImportPreview; readonly format: NonNullable<ImportPreview['format']>; readonly timeZone: string };

/** What was found in the first lines, in figures and line by line. */
function Findings({ preview: data, format: fileFormat, timeZone }: FindingsProps): ReactElement {
  const { t, i18n } = useTranslation('imports');
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  const places = usePlaces();
  const format = useFormat();
  // A Plausible export has days, which have no time zone.
  const daily = fileFormat === 'plausible';
  const day = (at: number): string => (daily ? new Date(at).toISOString().slice(0, 10) : format.dateTime(at, { timeZone }));
  const dayColumns: readonly Column<PreviewLine>[] = [
    { id: 'line', name: t('preview.line'), numeric: true, cell: (row) => row.line },
    { id: 'time', name: t('preview.day'), cell: (row) => (row.at === null ? '—' : day(row.at)) },
    { id: 'key', name: t('history.key'), cell: (row) => row.path || t('preview.total'), fills: true },
    { id: 'table', name: t('preview.table'), cell: (row) => row.host },
    { id: 'result', name: t('preview.result'), cell: (row) => (row.refused === null ? t('preview.row') : t(`reason.${row.refused}`)) },
  ];
  const lineColumns: readonly Column<PreviewLine>[] = [
    { id: 'line', name: t('preview.line'), numeric: true, cell: (row) => row.line },
    { id: 'result', name: t('preview.result'), cell: (row) => (row.refused === null ? t('preview.view') : t(`reason.${row.refused}`)) },
    { id: 'path', name: t('preview.path'), cell: (row) => row.path, fills: true },
    { id: 'time', name: t('preview.time'), cell: (row) => (row.at === null ? '—' : format.dateTime(row.at, { timeZone, seconds: true })), minWidth: 150 },
    { id: 'status', name: t('preview.status'), numeric: true, cell: (row) => (row.status === 0 ? '—' : row.status) },
    { id: 'address', name: t('preview.address'), cell: (row) => row.address || '—' },
    { id: 'browser', name: t('preview.browser'), cell: (row) => (row.browser === '' ? '—' : (places?.productName(row.browser, locale) ?? row.browser)) },
  ];
  const facts = [
    t(fileFormat === data.detected ? 'preview.detected' : 'preview.forced', { format: t(`format.${fileFormat}`) }),
    ...(data.zoneOffset === null ? [] : [t('preview.zone', { zone: zoneText(data.zoneOffset) })]),
    ...(data.firstAt === null
      ? []
      : [data.lastAt === null ? t('preview.range', { from: day(data.firstAt) }) : t('preview.rangeTo', { from: day(data.firstAt), to: day(data.lastAt) })]),
    t(daily ? 'preview.lookedDays' : 'preview.looked', { lines: format.number(data.sample.lines), accepted: format.number(data.sample.accepted) }),
  ];
  return (
    <>
      <Typography variant="body2">{facts.join(' · ')}</Typography>
      {data.sample.refused.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {data.sample.refused
            .map(({ reason, count }) => t('reasonCount', { reason: t(`reason.${reason}`), countText: format.number(count), count }))
            .join(' · ')}
        </Typography>
      )}
      <DataTable
        label={t('preview.title')}
        dense
        columns={daily ? dayColumns : lineColumns}
        rows={data.lines}
        rowKey={(row) => `${row.line} ${row.host} ${row.path}`}
      />
    </>
  );
}

/** Whether the page views of a log count, or are only compared. */
function ModeChoice({ mode, onChange }: { readonly mode: ImportMode; readonly onChange: (mode: ImportMode) => void }): ReactElement {
  const { t } = useTranslation('imports');
  const modeId = useId();
  return (
    <>
      <Typography component="h4" variant="body2" id={modeId} sx={{ fontWeight: 600, mb: -1 }}>
        {t('modeTitle')}
      </Typography>
      <RadioGroup aria-labelledby={modeId} value={mode} onChange={(_event, value) => onChange(value as ImportMode)}>
        {(['count', 'compare'] as const).map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio />}
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
  );
}

/** Preview of an import, the choice of how it counts, and the start button. */
export function PreviewPart({ siteId, it, timeZone }: { readonly siteId: string; readonly it: Import; readonly timeZone: string }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const today = useToday(timeZone);
  const [chosen, setChosen] = useState<ImportMode | null>(null);
  const [options, setOptions] = useState<ImportOptions>({});
  const { data, error, isFetching, refetch } = useImportPreviewQuery({ siteId, id: it.id, body: options });
  const [start, starting] = useStartImportMutation();
  if (isFailure(error) && data === undefined) return <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (data === undefined) return <Bone h={160} />;
  // The same key in both branches below: the input survives when a format is found.
  const formatPart = <FormatPart key="format" detected={data.detected} options={options} found={data.fields} onChange={setOptions} />;
  const failed = isFailure(error) && <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (data.format === null)
    return (
      <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }} aria-busy={isFetching}>
        <Alert severity="warning">
          <AlertTitle>{t('preview.unknown')}</AlertTitle>
          {t('preview.unknownText')}
        </Alert>
        {formatPart}
        {failed}
      </Box>
    );
  if (data.keywords !== null)
    return (
      <KeywordsPart
        today={today}
        siteId={siteId}
        id={it.id}
        preview={data}
        keywords={data.keywords}
        options={options}
        busy={isFetching}
        onChange={setOptions}
      />
    );
  const mode = chosen ?? data.suggested;
  return (
    <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }} aria-busy={isFetching}>
      <Findings preview={data} format={data.format} timeZone={timeZone} />
      {formatPart}
      {failed}
      {data.sample.accepted === 0 && <Alert severity="warning">{t('preview.noViews')}</Alert>}
      {data.sameAs !== null && <Alert severity="info">{t('sameAs', { date: format.dateTime(data.sameAs) })}</Alert>}
      {data.format === 'plausible' ? (
        <Typography variant="body2">{t('plausibleNote')}</Typography>
      ) : (
        <>
          {data.overlap > 0 && <Alert severity="info">{t('overlap', { count: data.overlap, countText: format.number(data.overlap) })}</Alert>}
          {data.sameMode !== null && data.sameMode !== mode && <Alert severity="info">{t('otherMode', { mode: t(`mode.${data.sameMode}`) })}</Alert>}
          <ModeChoice mode={mode} onChange={setChosen} />
        </>
      )}
      {isFailure(starting.error) && <ErrorPanel failure={starting.error} />}
      <Box>
        <Button variant="contained" disabled={starting.isLoading} onClick={() => void start({ siteId, id: it.id, body: { ...options, mode } })}>
          {t('start')}
        </Button>
      </Box>
    </Box>
  );
}
