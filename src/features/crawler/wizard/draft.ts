import type { z } from 'zod';
import type { CrawlerConfig, Extraction } from '@contract/crawler/config';
import type { Crawler, CrawlerInput } from '@contract/crawler/schemas';
import { usualRender } from '@contract/crawler/terms';
import type { CrawlerKind, RenderMode, ScopeMode } from '@contract/crawler/terms';
import { readSchedule, writeSchedule } from '../schedule';
import type { Schedule } from '../schedule';

export type ExtractionRule = z.input<typeof Extraction>;
export type RuleSettings = CrawlerConfig['audit']['rules'];
/** A header of the requests. `stored`: a secret whose value the server has and never returns. */
export type Header = { readonly name: string; readonly value: string; readonly secret: boolean; readonly stored: boolean };

/** What the wizard edits: lists as lines of text, numbers as typed. */
export type Draft = {
  siteId: string;
  name: string;
  kind: CrawlerKind;
  seeds: string;
  mode: ScopeMode;
  include: string;
  exclude: string;
  maxDepth: string;
  maxPathDepth: string;
  dropParameters: string;
  pages: string;
  megabytes: string;
  minutes: string;
  familyPercent: string;
  connections: string;
  requestsPerSecond: string;
  obeyRobots: boolean;
  userAgent: string;
  headers: readonly Header[];
  sitemaps: boolean;
  external: boolean;
  resources: boolean;
  rules: RuleSettings;
  extractions: readonly ExtractionRule[];
  bodies: boolean;
  renderMode: RenderMode;
  renderPages: string;
  every: Schedule['every'];
  time: string;
  weekday: string;
  day: string;
  expression: string;
  timeZone: string;
  enabled: boolean;
  retainedRuns: string;
  completed: boolean;
  newErrors: boolean;
};

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
/** What people type as an address: a host alone is one of HTTPS. */
export const addressOf = (line: string): string => (/^https?:\/\//i.test(line) ? line : `https://${line}`);
const linesText = (lines: readonly string[]): string => lines.join('\n');
const wholeOr = (text: string, otherwise: number): number => (/^\d+$/.test(text.trim()) ? Number(text) : otherwise);
const numberOr = (text: string, otherwise: number): number => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : otherwise);
const optional = (text: string): number | null => (text.trim() === '' ? null : wholeOr(text, -1));

const usual = { pages: 5000, megabytes: 2000, minutes: 120, familyPercent: 25, connections: 4, requestsPerSecond: 10, retainedRuns: 5 };

const renderFields = ({ mode, pages }: NonNullable<CrawlerConfig['render']> = usualRender) => ({ renderMode: mode, renderPages: String(pages) });

/** A new draft of a kind: an audit reads everything, a check of links what it needs for them, an extraction pages only. */
export const newDraft = (
  kind: CrawlerKind,
  { siteId, timeZone, seed }: { readonly siteId: string; readonly timeZone: string; readonly seed: string },
): Draft => ({
  siteId,
  name: '',
  kind,
  seeds: seed,
  mode: 'host',
  include: '',
  exclude: '',
  maxDepth: '',
  maxPathDepth: '',
  dropParameters: '',
  pages: String(usual.pages),
  megabytes: String(usual.megabytes),
  minutes: String(usual.minutes),
  familyPercent: String(usual.familyPercent),
  connections: String(usual.connections),
  requestsPerSecond: String(usual.requestsPerSecond),
  obeyRobots: true,
  userAgent: '',
  headers: [],
  sitemaps: true,
  external: kind !== 'extract',
  resources: kind !== 'extract',
  rules: {},
  extractions: [],
  bodies: kind !== 'links',
  ...renderFields(usualRender),
  every: 'never',
  time: '03:00',
  weekday: '1',
  day: '1',
  expression: '0 3 * * *',
  timeZone,
  enabled: true,
  retainedRuns: String(usual.retainedRuns),
  completed: false,
  newErrors: true,
});

