import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversionPlan, ConversionSample } from '@contract/tables/conversion';
import { useFormat } from '@/lib/format';

type Kind = ConversionSample['kind'];
const kinds: readonly Kind[] = ['failing', 'lossy', 'convertible'];

/** Sample values before and after, one kind at a time; those that do not fit come first. */
const Samples = ({ plan }: { readonly plan: ConversionPlan }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { number } = useFormat();
  const [kind, setKind] = useState<Kind>(kinds.find((one) => plan.counts[one] > 0) ?? 'convertible');
  const visibleSamples = plan.samples.filter((sample) => sample.kind === kind);
  return (
    <section className="convert-part" aria-label={t('plan.samples')}>
      <h3>{t('plan.samples')}</h3>
      <div className="convert-tabs" role="group" aria-label={t('plan.samples')}>
        {kinds.map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {t(`plan.counts.${one}`)} {number(plan.counts[one])}
          </button>
        ))}
      </div>
      {visibleSamples.length === 0 ? (
        <p className="design-quiet">{t('plan.noSamples')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys
        <div className="convert-scroll" tabIndex={0} role="group" aria-label={t(`plan.counts.${kind}`)}>
          <table className="convert-samples">
            <thead>
              <tr>
                <th scope="col">{t('plan.record')}</th>
                <th scope="col">{t('plan.before')}</th>
                <th scope="col">{t('plan.after')}</th>
                {kind !== 'convertible' && <th scope="col">{t('plan.reason')}</th>}
              </tr>
            </thead>
            <tbody>
              {visibleSamples.map((sample) => (
                <tr key={`${sample.recordId}${sample.locale ?? ''}`}>
                  <th scope="row">
                    {sample.label === '' ? t('plan.unnamed') : sample.label}
                    {sample.locale !== null && <span className="design-quiet"> {sample.locale}</span>}
                  </th>
                  <td data-label={t('plan.before')}>{sample.before === '' ? t('plan.nothing') : sample.before}</td>
                  <td data-label={t('plan.after')}>{sample.after ?? t('plan.nothing')}</td>
                  {kind !== 'convertible' && <td data-label={t('plan.reason')}>{sample.reason}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

/** What uses the field, and what would happen to it. */
const Uses = ({ uses }: { readonly uses: ConversionPlan['uses'] }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const weight = { breaks: 0, lost: 1, changes: 2, keeps: 3 };
  return (
    <section className="convert-part" aria-label={t('uses.title')}>
      <h3>{t('uses.title')}</h3>
      {uses.length === 0 ? (
        <p className="design-quiet">{t('uses.none')}</p>
      ) : (
        <ul className="convert-uses">
          {uses
            .toSorted((a, b) => weight[a.effect] - weight[b.effect])
            .map((use) => (
              <li key={`${use.kind}${use.id}`} data-effect={use.effect}>
                <span>
                  {t(`uses.kind.${use.kind}`)}
                  {['unique', 'index', 'default', 'validation', 'translations', 'search'].includes(use.kind) ? '' : ` · ${use.name}`}
                </span>
                <span>{t(`uses.effect.${use.effect}`)}</span>
              </li>
            ))}
        </ul>
      )}
    </section>
  );
};

/** The result of a dry run. */
export const ConversionPlanView = ({ plan }: { readonly plan: ConversionPlan }): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const { number } = useFormat();
  const { counts, records, examined, exact, seconds, choices, choiceCount } = plan;
  const top = useRef<HTMLElement>(null);
  // The result appears below the form, so it is scrolled into view. Newer browsers return a promise from scrolling, which an effect must not return.
  useEffect(() => {
    top.current?.scrollIntoView?.({ block: 'start' });
  }, [plan]);
  const cells = [
    ['convertible', null],
    ['lossy', 'warn'],
    ['failing', 'bad'],
    ['empty', null],
  ] as const;
  const titles = choices.slice(0, 10).join(t('plan.comma'));
  const minutes = Math.round(seconds / 60);
  return (
    <>
      <section ref={top} className="convert-part" aria-label={t('plan.title')}>
        <h3>{t('plan.title')}</h3>
        <p role="status">{exact ? t('plan.exact', { count: records }) : t('plan.part', { examined: number(examined), count: records })}</p>
        <dl className="convert-counts">
          {cells.map(([kind, tone]) => (
            <div key={kind} {...(tone && counts[kind] > 0 ? { 'data-tone': tone } : {})}>
              <dt>{t(`plan.counts.${kind}`)}</dt>
              <dd>{number(counts[kind])}</dd>
            </div>
          ))}
        </dl>
        {choiceCount > 0 && (
          <p>{t('plan.choices', { count: choiceCount, titles: choiceCount > Math.min(10, choices.length) ? t('plan.more', { titles }) : titles })}</p>
        )}
      </section>
      {counts.convertible + counts.lossy + counts.failing > 0 && <Samples plan={plan} />}
      <Uses uses={plan.uses} />
      <p className="design-quiet">
        {minutes >= 2 ? t('plan.minutes', { count: minutes }) : t('plan.seconds', { count: seconds })} {t('plan.undo')}
      </p>
    </>
  );
};
