const Sequencer = require('@jest/test-sequencer').default;

/** Folders whose files run for a minute or so, however few lines they have: they compare with recomputations, kill programs, walk the whole contract. */
const long = ['test/oracle/', 'test/faults/', 'test/security/access', 'test/integration/analyticsDemo', 'test/integration/importsResume'];

/**
 * Long files first, so that at the end no core waits for the last of them. Jest knows by itself how long a file took before, but not in a
 * fresh clone, where it goes by size; those that start programs wait much and work little, and run beside others this way.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = (test) => long.some((part) => test.path.replaceAll('\\', '/').includes(part));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