export function draftOf(crawler: Crawler): Draft {
  const { config, alerts } = crawler;
  const { scope, limits, fetch, politeness } = config;
  const schedule = readSchedule(crawler.schedule);
  return {
    siteId: crawler.siteId,
    name: crawler.name,
    kind: crawler.kind,
    seeds: linesText(config.seeds),
    mode: scope.mode,
    include: linesText(scope.include),
    exclude: linesText(scope.exclude),
    maxDepth: String(scope.maxDepth ?? ''),
    maxPathDepth: String(scope.maxPathDepth ?? ''),
    dropParameters: linesText(scope.dropParameters),
    pages: String(limits.pages),
    megabytes: String(limits.megabytes),
    minutes: String(limits.minutes),
    familyPercent: String(limits.familyPercent),
    connections: String(politeness.connections),
    requestsPerSecond: String(politeness.requestsPerSecond),
    obeyRobots: politeness.obeyRobots,
    userAgent: fetch.userAgent,
    headers: [
      ...Object.entries(fetch.headers).map(([name, value]) => ({ name, value, secret: false, stored: false })),
      ...crawler.secretNames.map((name) => ({ name, value: '', secret: true, stored: true })),
    ],
    sitemaps: fetch.sitemaps,
    external: fetch.external,
    resources: fetch.resources,
    rules: config.audit.rules,
    extractions: config.extractions,
    bodies: config.store.bodies,
    ...renderFields(config.render),
    every: schedule.every,
    time: 'time' in schedule ? schedule.time : '03:00',
    weekday: schedule.every === 'week' ? String(schedule.weekday) : '1',
    day: schedule.every === 'month' ? String(schedule.day) : '1',
    expression: crawler.schedule ?? '0 3 * * *',
    timeZone: crawler.timeZone,
    enabled: crawler.enabled,
    retainedRuns: String(crawler.retainedRuns),
    ...alerts,
  };
}

function scheduleOf({ every, time, weekday, day, expression }: Draft): Schedule {
  if (every === 'day') return { every, time };
  if (every === 'week') return { every, time, weekday: Number(weekday) };
  if (every === 'month') return { every, time, day: Number(day) };
  return every === 'custom' ? { every, expression } : { every };
}

export const scopeOf = (draft: Pick<Draft, 'mode' | 'include' | 'exclude' | 'maxDepth' | 'maxPathDepth' | 'dropParameters'>): CrawlerConfig['scope'] => ({
  mode: draft.mode,
  include: linesOf(draft.include),
  exclude: linesOf(draft.exclude),
  maxDepth: optional(draft.maxDepth),
  maxPathDepth: optional(draft.maxPathDepth),
  dropParameters: linesOf(draft.dropParameters),
});

export const configOf = (draft: Draft): CrawlerConfig => ({
  seeds: linesOf(draft.seeds).map(addressOf),
  scope: scopeOf(draft),
  limits: {
    pages: wholeOr(draft.pages, -1),
    megabytes: wholeOr(draft.megabytes, -1),
    minutes: wholeOr(draft.minutes, -1),
    familyPercent: wholeOr(draft.familyPercent, -1),
  },
  fetch: {
    userAgent: draft.userAgent.trim(),
    headers: Object.fromEntries(draft.headers.filter(({ secret, name }) => !secret && name.trim() !== '').map(({ name, value }) => [name.trim(), value])),
    sitemaps: draft.sitemaps,
    external: draft.external,
    resources: draft.resources,
  },
  politeness: { connections: wholeOr(draft.connections, -1), requestsPerSecond: numberOr(draft.requestsPerSecond, -1), obeyRobots: draft.obeyRobots },
  // The number has no field while scripts are not run, so nobody could correct it.
  render: draft.renderMode === 'off' ? { ...usualRender } : { mode: draft.renderMode, pages: wholeOr(draft.renderPages, -1) },
  audit: { rules: draft.rules },
  extractions: [...draft.extractions],
  store: { bodies: draft.bodies },
});

