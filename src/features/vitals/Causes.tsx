import type { ReactElement } from 'react';
import type { VitalAttribution } from '@contract/vitals/schemas';
import type { VitalMetric } from '@contract/vitals/terms';
import { DataTable } from '@/ui/DataTable';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { queryOf } from './address';
import type { SiteProps } from './SiteVitals';
import { useVitalLabels } from './useVitalLabels';
import { useVitalAttributionQuery } from './vitalsApi';

const colours = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-5)', 'var(--chart-7)'] as const;
type Cause = VitalAttribution['elements'][number];

function Parts({ metric, parts }: { readonly metric: VitalMetric; readonly parts: VitalAttribution['parts'] }): ReactElement | null {
  const { t, value } = useVitalLabels();
  const sum = parts.reduce((total, { p75 }) => total + (p75 ?? 0), 0);
  if (sum === 0) return null;
  return (
    <>
      <div className="vitals-parts" aria-hidden>
        {parts.map(({ part, p75 }, index) => (
          <span key={part} style={{ width: `${((p75 ?? 0) / sum) * 100}%`, background: colours[index] }} />
        ))}
      </div>
      <ul className="vitals-legend" aria-label={t('causes.parts')}>
        {parts.map(({ part, p75 }, index) => (
          <li key={part}>
            <i aria-hidden style={{ background: colours[index] }} />
            {t(`part.${part}`)} {value(metric, p75)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Causing({ metric, title, rows }: { readonly metric: VitalMetric; readonly title: string; readonly rows: readonly Cause[] }): ReactElement {
  const { t, format, value } = useVitalLabels();
  return (
    <DataTable<Cause>
      label={title}
      dense
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        {
          id: 'name',
          name: title,
          fills: true,
          cell: ({ name, detail }) => (detail === '' ? name : `${name} · ${detail}`),
        },
        { id: 'p75', name: 'p75', numeric: true, width: 96, cell: ({ p75 }) => value(metric, p75) },
        { id: 'n', name: t('figure.n'), numeric: true, width: 96, cell: ({ n }) => format.number(n) },
      ]}
    />
  );
}

/** What a metric consists of, and the elements and scripts that are named as its cause most often. */
export function Causes({ state, today }: SiteProps): ReactElement {
  const { t } = useVitalLabels();
  const { metric } = state;
  const result = useVitalAttributionQuery({ ...queryOf(state, today), metric }, { refetchOnMountOrArgChange: true });
  return (
    <Section title={t('causes.title', { metric: t(`metric.${metric}.short`) })} note={t('causes.note')}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
        {({ parts, elements, scripts }) => (
          <>
            <Parts metric={metric} parts={parts} />
            {parts.every(({ p75 }) => p75 === null) && elements.length === 0 && scripts.length === 0 && <p>{t('causes.none')}</p>}
            <div {...(elements.length > 0 && scripts.length > 0 ? { className: 'vitals-two' } : {})}>
              {elements.length > 0 && <Causing metric={metric} title={t('causes.elements')} rows={elements} />}
              {scripts.length > 0 && <Causing metric={metric} title={t('causes.scripts')} rows={scripts} />}
            </div>
          </>
        )}
      </ResultState>
    </Section>
  );
}
