import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { compileRule, countryOfPlace } from './rule';
import type { DecidingRule, Visitor } from './rule';

const rule: DecidingRule = {
  enabled: true,
  mode: 'deny_listed',
  countries: ['US', 'TW'],
  action: 'block',
  unknownAction: 'allow',
  openPaths: ['/pay/', '/*.pdf$'],
  bots: 'off',
};
const visitor: Visitor = { path: '/', country: 'US', isPrivate: false, isOpen: false, isVerifiedBot: false, passedChallenge: false };

test.each<[Partial<DecidingRule>, Partial<Visitor>, string]>([
  [{}, {}, 'block country_refused'],
  [{}, { country: 'CN' }, 'allow country_allowed'],
  [{}, { country: null }, 'allow country_allowed'],
  [{ unknownAction: 'block' }, { country: null }, 'block country_refused'],
  [{ countries: ['XX'] }, { country: null }, 'block country_refused'],
  [{ mode: 'allow_listed' }, {}, 'allow country_allowed'],
  [{ mode: 'allow_listed' }, { country: 'CN' }, 'block country_refused'],
  [{ mode: 'allow_listed' }, { country: null }, 'allow country_allowed'],
  [{ mode: 'allow_listed', unknownAction: 'block' }, { country: null }, 'block country_refused'],
  [{ mode: 'allow_listed', unknownAction: 'block', countries: ['XX'] }, { country: null }, 'allow country_allowed'],
  [{ enabled: false }, {}, 'allow disabled'],
  [{ action: 'log_only' }, {}, 'log_only country_refused'],
  [{ action: 'challenge' }, {}, 'challenge country_refused'],
  [{ action: 'challenge' }, { passedChallenge: true }, 'allow challenge_passed'],
  [{ action: 'block' }, { passedChallenge: true }, 'block country_refused'],
  [{}, { path: '/robots.txt' }, 'allow fixed_path'],
  [{}, { path: '/robots.txt2' }, 'block country_refused'],
  [{}, { path: '/.well-known/acme-challenge/x' }, 'allow fixed_path'],
  [{}, { path: '/pay/notify' }, 'allow open_path'],
  [{}, { path: '/a/b.pdf' }, 'allow open_path'],
  [{}, { path: '/a/b.pdfx' }, 'block country_refused'],
  [{}, { isOpen: true }, 'allow open_network'],
  [{}, { isPrivate: true }, 'allow private_address'],
  [{}, { isVerifiedBot: true }, 'block country_refused'],
  [{ bots: 'verified' }, { isVerifiedBot: true }, 'allow verified_bot'],
])('the rule with %j and a visitor with %j', (ofRule, ofVisitor, expected) => {
  const { action, reason } = compileRule({ ...rule, ...ofRule }).decide({ ...visitor, ...ofVisitor });
  expect(`${action} ${reason}`).toBe(expected);
});

test('without an address database nobody is refused', () => {
  expect(compileRule({ ...rule, mode: 'allow_listed', countries: ['CN'] }, false).decide(visitor)).toEqual({ action: 'allow', reason: 'no_database' });
});

test.each([
  ['CN', 'CN-GD', 'CN'],
  ['CN', 'CN-HK', 'HK'],
  ['CN', 'CN-MO', 'MO'],
  ['CN', 'CN-TW', 'TW'],
  ['CN', '', 'CN'],
  ['US', 'California', 'US'],
  ['', '', null],
] as const)('the place %s %s is in %s', (country, province, code) => {
  expect(countryOfPlace(country, province)).toBe(code);
});

const rarely = fc.constantFrom(false, false, false, true);
const flags = fc.record({ isPrivate: rarely, isOpen: rarely, isVerifiedBot: fc.boolean(), passedChallenge: rarely });
const anyRule: fc.Arbitrary<DecidingRule> = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  mode: fc.constantFrom('deny_listed', 'allow_listed'),
  countries: fc.uniqueArray(fc.constantFrom('CN', 'US', 'XX', 'HK')),
  action: fc.constantFrom('block', 'challenge', 'log_only'),
  unknownAction: fc.constantFrom('allow', 'block'),
  openPaths: fc.uniqueArray(fc.constantFrom('/a', '/b/', '/*.pdf$')),
  bots: fc.constantFrom('off', 'verified'),
});

test('an exception more never refuses more', () => {
  const cases = caseCounts('allowed', 'refused');
  fc.assert(
    fc.property(anyRule, flags, fc.constantFrom('CN', 'US', 'HK', 'JP', null), fc.constantFrom('/', '/a', '/b/c', '/x.pdf'), (one, facts, country, path) => {
      const before = compileRule(one).decide({ ...facts, country, path }).action;
      cases.count(before === 'allow' ? 'allowed' : 'refused');
      const wider = [
        compileRule({ ...one, openPaths: [...one.openPaths, '/x'] }).decide({ ...facts, country, path }).action,
        compileRule(one).decide({ ...facts, country, path, isOpen: true }).action,
        compileRule({ ...one, bots: 'verified' }).decide({ ...facts, country, path }).action,
      ];
      for (const action of wider) expect(action === 'allow' || action === before).toBe(true);
    }),
    { numRuns: 500 },
  );
  cases.expectAtLeast(10);
});

test('an origin is allowed as a whole if nothing is refused to it', () => {
  const cases = caseCounts('allowed', 'refused');
  const origins = fc.record({ country: fc.constantFrom('CN', 'US', 'HK', 'JP', null), isPrivate: rarely, isOpen: rarely });
  fc.assert(
    fc.property(anyRule, origins, fc.boolean(), (one, origin, hasDatabase) => {
      const { decide, allowsAllFrom } = compileRule(one, hasDatabase);
      const { action } = decide({ ...origin, path: '/none', isVerifiedBot: false, passedChallenge: false });
      cases.count(action === 'allow' ? 'allowed' : 'refused');
      expect(allowsAllFrom(origin)).toBe(action === 'allow');
    }),
    { numRuns: 500 },
  );
  cases.expectAtLeast(10);
});
