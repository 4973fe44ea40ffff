import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Bone } from '@/ui/skeletons';
import { BlockState } from './BlockState';
import type { LazyBlock } from './blocks';
import { scopeOf, useCoverageQuery } from './blocksApi';
import { useLabels } from './useLabels';
import { WhyButton } from './WhyButton';

const Summary = styled('section')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  marginBottom: 16,
  fontSize: 'var(--text-table)',
});
const Meter = styled('span')({
  width: 160,
  height: 8,
  borderRadius: 4,
  background: 'var(--n-3)',
  overflow: 'hidden',
  '& > span': { display: 'block', height: '100%', background: 'var(--chart-accent)' },
});
const Detail = styled('span')({ color: 'var(--ink-2)' });

const paragraphs = ['reason', 'help', 'rest'] as const;

/** For which share of the visits search terms, or referring pages, are known; why so few, and how to improve it. */
const CoverageBlock: LazyBlock<'coverage'> = ({ site, state, block: { of } }): ReactElement => {
  const { t, format } = useLabels();
  const result = useCoverageQuery({ siteId: site.id, ...scopeOf(state) });
  const name = t(`blocks.coverage.name.${of}`);
  return (
    <Summary aria-label={name}>
      <BlockState name={name} result={result} skeleton={<Bone w={360} h={20} />}>
        {(shares) => {
          const [total, known] = of === 'keyword' ? [shares.search, shares.keyword] : [shares.referred, shares.referrerPath];
          const why = (
            <WhyButton
              label={`${name}${t('list')}${t('blocks.why')}`}
              title={name}
              explanation={paragraphs.map((part) => (
                <p key={part}>{t(`blocks.coverage.about.${of}.${part}`)}</p>
              ))}
            >
              {t('blocks.why')}
            </WhyButton>
          );
          if (total === 0)
            return (
              <Detail>
                {t(`blocks.coverage.${of}None`)} {why}
              </Detail>
            );
          const ratio = known / total;
          // Not 0% if there is something, not 100% if something is missing.
          const percent = format.percent(ratio, known > 0 && known < total && (ratio < 0.01 || ratio > 0.99) ? 1 : 0);
          const text = t(`blocks.coverage.${of}`, { percent });
          const detail = t('blocks.coverage.detail', { known: format.number(known), total: format.number(total) });
          return (
            <span style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px' }}>
              <Meter
                role="meter"
                aria-label={name}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.round(ratio * 1000) / 10}
                aria-valuetext={`${percent}${t('list')}${detail}`}
              >
                <span style={{ width: `${String(ratio * 100)}%`, minWidth: known > 0 ? 2 : 0 }} />
              </Meter>
              <strong style={{ fontWeight: 600 }}>{text}</strong>
              {why}
              <Detail>{detail}</Detail>
            </span>
          );
        }}
      </BlockState>
    </Summary>
  );
};

export default CoverageBlock;
