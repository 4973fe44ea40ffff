import type { ReactElement } from 'react';
import { useFormat } from '@/lib/format';
import { useTexts } from '@/lib/useTexts';
import { type BetterDirection, differenceOf } from './difference';

const colours = { good: 'var(--good)', bad: 'var(--bad)', neutral: 'var(--ink-2)' } as const;

/** A difference in per cent: sign and colour together, grey with too little data, `新增` if the earlier value was zero. */
export const Delta = ({
  now,
  before,
  better,
  sample = null,
  hint,
}: {
  now: number | null;
  before: number | null;
  better: BetterDirection;
  /** Number of visits in the smaller of the two periods. */ sample?: number | null;
  /** The two values as text, shown on hover. */ hint?: string;
}): ReactElement | null => {
  const t = useTexts('chart');
  const format = useFormat();
  const difference = differenceOf(now, before, better, sample);
  if (difference.kind === 'none') return null;
  if (difference.kind === 'new')
    return (
      <span title={hint} style={{ color: 'var(--info)', whiteSpace: 'nowrap', fontWeight: 500 }}>
        {t('fromZero')}
      </span>
    );
  const { ratio, tone, thin } = difference;
  // +12%, and +3.4% where a whole number would be too coarse.
  const digits = Math.abs(ratio) < 0.0995 && Math.abs(ratio) >= 0.005 ? 1 : 0;
  const text = Math.abs(ratio) < 0.0005 ? '0%' : Math.abs(ratio) > 9.99 ? `>${format.change(ratio > 0 ? 9.99 : -9.99, digits)}` : format.change(ratio, digits);
  const title = [hint, thin ? t('thin') : undefined].filter((one) => one !== undefined).join(t('separator'));
  return (
    <span {...(title === '' ? {} : { title })} style={{ color: colours[tone], whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {text}
      {thin && <span className="only-read">{t('thin')}</span>}
    </span>
  );
};
