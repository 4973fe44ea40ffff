import type { ReactElement } from 'react';
import type { VitalScore, VitalSummary } from '@contract/vitals/schemas';
import { leastForVerdict, ratings } from '@contract/vitals/terms';
import { Delta } from '@/ui/Delta';
import { KeyFigure } from '@/ui/KeyFigure';
import { Tag } from '@/ui/Tag';
import { percentileOf } from './address';
import type { SiteProps } from './SiteVitals';
import { toneOf, useVitalLabels } from './useVitalLabels';

/** The shares of good, middling and poor values as a bar; the text beside it says the same. */
function Band({ score }: { readonly score: VitalScore }): ReactElement {
  const { t, format } = useVitalLabels();
  const shares = ratings.map((rating) => ({ rating, share: score.n === 0 ? 0 : score[rating] / score.n }));
  const said = shares.map(({ rating, share }) => t('figure.share', { rating: t(`rating.${rating}`), share: format.percent(share, 0) })).join(t('separator'));
  return (
    <div className="vitals-band" role="img" aria-label={said} title={said}>
      {shares.map(({ rating, share }) => (
        <span key={rating} data-rating={rating} style={{ width: `${share * 100}%` }} />
      ))}
    </div>
  );
}

function Score({ score, state, change }: { readonly score: VitalScore } & Pick<SiteProps, 'state' | 'change'>): ReactElement {
  const { t, format, value } = useVitalLabels();
  const { metric, n, rating, interval, coverage, before } = score;
  const percentile = percentileOf(state);
  const now = score[`p${percentile}`];
  const earlier = before[`p${percentile}`];
  const few = n < leastForVerdict;
  return (
    <div className="vitals-score" {...(few ? { 'data-few': '' } : {})}>
      <KeyFigure
        name={t(`metric.${metric}.short`)}
        value={value(metric, now)}
        chosen={state.metric === metric}
        onPick={() => change({ metric, page: 1 })}
        tip={<span>{t(`metric.${metric}.text`)}</span>}
        below={
          <>
            {rating !== null && <Tag tone={toneOf[rating]}>{t(`rating.${rating}`)}</Tag>}{' '}
            <Delta
              now={now}
              before={earlier}
              better="less"
              sample={Math.min(n, before.n)}
              hint={t('figure.change', { now: value(metric, now), before: value(metric, earlier) })}
            />
          </>
        }
      />
      <Band score={score} />
      <p>
        {t('figure.count', { count: n, countText: format.number(n) })}
        {coverage !== null && t('separator')}
        {coverage !== null && <span title={t('figure.coverageHelp')}>{t('figure.coverage', { share: format.percent(coverage, 0) })}</span>}
      </p>
      {few && n > 0 && <p>{interval === null ? t('few') : t('figure.interval', { least: value(metric, interval[0]), most: value(metric, interval[1]) })}</p>}
    </div>
  );
}

/** The five metrics; a click shows one of them below. */
export function Scores({ summary, state, change }: SiteProps & { readonly summary: VitalSummary }): ReactElement {
  const { t, format } = useVitalLabels();
  const { verdict, scores, collection } = summary;
  const tone = verdict === 'pass' ? 'good' : verdict === 'fail' ? 'bad' : null;
  return (
    <section aria-label={t('scores')}>
      <div className="vitals-verdict">
        <Tag {...(tone === null ? {} : { tone })}>{t(`verdict.${verdict}`)}</Tag>
        <span>{t(`verdictText.${verdict}`)}</span>
        <span>{t('figure.compared', { days: format.days({ from: summary.compareFrom, to: summary.compareTo }) })}</span>
        {collection.percent < 100 && <span>{t('figure.sampled', { percent: collection.percent })}</span>}
      </div>
      <div className="vitals-scores">
        {scores.map((score) => (
          <Score key={score.metric} score={score} state={state} change={change} />
        ))}
      </div>
    </section>
  );
}
