import { CrawlerConfig, defaultConfig } from '@contract/crawler/config';
import { CrawlerInput } from '@contract/crawler/schemas';
import type { Crawler } from '@contract/crawler/schemas';
import { readSchedule, writeSchedule } from './schedule';
import { draftOf, inputOf, newDraft, placeOf, withConfig } from './wizard/draft';

const start = { siteId: 'abcdefgh2345', timeZone: 'Asia/Shanghai', seed: 'example.com' };

test.each(['audit', 'links', 'extract'] as const)('a new draft of kind %s is a valid crawler', (kind) => {
  const input = inputOf({ ...newDraft(kind, start), name: 'Weekly' }, []);
  expect(CrawlerInput.safeParse(input)).toMatchObject({ success: true });
  expect(input.config.seeds).toEqual(['https://example.com']);
});

test('a crawler survives the form, and its secrets stay unless they are removed', () => {
  const config = { ...defaultConfig(['https://example.com/a', 'https://example.com/b']), store: { bodies: false } };
  const crawler = {
    ...start,
    name: 'X',
    kind: 'audit',
    config,
    schedule: '30 4 * * 1',
    enabled: true,
    retainedRuns: 3,
    alerts: { completed: true, newErrors: false },
    secretNames: ['X-Key', 'Y'],
  };
  const draft = draftOf(crawler as unknown as Crawler);
  expect(inputOf(draft, crawler.secretNames)).toMatchObject({ config, schedule: '30 4 * * 1', alerts: crawler.alerts, secrets: {} });
  expect(inputOf({ ...draft, headers: draft.headers.filter(({ name }) => name !== 'Y') }, crawler.secretNames).secrets).toEqual({ Y: null });
});

test('a configuration edited as JSON replaces that of the form', () => {
  const config = CrawlerConfig.parse({ ...defaultConfig(['https://example.org/']), limits: { pages: 7, megabytes: 8, minutes: 9, familyPercent: 10 } });
  expect(inputOf(withConfig(newDraft('audit', start), config), []).config).toEqual(config);
});

test('numbers that cannot be read are refused by the contract', () => {
  const input = inputOf({ ...newDraft('audit', start), name: 'X', pages: 'many', maxDepth: '-3' }, []);
  const issues = CrawlerInput.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];
  expect(issues.toSorted()).toEqual(['config.limits.pages', 'config.scope.maxDepth']);
  expect(new Set(issues.map((path) => placeOf(path)?.field))).toEqual(new Set(['maxDepth', 'pages']));
  // This one has no field while scripts are not run.
  const hidden = inputOf({ ...newDraft('audit', start), name: 'X', renderPages: 'many' }, []);
  expect(CrawlerInput.safeParse(hidden).success).toBe(true);
});

test.each([null, '0 3 * * *', '5 14 * * 0', '30 4 28 * *', '*/20 1-5 * * *'])('the schedule %s is written as it was read', (expression) => {
  expect(writeSchedule(readSchedule(expression))).toBe(expression);
});
