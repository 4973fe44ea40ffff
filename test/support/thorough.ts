/** `npm run test:thorough`: each case in every time zone, and as many kills as the acceptance of the collector asks for. */
export const thorough = process.env['TEST_THOROUGH'] === '1';

/**
 * The cases that are tried in one of the zones: else each case has one of them, in turn, so that every case and every zone is there and the suite ends within minutes.
 */
export const inTurn = <T>(cases: readonly T[], zones: readonly string[], zone: string): T[] =>
  cases.filter((_, i) => thorough || i % zones.length === zones.indexOf(zone));
