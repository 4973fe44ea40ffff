import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '@contract/support/settings';
import type { Site } from '@contract/sites/schemas';
import { addDays, dayCount } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { useToday } from '@/lib/useToday';
import { Chart } from '@/ui/chart/Chart';
import { EmptyState } from '@/ui/EmptyState';
import { KeyFigure } from '@/ui/KeyFigure';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { Bone, RowsSkeleton } from '@/ui/skeletons';
import { Toggles } from '@/ui/Toggles';
import { exportAddress, useSupportStatisticsQuery } from '../supportApi';
import { HourGrid } from './HourGrid';

const periods = ['7', '30', '90'] as const;

function Figures({ statistics }: { readonly statistics: Statistics }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const { started, resolved, unanswered, firstReply, resolution, rating } = statistics;
  const duration = (seconds: number | null): string => (seconds === null ? t('statistics.none') : format.duration(seconds));
  const rated = rating.counts.reduce((sum, count) => sum + count, 0);
  return (
    <div className="support-figures">
      <KeyFigure
        name={t('statistics.started')}
        value={format.number(started)}
        below={t('statistics.unanswered', { count: unanswered, countText: format.number(unanswered) })}
      />
      <KeyFigure
        name={t('statistics.firstReply')}
        value={duration(firstReply.median)}
        {...(firstReply.p90 !== null && { below: t('statistics.p90', { value: duration(firstReply.p90) }) })}
      />
      <KeyFigure
        name={t('statistics.resolution')}
        value={duration(resolution.median)}
        below={t('statistics.resolvedCount', { count: resolved, countText: format.number(resolved) })}
      />
      <KeyFigure
        name={t('statistics.rating')}
        value={rating.average === null ? t('statistics.none') : format.decimal(rating.average, 1)}
        below={t('statistics.rated', { count: rated, countText: format.number(rated) })}
      />
    </div>
  );
}

function Details({ statistics, from, today }: { readonly statistics: Statistics; readonly from: string; readonly today: string }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const { byHour, byAgent, byPage } = statistics;
  const known = new Map(statistics.byDay.map((row) => [row.day, row]));
  const length = dayCount({ from, to: today });
  const byDay = Array.from({ length }, (_, at) => addDays(from, at)).map((day) => known.get(day) ?? { day, started: 0, resolved: 0 });
  const write = (value: number | null): string => (value === null ? t('statistics.none') : format.number(value));
  return (
    <>
      <Section title={t('statistics.byDay')}>
        <Chart
          label={t('statistics.byDay')}
          points={byDay.map(({ day }) => ({ name: format.day(day, today), tick: format.monthDay(day), open: day === today }))}
          lines={[
            { id: 'started', name: t('statistics.started'), values: byDay.map(({ started }) => started), unit: 'count', write, writeTick: format.compact },
            { id: 'resolved', name: t('statistics.resolved'), values: byDay.map(({ resolved }) => resolved), unit: 'count', write, writeTick: format.compact },
          ]}
          height={200}
        />
      </Section>
      <Section title={t('statistics.byHour')} note={t('statistics.byHourNote')}>
        <HourGrid cells={byHour} />
      </Section>
      {byAgent.length > 0 && (
        <Section title={t('statistics.byAgent')}>
          <table className="support-table">
            <thead>
              <tr>
                <th scope="col">{t('statistics.agent')}</th>
                <th scope="col">{t('statistics.replies')}</th>
                <th scope="col">{t('statistics.resolved')}</th>
                <th scope="col">{t('statistics.rating')}</th>
              </tr>
            </thead>
            <tbody>
              {byAgent.map(({ id, name, replies, resolved, rating }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td>{format.number(replies)}</td>
                  <td>{format.number(resolved)}</td>
                  <td>{rating === null ? t('statistics.none') : format.decimal(rating, 1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {byPage.length > 0 && (
        <Section title={t('statistics.byPage')}>
          <table className="support-table">
            <thead>
              <tr>
                <th scope="col">{t('statistics.page')}</th>
                <th scope="col">{t('statistics.started')}</th>
              </tr>
            </thead>
            <tbody>
              {byPage.map(({ path, started }) => (
                <tr key={path}>
                  <th scope="row" dir="ltr">
                    {path}
                  </th>
                  <td>{format.number(started)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </>
  );
}

/** How quickly visitors were answered, how they rated it, and when they write. */
export function StatisticsTab({ site, mayExport }: { readonly site: Site; readonly mayExport: boolean }): ReactElement {
  const { t } = useTranslation('support');
  const [period, setPeriod] = useState<(typeof periods)[number]>('30');
  const to = useToday(site.timeZone);
  const from = addDays(to, 1 - Number(period));
  const result = useSupportStatisticsQuery({ siteId: site.id, from, to }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <div className="support-tools">
        <Toggles
          label={t('statistics.period')}
          value={period}
          choices={periods.map((days) => ({ value: days, label: t('statistics.days', { count: Number(days) }) }))}
          onChoose={setPeriod}
        />
        <p className="support-quiet">{t('statistics.zone', { zone: site.timeZone })}</p>
        {mayExport && (
          <Button variant="outlined" component="a" href={exportAddress({ siteId: site.id, from, to })} download>
            {t('statistics.export')}
          </Button>
        )}
      </div>
      <ResultState
        result={result}
        skeleton={
          <>
            <Bone h={64} style={{ marginBottom: 24 }} />
            <RowsSkeleton rows={5} />
          </>
        }
      >
        {(statistics) =>
          statistics.started === 0 && statistics.resolved === 0 ? (
            <EmptyState ghost="chart" title={t('statistics.empty')}>
              {t('statistics.emptyText')}
            </EmptyState>
          ) : (
            <>
              <Figures statistics={statistics} />
              <Details statistics={statistics} from={from} today={to} />
            </>
          )
        }
      </ResultState>
    </>
  );
}
