import fc from 'fast-check';
import { site } from '../../../test/support/factories';
import { matchesSyllables } from '@/lib/match';
import { callsOf, runChanges, undoOf } from './changes/siteChanges';
import { problemsOf, siteRows, tagsOf } from './siteRows';
import type { SiteQuery } from './siteRows';
import { tagSteps } from './changes/tagSteps';

const now = Date.parse('2026-11-20T08:00:00.000Z');
const query: SiteQuery = { show: 'active', state: 'any', tag: '', q: '', sort: 'name', figures: undefined, pinyin: undefined, locale: 'en', now };
const tag = (name: string, color: 'red' | 'blue' = 'red') => ({ name, color });

test('beginnings of consecutive syllables match, other letters do not', () => {
  const name = ['yun', 'qi', 'shu', 'dian'];
  for (const typed of ['yunqishudian', 'yqsd', 'yunqsd', 'shud', 'qishu', 'y']) expect([typed, matchesSyllables(typed, name)]).toEqual([typed, true]);
  for (const typed of ['yund', 'unqi', 'sdq', 'yunqix']) expect([typed, matchesSyllables(typed, name)]).toEqual([typed, false]);
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }), (syllables, lengths) => {
      const typed = syllables.map((syllable, at) => syllable.slice(0, 1 + ((lengths[at] ?? 0) % syllable.length))).join('');
      expect(matchesSyllables(typed, syllables)).toBe(true);
    }),
  );
});

test('search combines words of name, pinyin, address and tag', () => {
  const sites = [
    site({ id: 'aaaaaaaaaaaa', name: '重庆火锅', url: 'https://hotpot.example', tags: [tag('客户')] }),
    site({ id: 'bbbbbbbbbbbb', name: 'Tea', url: null, slug: 'tea' }),
  ];
  const pinyin = new Map([['aaaaaaaaaaaa', ['chong', 'qing', 'huo', 'guo']]]);
  const found = (q: string) => siteRows(sites, { ...query, q, pinyin }).map(({ name }) => name);
  for (const q of ['chongqing', 'cqhg hotpot', '客户 火锅', 'HOTPOT.example']) expect([q, found(q)]).toEqual([q, ['重庆火锅']]);
  expect(found('zhongqing')).toEqual([]);
  expect(tagsOf(sites)).toEqual([{ ...tag('客户'), count: 1 }]);
});

test('problems are listed worst first, and only the worst of the certificate', () => {
  const certificate = (days: number, failed = false) => ({ until: new Date(now + days * 86_400_000).toISOString(), failed });
  const of = (value: Partial<Parameters<typeof problemsOf>[0]>) => problemsOf({ uptime: null, certificate: null, issues: null, ...value }, now);
  expect(of({ uptime: 'down', certificate: certificate(-1, true), issues: { errors: 2, warnings: 0 } }).map(({ kind }) => kind)).toEqual([
    'down',
    'certificateEnded',
    'issues',
  ]);
  expect(of({ certificate: certificate(30, true) })).toEqual([{ kind: 'certificateFailed' }]);
  expect(of({ certificate: certificate(13.5) })).toEqual([{ kind: 'certificateEnds', days: 14 }]);
  expect(of({ uptime: 'unknown', certificate: certificate(14), issues: { errors: 0, warnings: 9 } })).toEqual([]);
});

test('undoing groups sites by what they had before', () => {
  const [a, b, c] = [site({ id: 'a', tags: [tag('x')] }), site({ id: 'b', tags: [tag('y')] }), site({ id: 'c', tags: [tag('x', 'blue')] })];
  const before = new Map([a, b, c].map((one) => [one.id, one]));
  const after = [a, { ...b, tags: [tag('y'), tag('x')] }, { ...c, tags: [tag('x')] }];
  expect(undoOf(before, after, { kind: 'tags', add: [tag('x')] })).toEqual([
    { siteIds: ['b'], change: { kind: 'tags', add: [], remove: ['x'] } },
    { siteIds: ['c'], change: { kind: 'tags', add: [tag('x', 'blue')], remove: [] } },
  ]);
  const archived = site({ id: 'd', state: 'archived' });
  expect(undoOf(new Map([['d', archived]]), [{ ...archived, state: 'published' }], { kind: 'move', to: 'open' })).toEqual([
    { siteIds: ['d'], change: { kind: 'move', to: 'archived' } },
  ]);
});

test('many sites change call by call, and a failed call does not stop the next', async () => {
  const siteIds = Array.from({ length: 250 }, (_, at) => `site ${String(at)}`);
  const steps = [{ siteIds, change: { kind: 'pin' as const, pinned: true } }];
  expect(callsOf(steps).map((call) => call.siteIds.length)).toEqual([100, 100, 50]);
  const progress: number[] = [];
  let calls = 0;
  const run = (stopAfter: number) =>
    runChanges(steps, {
      siteOf: (id) => site({ id, name: id }),
      send: ({ siteIds: ids }) => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('away')) : Promise.resolve({ sites: ids.map((id) => site({ id, pinned: true })), failed: [] });
      },
      errorOf: (error) => (error as Error).message,
      onProgress: (done) => progress.push(done),
      isCancelled: () => calls >= stopAfter,
    });
  const { changed, failed, undo } = await run(9);
  expect([changed, failed.length, failed[0]]).toEqual([150, 100, { siteId: 'site 100', name: 'site 100', error: 'away' }]);
  expect(undo.flatMap((step) => step.siteIds)).toHaveLength(150);
  expect(progress).toEqual([0, 100, 200, 250]);
  calls = 0;
  expect((await run(1)).changed).toBe(100);
});

test('a tag is recolored wherever the person may change it', () => {
  const sites = [site({ id: 'a', tags: [tag('x')] }), site({ id: 'b', tags: [tag('x')] }), site({ id: 'c', tags: [tag('x')], role: 'viewer' })];
  const choice = { name: 'x', color: 'blue' as const, on: true, was: { color: 'red' as const, on: true } };
  expect(tagSteps([choice], sites.slice(0, 1), sites)).toEqual([{ siteIds: ['a', 'b'], change: { kind: 'tags', add: [tag('x', 'blue')], remove: [] } }]);
  expect(tagSteps([{ ...choice, color: 'red' }], sites, sites)).toEqual([]);
});

test('a site changed twice counts once, and is undone backwards', async () => {
  let current = site({ id: 'a', tags: [tag('old')] });
  const after = [[], [tag('new')]];
  const steps = [
    { siteIds: ['a'], change: { kind: 'tags' as const, add: [], remove: ['old'] } },
    { siteIds: ['a'], change: { kind: 'tags' as const, add: [tag('new')], remove: [] } },
  ];
  const { changed, undo } = await runChanges(steps, {
    siteOf: () => current,
    send: () => {
      current = { ...current, tags: after.shift() ?? [] };
      return Promise.resolve({ sites: [current], failed: [] });
    },
    errorOf: String,
    onProgress: () => undefined,
    isCancelled: () => false,
  });
  expect(changed).toBe(1);
  expect(undo.map(({ change }) => change)).toEqual([
    { kind: 'tags', add: [], remove: ['new'] },
    { kind: 'tags', add: [tag('old')], remove: [] },
  ]);
});
