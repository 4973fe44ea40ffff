import type { ImportOptions, ImportPreview, ImportReason } from '@contract/imports/schemas';
import { type KeywordEngine, keywordEngineNames, keywordEngines } from '@contract/imports/keywordTerms';
import type { KeywordPreview } from '@contract/imports/keywords';
import { Alert, Box, Button, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { DataTable } from '@/ui/DataTable';
import { DateInput, readMoment } from '@/ui/date/DateInput';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import type { Column } from '@/ui/tableColumns';
import { useStartImportMutation } from './importsApi';
import { useProductName } from './useProductName';

type PreviewRow = KeywordPreview['rows'][number];
type Keywords = NonNullable<ImportOptions['keywords']>;

/** Preview of keyword reports: columns and first rows, the engine and the period, what they replace, and the start button. */
export function KeywordsPart({
  siteId,
  id,
  today,
  preview,
  keywords: received,
  options,
  busy,
  onChange,
}: {
  readonly siteId: string;
  readonly id: string;
  /** In the site's time zone. */
  readonly today: string;
  readonly preview: ImportPreview;
  readonly keywords: KeywordPreview;
  readonly options: ImportOptions;
  readonly busy: boolean;
  readonly onChange: (options: ImportOptions) => void;
}): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const [start, starting] = useStartImportMutation();
  const change = (one: Keywords): void => onChange({ ...options, keywords: { ...options.keywords, ...one } });
  // A fresh choice is shown before its preview has loaded.
  const chosen = options.keywords ?? {};
  const { dated } = received;
  const period = usePeriod({ from: chosen.from ?? received.from, to: chosen.to ?? received.to }, today, change);
  const { from, to, isPeriod } = period;
  const engine = chosen.engine ?? received.engine;
  const keywords: KeywordPreview = { ...received, engine, from, to };
  const nothing = preview.sample.accepted === 0;
  const reasons = preview.sample.refused.map(({ reason, count }) =>
    t('reasonCount', { reason: t(`reason.${reason}`), countText: format.number(count), count }),
  );
  return (
    <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }} aria-busy={busy}>
      <Typography variant="body2">
        {[
          t('preview.detected', { format: t('format.keywords') }),
          t('keywords.looked', { lines: format.number(preview.sample.lines), accepted: format.number(preview.sample.accepted) }),
          ...(dated && isPeriod ? [t('keywords.range', { from, to })] : []),
        ].join(' · ')}
      </Typography>
      <Columns keywords={keywords} />
      {reasons.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('keywords.refused', { reasons: reasons.join(' · ') })}
        </Typography>
      )}
      <Rows keywords={keywords} />
      <EngineAndPeriod keywords={keywords} period={period} today={today} onChange={change} />
      {nothing && <Alert severity="warning">{t('keywords.none')}</Alert>}
      <Overlaps overlaps={keywords.overlaps} />
      <Typography variant="body2">{t('keywords.note')}</Typography>
      {isFailure(starting.error) && <ErrorPanel failure={starting.error} />}
      <Box>
        <Button
          variant="contained"
          disabled={starting.isLoading || nothing || engine === null || !isPeriod}
          onClick={() =>
            void start({
              siteId,
              id,
              body: {
                mode: 'compare',
                keywords: { ...(engine === null ? {} : { engine }), ...(dated || from === null || to === null ? {} : { from, to }) },
              },
            })
          }
        >
          {t('start')}
        </Button>
      </Box>
    </Box>
  );
}

const isDay = (text: string | null): text is string => text !== null && readMoment('date', text) === text;
type Typed = { readonly from?: string; readonly to?: string };

/** The period of the reports. What is in the fields counts, also before it is a date; the preview loads anew when one is complete. */
function usePeriod(chosen: Pick<KeywordPreview, 'from' | 'to'>, today: string, onChange: (one: Keywords) => void) {
  const [typed, setTyped] = useState<Typed>({});
  const { from, to } = { ...chosen, ...typed };
  return {
    chosen,
    from,
    to,
    isPeriod: isPeriodUntil(today, { from, to }),
    type: (one: Typed): void => setTyped({ ...typed, ...one }),
    choose: (one: Typed): void => {
      setTyped({});
      onChange(one);
    },
  };
}

const isPeriodUntil = (today: string, { from, to }: Pick<KeywordPreview, 'from' | 'to'>): boolean => isDay(from) && isDay(to) && from <= to && to <= today;