/** The body of the call. `storedSecrets`: names that the server has; those that are gone are deleted. */
export function inputOf(draft: Draft, storedSecrets: readonly string[]): CrawlerInput {
  const secrets = draft.headers.filter(({ secret, name }) => secret && name.trim() !== '');
  const removed = storedSecrets.filter((name) => !secrets.some((one) => one.name === name));
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    config: configOf(draft),
    schedule: writeSchedule(scheduleOf(draft)),
    timeZone: draft.timeZone,
    enabled: draft.enabled,
    retainedRuns: wholeOr(draft.retainedRuns, -1),
    alerts: { completed: draft.completed, newErrors: draft.newErrors },
    secrets: {
      ...Object.fromEntries(removed.map((name) => [name, null])),
      ...Object.fromEntries(secrets.filter(({ value }) => value !== '').map(({ name, value }) => [name.trim(), value])),
    },
  };
}

/** Puts a configuration that was edited as JSON into the draft. */
export const withConfig = (draft: Draft, config: CrawlerConfig): Draft => ({
  ...draft,
  seeds: linesText(config.seeds),
  mode: config.scope.mode,
  include: linesText(config.scope.include),
  exclude: linesText(config.scope.exclude),
  maxDepth: String(config.scope.maxDepth ?? ''),
  maxPathDepth: String(config.scope.maxPathDepth ?? ''),
  dropParameters: linesText(config.scope.dropParameters),
  pages: String(config.limits.pages),
  megabytes: String(config.limits.megabytes),
  minutes: String(config.limits.minutes),
  familyPercent: String(config.limits.familyPercent),
  connections: String(config.politeness.connections),
  requestsPerSecond: String(config.politeness.requestsPerSecond),
  obeyRobots: config.politeness.obeyRobots,
  userAgent: config.fetch.userAgent,
  headers: [
    ...Object.entries(config.fetch.headers).map(([name, value]) => ({ name, value, secret: false, stored: false })),
    ...draft.headers.filter(({ secret }) => secret),
  ],
  sitemaps: config.fetch.sitemaps,
  external: config.fetch.external,
  resources: config.fetch.resources,
  rules: config.audit.rules,
  extractions: config.extractions,
  bodies: config.store.bodies,
  ...renderFields(config.render),
});

export const steps = ['target', 'scope', 'limits', 'collect', 'schedule'] as const;
export type Step = (typeof steps)[number];
/** The step and the field of an error of the server, by the beginning of its path. */
const places: readonly (readonly [string, Step, keyof Draft])[] = [
  ['name', 'target', 'name'],
  ['config.seeds', 'target', 'seeds'],
  ['config.scope.include', 'scope', 'include'],
  ['config.scope.exclude', 'scope', 'exclude'],
  ['config.scope.maxDepth', 'scope', 'maxDepth'],
  ['config.scope.maxPathDepth', 'scope', 'maxPathDepth'],
  ['config.scope.dropParameters', 'scope', 'dropParameters'],
  ['config.limits.pages', 'limits', 'pages'],
  ['config.limits.megabytes', 'limits', 'megabytes'],
  ['config.limits.minutes', 'limits', 'minutes'],
  ['config.limits.familyPercent', 'limits', 'familyPercent'],
  ['config.politeness.connections', 'limits', 'connections'],
  ['config.politeness.requestsPerSecond', 'limits', 'requestsPerSecond'],
  ['config.fetch.userAgent', 'limits', 'userAgent'],
  ['config.fetch.headers', 'limits', 'headers'],
  ['secrets', 'limits', 'headers'],
  ['config.render.pages', 'collect', 'renderPages'],
  ['config.extractions', 'collect', 'extractions'],
  ['config.audit', 'collect', 'rules'],
  ['schedule', 'schedule', 'expression'],
  ['timeZone', 'schedule', 'timeZone'],
  ['retainedRuns', 'schedule', 'retainedRuns'],
];
export function placeOf(path: string): { readonly step: Step; readonly field: keyof Draft } | null {
  const found = places.find(([start]) => path === start || path.startsWith(`${start}.`));
  return found ? { step: found[1], field: found[2] } : null;
}
