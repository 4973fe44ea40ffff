const Sequencer = require('@jest/test-sequencer').default;

/** Folders whose files run for a minute or so, however few lines they have: they compare with recomputations, walk the whole contract. */
const long = [
  'test/oracle/',
  'test/security/access',
  'test/integration/demo',
  'test/integration/crawler.',
  'test/integration/migrations',
  'test/integration/importsResume',
  'test/faults/overload',
  'test/faults/startUp',
  'test/faults/siteImports',
  'test/faults/crawlerShared',
];
/** They start and kill programs, and wait more than they work. */
const waiting = ['test/faults/'];

/**
 * Long files first, so that at the end no core waits for the last of them. Jest knows by itself how long a file took before, but not in a
 * fresh clone, where it goes by size. Every third file is one that mostly waits, while such files last: beside two that work it leaves no core idle.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isOneOf = (parts) => (test) => parts.some((part) => test.path.replaceAll('\\', '/').includes(part));
    const sorted = super.sort(tests);
    const ordered = [...sorted.filter(isOneOf(long)), ...sorted.filter((test) => !isOneOf(long)(test))];
    const idle = ordered.filter(isOneOf(waiting));
    const busy = ordered.filter((test) => !idle.includes(test));
    return [
      ...busy.flatMap((test, place) => (place % 2 === 0 ? [...idle.slice(place / 2, place / 2 + 1), test] : [test])),
      ...idle.slice(Math.ceil(busy.length / 2)),
    ];
  }
};
