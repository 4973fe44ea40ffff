import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlerConfig } from '@contract/crawler/config';
import { crawlLimits } from '@contract/crawler/terms';
import { useFormat } from '@/lib/format';
import './crawler.css';

/** What a crawler will do, in words. Limits are those that apply: a site that is not verified is crawled gently. */
export function SettingsSummary({ config, verified }: { readonly config: CrawlerConfig; readonly verified: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const { number, list } = useFormat();
  const { seeds, scope, limits, politeness, audit, extractions, fetch, render } = config;
  const foreign = crawlLimits.foreign;
  const pages = verified ? limits.pages : Math.min(limits.pages, foreign.pages);
  const connections = verified ? politeness.connections : Math.min(politeness.connections, foreign.connections);
  const rate = verified ? politeness.requestsPerSecond : Math.min(politeness.requestsPerSecond, foreign.requestsPerSecond);
  const off = Object.values(audit.rules).filter(({ enabled }) => !enabled).length;
  const entries: readonly (readonly [string, string])[] = [
    [t('summary.seeds'), seeds.length === 1 ? (seeds[0] ?? '') : t('summary.manySeeds', { first: seeds[0] ?? '', count: seeds.length - 1 })],
    [
      t('summary.scope'),
      [
        t(`scope.mode.${scope.mode}`),
        ...(scope.include.length > 0 ? [t('summary.include', { list: list(scope.include) })] : []),
        ...(scope.exclude.length > 0 ? [t('summary.exclude', { list: list(scope.exclude) })] : []),
      ].join(t('summary.separator')),
    ],
    [t('summary.limits'), t('summary.limitsText', { pages: number(pages), minutes: number(limits.minutes), megabytes: number(limits.megabytes) })],
    [t('summary.politeness'), t('summary.politenessText', { connections: number(connections), rate: number(rate) })],
    [t('summary.robots'), t(politeness.obeyRobots || !verified ? 'summary.robotsObeyed' : 'summary.robotsIgnored')],
    [t('summary.external'), t(fetch.external ? 'summary.externalOn' : 'summary.externalOff')],
    ...(render === undefined || render.mode === 'off'
      ? []
      : [[t('summary.scripts'), t(`summary.scriptsRun.${render.mode}`, { pages: number(render.pages) })] as const]),
    [t('summary.rules'), off === 0 ? t('summary.allRules') : t('summary.rulesOff', { count: off })],
    ...(extractions.length > 0 ? [[t('summary.extractions'), list(extractions.map(({ name }) => name))] as const] : []),
  ];
  return (
    <dl className="crawl-facts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
