import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountryPreview, CountryRule } from '@contract/countryBlock/schemas';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { useCountryNames } from './useCountryNames';
import { useRulePreview } from './useRulePreview';

type Row = CountryPreview['rows'][number];
const counts = ['visits', 'visitors', 'pageViews', 'conversions', 'conversations', 'botVisits'] as const;

function Result({ preview, rule }: { readonly preview: CountryPreview; readonly rule: CountryRule }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { flagged, nameOf } = useCountryNames();
  const sum = (rows: readonly Row[], of: (typeof counts)[number]): number => rows.reduce((total, row) => total + (row[of] ?? 0), 0);
  const visible = counts.filter((id) => id !== 'conversations' || sum(preview.rows, id) > 0);
  const refused = preview.rows.filter((row) => row.refused);
  const [visits, all] = [sum(refused, 'visits'), sum(preview.rows, 'visits')];
  const columns: readonly Column<Row>[] = [
    { id: 'country', name: t('column.country'), sortable: true, minWidth: 140, value: (row) => nameOf(row.country), cell: (row) => flagged(row.country) },
    { id: 'refused', name: t('column.decision'), minWidth: 96, cell: (row) => row.refused && <Tag tone="warning">{t('preview.refused')}</Tag> },
    ...visible.map((id): Column<Row> => ({
      id,
      name: t(`column.${id}`),
      numeric: true,
      sortable: true,
      value: (row) => row[id],
      cell: (row) => format.number(row[id] ?? 0),
    })),
  ];
  return (
    <>
      <Typography variant="body2" role="status" sx={{ mb: 1 }}>
        {all === 0
          ? t('preview.noVisits')
          : t('preview.sum', {
              visits: format.number(visits),
              all: format.number(all),
              share: format.percent(visits / all),
              conversions: format.number(sum(refused, 'conversions')),
            })}
      </Typography>
      {all > 0 && preview.networksIgnored && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('preview.networksIgnored')}
        </Typography>
      )}
      {all > 0 && preview.torIgnored && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('preview.torIgnored')}
        </Typography>
      )}
      {all > 0 && rule.bots === 'verified' && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('preview.bots', { count: sum(refused, 'botVisits'), number: format.number(sum(refused, 'botVisits')) })}
        </Typography>
      )}
      {preview.rows.length > 0 && <DataTable label={t('preview.title')} columns={columns} rows={preview.rows} rowKey={(row) => row.country ?? ''} dense />}
    </>
  );
}

/** Which visits of the last 30 days the rule in the form would have refused. Follows the form. */
export function PreviewCard({ siteId, input }: { readonly siteId: string; readonly input: unknown }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  const { rule, result } = useRulePreview(siteId, input);
  const days = result.data && format.days({ from: result.data.from, to: result.data.to });
  return (
    <Section title={t('preview.title')} note={days === undefined ? t('preview.lead') : t('preview.range', { days })}>
      {rule === null ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('preview.incomplete')}
        </Typography>
      ) : (
        <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
          {(preview) => <Result preview={preview} rule={rule} />}
        </ResultState>
      )}
    </Section>
  );
}
