const Sequencer = require('@jest/test-sequencer').default;

/** Folders whose files run for a minute or so, however few lines they have: they compare with recomputations, walk the whole contract. */
const long = ['test/oracle/', 'test/security/access', 'test/integration/analyticsDemo', 'test/integration/importsResume'];
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
    const idle = sorted.filter(isOneOf(waiting));
    const busy = sorted.filter((test) => !idle.includes(test));
    const ordered = [...busy.filter(isOneOf(long)), ...busy.filter((test) => !isOneOf(long)(test))];
    return [
      ...ordered.flatMap((test, place) => (place % 2 === 0 ? [...idle.slice(place / 2, place / 2 + 1), test] : [test])),
      ...idle.slice(Math.ceil(ordered.length / 2)),
    ];
  }
};