function Columns({ keywords: { columns, unread } }: { readonly keywords: KeywordPreview }): ReactElement {
  const { t } = useTranslation('imports');
  return (
    <Box>
      <Typography component="h4" variant="body2" sx={{ fontWeight: 600, mb: 0.5 }}>
        {t('keywords.columns')}
      </Typography>
      <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, m: 0 }}>
        {columns.map(({ column, header }) => (
          <Box key={column} sx={{ minWidth: 0 }}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {t(`keywords.column.${column}`)}
            </Typography>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {header}
            </Box>
          </Box>
        ))}
      </Box>
      {unread.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1, overflowWrap: 'anywhere' }}>
          {t('keywords.unread', { names: unread.join(' · ') })}
        </Typography>
      )}
    </Box>
  );
}

function Rows({ keywords: { rows, columns, dated } }: { readonly keywords: KeywordPreview }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const number = (value: number | null): string => (value === null ? '—' : format.number(value));
  const visibleColumns: readonly Column<PreviewRow>[] = [
    { id: 'query', name: t('keywords.column.query'), cell: (row) => row.query, fills: true },
    ...(columns.some(({ column }) => column === 'page') ? [{ id: 'page', name: t('keywords.column.page'), cell: (row: PreviewRow) => row.page || '—' }] : []),
    ...(dated ? [{ id: 'day', name: t('keywords.column.date'), cell: (row: PreviewRow) => row.day ?? '—', minWidth: 104 }] : []),
    { id: 'clicks', name: t('keywords.column.clicks'), numeric: true, cell: (row) => number(row.clicks) },
    { id: 'impressions', name: t('keywords.column.impressions'), numeric: true, cell: (row) => number(row.impressions) },
    { id: 'position', name: t('keywords.column.position'), numeric: true, cell: (row) => (row.position === null ? '—' : format.decimal(row.position, 1)) },
    ...(rows.some(({ refused }) => refused !== null)
      ? [{ id: 'refused', name: t('preview.result'), cell: (row: PreviewRow) => (row.refused === null ? '' : t(`reason.${row.refused as ImportReason}`)) }]
      : []),
  ];
  return <DataTable label={t('preview.title')} dense columns={visibleColumns} rows={rows} rowKey={(row) => `${row.line} ${row.query}`} />;
}

function EngineAndPeriod({
  keywords: { engine, from, to, dated },
  period,
  today,
  onChange,
}: {
  readonly keywords: KeywordPreview;
  readonly period: ReturnType<typeof usePeriod>;
  readonly today: string;
  readonly onChange: (one: Keywords) => void;
}): ReactElement {
  const { t } = useTranslation('imports');
  const product = useProductName();
  const wrong = from !== null && to !== null && !period.isPeriod;
  const day = (name: 'from' | 'to'): ReactElement => (
    <Box sx={{ width: 170 }}>
      <Field label={t(`keywords.${name}`)}>
        {(aria) => (
          <DateInput
            {...aria}
            aria-invalid={wrong}
            max={today}
            value={period.chosen[name] ?? ''}
            onChange={(text) => period.type({ [name]: text })}
            onCommit={(next) => period.choose({ [name]: next })}
          />
        )}
      </Field>
    </Box>
  );
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Box sx={{ width: 170 }}>
          <Field label={t('keywords.engine')}>
            {({ id, ...aria }) => (
              <NativeSelect
                fullWidth
                id={id}
                input={<OutlinedInput />}
                inputProps={aria}
                value={engine ?? ''}
                onChange={(event) => onChange({ engine: event.target.value as KeywordEngine })}
              >
                {engine === null && <option value="">–</option>}
                {keywordEngines.map((one) => (
                  <option key={one} value={one}>
                    {product(keywordEngineNames[one])}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
        </Box>
        {!dated && (
          <>
            {day('from')}
            {day('to')}
          </>
        )}
      </Box>
      {!dated && (
        <Typography variant="body2" {...(wrong ? { role: 'alert', color: 'error' } : { sx: { color: 'text.secondary' } })}>
          {t(wrong ? 'keywords.wrongPeriod' : from === null ? 'keywords.undated' : 'keywords.suggested')}
        </Typography>
      )}
    </Box>
  );
}

function Overlaps({ overlaps }: Pick<KeywordPreview, 'overlaps'>): ReactElement | null {
  const { t } = useTranslation('imports');
  if (overlaps.length === 0) return null;
  return (
    <Alert severity="info">
      {t('keywords.replaces')}
      <Box component="ul" sx={{ m: 0, my: 0.5, pl: 2.5 }}>
        {overlaps.map(({ id, name, from, to, wholly }) => (
          <li key={id}>{t(wholly ? 'keywords.wholly' : 'keywords.partly', { name, from, to })}</li>
        ))}
      </Box>
      {t('keywords.restored')}
    </Alert>
  );
}
