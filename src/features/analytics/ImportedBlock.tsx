import type { ImportedHistory } from '@contract/imports/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useImportedHistoryQuery } from '@/features/imports/importsApi';
import { sharedSecret } from '@/lib/sharedLink';
import { isFailure } from '@/store/failure';
import { Chart } from '@/ui/chart/Chart';
import { Section } from '@/ui/Section';
import { BlockFailure } from './BlockState';
import type { LateBlock } from './blocks';
import { useWords } from './useWords';

const measures = ['visitors', 'visits', 'views'] as const;
/** Grey instead of the accent: nobody should take these for figures that were measured here. */
const Foreign = styled('div')({ '--chart-accent': 'var(--chart-muted)', marginBottom: 24 });
const Figures = styled('dl')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '8px 32px',
  margin: '0 0 8px',
  '& dt': { fontSize: '0.75rem', color: 'var(--ink-2)' },
  '& dd': { margin: 0, fontSize: '1rem', fontVariantNumeric: 'tabular-nums' },
});

/** Days that are known from the export alone: from the first visit measured here on, the other blocks tell. */
export const unmeasuredDays = ({ days, measuredFrom }: Pick<ImportedHistory, 'days' | 'measuredFrom'>): ImportedHistory['days'] =>
  measuredFrom === null ? days : days.filter(({ day }) => day < measuredFrom);

/** Days of the range before the first visit measured here, as another program counted them. Totals cannot be filtered: with filters there is nothing. */
const ImportedBlock: LateBlock<'imported'> = ({ site, state, own }): ReactElement | null => {
  const { t, format } = useWords();
  // Nor does a shared link tell of imports.
  const plain = own.length === 0 && state.segment.length === 0 && state.by === null && sharedSecret === null;
  const { from, to } = state.range;
  const { currentData, error, isFetching, refetch } = useImportedHistoryQuery({ siteId: site.id, from, to }, { skip: !plain });
  if (!plain) return null;
  // Who may not read imports, a guest for one, is not told of them.
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
            points={days.map(({ day }) => ({ name: day, tick: day.slice(5), open: false }))}
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
