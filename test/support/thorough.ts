/** `npm run test:thorough`: each case in every time zone, more random visits, and as many kills as the collector's acceptance criteria require. */
export const thorough = process.env['TEST_THOROUGH'] === '1';

/**
 * The cases tested in one of the zones: unless thorough, each case is assigned one zone in turn, so that every case and every zone is covered and the
 * suite takes minutes.
 */
export const inTurn = <T>(cases: readonly T[], zones: readonly string[], zone: string): T[] =>
  cases.filter((_, i) => thorough || i % zones.length === zones.indexOf(zone));
