import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { pathFamily } from '@contract/crawler/urlFamily';
import { normalizePath } from '@contract/paths';
import { leastForVerdict } from '@contract/vitals/terms';
import { addDays } from '@/lib/days';
import { useToday } from '@/lib/useToday';
import { href } from '@/routes/paths';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { RatedValue } from './RatedValue';
import { useVitalLabels } from './useVitalLabels';
import { useVitalSummaryQuery } from './vitalsApi';

/** As many days as the Chrome UX Report judges by. */
const days = 28;

/** What visitors of one page have measured in four weeks; with too few values, what those of all pages of its template have. */
export function PageVitals({ site, url }: { readonly site: { readonly id: string; readonly timeZone: string }; readonly url: string }): ReactElement {
  const { t, format } = useVitalLabels();
  const today = useToday(site.timeZone);
  const path = normalizePath(new URL(url).pathname);
  const family = pathFamily(path);
  const range = { siteId: site.id, from: addDays(today, 1 - days), to: today };
  const ofPage = useVitalSummaryQuery({ ...range, path });
  const isRare = ofPage.currentData?.scores.every(({ n }) => n < leastForVerdict) ?? false;
  const ofTemplate = useVitalSummaryQuery({ ...range, family }, { skip: !isRare });
  const byTemplate = isRare && (ofTemplate.currentData?.scores.some(({ n }) => n >= leastForVerdict) ?? false);
  const report = new URLSearchParams({ site: site.id, ...(byTemplate ? { family } : { path }) });
  return (
    <Section title={t('title')}>
      <ResultState result={byTemplate ? ofTemplate : ofPage} skeleton={<Bone h={72} />}>
        {({ scores }) => {
          const measured = scores.filter(({ n }) => n > 0);
          if (measured.length === 0) return <p>{t('ofPage.none')}</p>;
          return (
            <>
              <p>{byTemplate ? t('ofPage.template', { family }) : t('ofPage.page')}</p>
              <dl style={{ display: 'grid', gridTemplateColumns: 'max-content max-content minmax(0, 1fr)', gap: '4px 16px', margin: '8px 0' }}>
                {measured.map(({ metric, p75, rating, n }) => (
                  <div key={metric} style={{ display: 'contents' }}>
                    <dt title={t(`metric.${metric}.name`)}>{t(`metric.${metric}.short`)}</dt>
                    <dd style={{ margin: 0, textAlign: 'right' }}>
                      <RatedValue metric={metric} value={p75} rating={rating} />
                    </dd>
                    <dd style={{ margin: 0, color: 'var(--ink-2)' }}>{t('figure.count', { count: n, countText: format.number(n) })}</dd>
                  </div>
                ))}
              </dl>
              <Link className="text-link" to={`${href('developer.webcv')}?${report.toString()}`}>
                {t('ofPage.report')}
              </Link>
            </>
          );
        }}
      </ResultState>
    </Section>
  );
}
