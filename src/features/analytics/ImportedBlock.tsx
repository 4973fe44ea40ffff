import type { ImportedHistory } from '@contract/imports/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useImportedHistoryQuery } from '@/features/imports/importsApi';
import { publicLinkSecret } from '@/lib/publicLink';
import { isFailure } from '@/lib/failure';
import { Chart } from '@/ui/chart/Chart';
import { Section } from '@/ui/Section';
import { BlockFailure } from './BlockState';
import type { LazyBlock } from './blocks';
import { useLabels } from './useLabels';

const measures = ['visitors', 'visits', 'views'] as const;
/** Grey instead of the accent, so that these are not mistaken for figures measured here. */
const Foreign = styled('div')({ '--chart-accent': 'var(--chart-muted)', marginBottom: 24 });
const Figures = styled('dl')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '8px 32px',
  margin: '0 0 8px',
  '& dt': { fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' },
  '& dd': { margin: 0, fontSize: 'var(--text-section)', fontVariantNumeric: 'tabular-nums' },
});

/** Days known from the export only: from the first visit measured here on, the other blocks have the figures. */
export const unmeasuredDays = ({ days, measuredFrom }: Pick<ImportedHistory, 'days' | 'measuredFrom'>): ImportedHistory['days'] =>
  measuredFrom === null ? days : days.filter(({ day }) => day < measuredFrom);

/**
 * Days of the range before the first visit measured here, as counted by another program. Totals cannot be filtered: with filters nothing is shown.
 */
const ImportedBlock: LazyBlock<'imported'> = ({ site, state, own }): ReactElement | null => {
  const { t, format } = useLabels();
  // Public links do not show imports.
  const plain = own.length === 0 && state.segment.length === 0 && state.by === null && publicLinkSecret === null;
  const { from, to } = state.range;
  const { currentData, error, isFetching, refetch } = useImportedHistoryQuery({ siteId: site.id, from, to }, { skip: !plain });
  if (!plain) return null;
  // Without permission to read imports, as behind a public link, the failure is not shown.
  if (currentData === undefined && isFailure(error) && error.status !== 403 && error.status !== 404)
    return <BlockFailure name={t('blocks.imported.title')} error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  const days = currentData === undefined ? [] : unmeasuredDays(currentData);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <Foreign>
      <Section
        title={t('blocks.imported.title')}
        note={days.length === 1 ? t('blocks.imported.noteDay', { from: first.day }) : t('blocks.imported.note', { from: first.day, to: last.day })}
      >
        <Figures>
          {measures.map((measure) => (
            <div key={measure}>
              <dt>{t(`blocks.imported.${measure}`)}</dt>
              <dd>{format.number(days.reduce((sum, day) => sum + day[measure], 0))}</dd>
            </div>
          ))}
        </Figures>
        {days.length > 1 && (
          <Chart
            label={t('blocks.imported.chart')}
            height={160}
            points={days.map(({ day }) => ({ name: format.day(day), tick: format.monthDay(day), open: false }))}
            lines={[
              {
                id: 'visitors',
                name: t('blocks.imported.visitors'),
                values: days.map(({ visitors }) => visitors),
                unit: 'count',
                write: (value) => (value === null ? '—' : format.number(value)),
                writeTick: format.compact,
              },
            ]}
          />
        )}
      </Section>
    </Foreign>
  );
};

export default ImportedBlock;
