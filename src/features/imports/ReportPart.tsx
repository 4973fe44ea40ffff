import { pathOf } from '@contract/call';
import { importCalls } from '@contract/imports/calls';
import { isFigures } from '@contract/imports/terms';
import type { Import } from '@contract/imports/schemas';
import { Box, Link, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';

/** The result of an import: figures, and the skipped lines by reason with an example each. */
export function ReportPart({ siteId, it, timeZone }: { readonly siteId: string; readonly it: Import; readonly timeZone: string }): ReactElement | null {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const { report } = it;
  if (report === null) return null;
  // Daily figures have no time zone.
  const daily = isFigures(it.format);
  const moment = (at: number): string => (daily ? new Date(at).toISOString().slice(0, 10) : format.dateTime(at, { timeZone }));
  const refused = report.refused.reduce((sum, { count }) => sum + count, 0);
  const figures: readonly (readonly [string, string])[] = [
    [t('report.lines'), format.number(report.lines)],
    [t(it.format === 'keywords' ? 'keywords.rows' : daily ? 'report.days' : 'report.accepted'), format.number(report.accepted)],
    [t('report.repeated'), format.number(report.repeated)],
    [t('report.refused'), format.number(refused)],
    ...(daily ? [] : ([[t('report.bots'), format.number(report.bots)]] as const)),
    ...(report.firstAt === null || report.lastAt === null ? [] : ([[t('report.range'), `${moment(report.firstAt)} – ${moment(report.lastAt)}`]] as const)),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, m: 0 }}>
        {figures.map(([name, value]) => (
          <Box key={name}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {name}
            </Typography>
            <Box component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Box>
          </Box>
        ))}
      </Box>
      {report.refused.length > 0 && (
        <>
          <DataTable
            label={t('report.refused')}
            dense
            columns={[
              { id: 'reason', name: t('report.reason'), cell: (row) => t(`reason.${row.reason}`) },
              { id: 'count', name: t('report.count'), numeric: true, cell: (row) => format.number(row.count), value: (row) => row.count },
              { id: 'sample', name: t('report.sample'), cell: (row) => row.samples.find((sample) => sample.text !== '')?.text ?? '—', fills: true },
            ]}
            rows={report.refused}
            rowKey={(row) => row.reason}
          />
          <Typography variant="body2">
            <Link href={pathOf(importCalls.importRefused, { siteId, id: it.id })} download>
              {t('report.file')}
            </Link>
          </Typography>
        </>
      )}
    </Box>
  );
}
