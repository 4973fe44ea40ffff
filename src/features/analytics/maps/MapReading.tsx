import type { MeasureId, Values } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Delta } from '@/ui/Delta';
import { measureInfo } from '../measures';
import { useLabels } from '../useLabels';

const Panel = styled('div')({ fontSize: 'var(--text-table)', minHeight: 168, '@media (min-width: 900px)': { position: 'sticky', top: 120 } });
const Name = styled('h3')({ fontSize: 'var(--text-section)', fontWeight: 600 });
const Big = styled('p')({ fontSize: 'var(--text-figure)', fontWeight: 600, lineHeight: 1.3 });
const Facts = styled('dl')({
  display: 'grid',
  gridTemplateColumns: '1fr auto',
  gap: '4px 16px',
  marginTop: 12,
  paddingTop: 12,
  borderTop: '1px solid var(--line)',
  '& dt': { color: 'var(--ink-2)' },
  '& dd': { textAlign: 'right' },
});
const Quiet = styled('span')({ color: 'var(--ink-2)' });
const others = ['visits', 'visitors', 'views', 'newRatio', 'bounceRate', 'avgDuration'] as const satisfies readonly MeasureId[];

/** The values of the region under the pointer, or reached by keys; otherwise those of the whole map. */
export const MapReading = ({
  name,
  values,
  before,
  share,
  rank,
  measure,
}: {
  readonly name: string;
  /** null: no visits. */ readonly values: Values | null;
  readonly before: Values | null;
  readonly share: number | null;
  readonly rank: number | null;
  readonly measure: MeasureId;
}): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  return (
    <Panel aria-hidden>
      <Name>{name}</Name>
      {values === null ? (
        <Quiet>{t('blocks.map.none')}</Quiet>
      ) : (
        <>
          <Quiet>{labels.measure(measure)}</Quiet>
          <Big title={labels.value(measure, values[measure])}>{labels.short(measure, values[measure])}</Big>
          <Quiet>
            {[rank === null ? null : t('blocks.map.rank', { rank }), share === null ? null : t('blocks.map.share', { percent: format.percent(share) })]
              .filter((part) => part !== null)
              .join(' · ')}{' '}
          </Quiet>
          {before !== null && (
            <Delta
              now={values[measure]}
              before={before[measure]}
              better={measureInfo(measure).better}
              sample={Math.min(values.visits ?? 0, before.visits ?? 0)}
            />
          )}
          <Facts>
            {others
              .filter((id) => id !== measure)
              .map((id) => (
                <div key={id} style={{ display: 'contents' }}>
                  <dt>{labels.measure(id)}</dt>
                  <dd>{labels.value(id, values[id])}</dd>
                </div>
              ))}
          </Facts>
        </>
      )}
    </Panel>
  );
};
