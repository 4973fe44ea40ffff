import { acceptedRedirects, refusedRedirects } from '../test/fixtures/redirects';
import { safeRedirect } from './redirect';

const origin = 'https://console.example';
const safe = (value: unknown) => safeRedirect(value, origin);

/** The origin that the browser would end up at; it must always be our own. */
const landing = (address: string) => new URL(address, origin).origin;

const refused = refusedRedirects(origin);
const acceptedCases = acceptedRedirects(origin);

test.each(refused)('refuses %s', (_name, value) => expect(safe(value)).toBe('/home'));
test.each(acceptedCases)('keeps %s', (_name, value, address) => {
  expect(safe(value)).toBe(address);
  // The function is idempotent: a second pass changes nothing.
  expect(safe(safe(value))).toBe(address);
});
test('every redirect stays on our own origin', () => {
  for (const [, value] of [...refused, ...acceptedCases]) expect(landing(safe(value))).toBe(origin);
  expect(refused.length).toBeGreaterThanOrEqual(65);
});
