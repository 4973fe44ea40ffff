import { jest } from '@jest/globals';
import type { Edition } from './edition';
import { storedResponse } from './stored';
import type { Delivery } from './step';

test('an unknown path is remembered however long the footer is', async () => {
  const produce = jest.fn(() => Promise.resolve(null));
  const services = { versions: { of: () => 1 }, pages: { get: () => null }, copies: { remove: () => undefined } };
  const filings = { domain: 'tea.cn', html: 'x'.repeat(2000), version: 'a' };
  const edition = { site: { id: 's', name: 'Tea' }, release: { id: 'r' }, origin: 'https://tea.cn', preview: false, filings };
  for (let at = 0; at < 3; at += 1)
    await storedResponse({ services } as unknown as Delivery, edition as unknown as Edition, { path: '/nowhere', language: 'en' }, produce);
  expect(produce).toHaveBeenCalledTimes(1);
});
