import type { FastifyRequest } from 'fastify';
import { initialCountryRule } from '../../../contract/countryBlock/schemas';
import type { Context } from '../../context';
import { warningsOf } from './diagnosis';

const ctx = { now: () => 0, countries: { database: () => ({ builtAt: 0 }) } } as unknown as Context;
const request = { headers: {} } as FastifyRequest;

test.each([
  [true, 0.96, ['proxy_untrusted']],
  [false, 0.96, ['private_addresses']],
  [false, 0.9, []],
  [false, null, []],
])('an untrusted header %s and a private share of %s give the warnings %j', async (untrustedHeader, privateShare, warnings) => {
  const diagnosis = { address: '192.168.1.7', country: null, proxies: 0, untrustedHeader, privateShare };
  expect(await warningsOf(ctx, 'site', initialCountryRule, diagnosis, request)).toEqual(warnings);
});
