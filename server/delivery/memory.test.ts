import { jest } from '@jest/globals';
import type { Context } from '../context';
import type { Edition } from './edition';
import { openFilingFooters } from './filingFooters';
import { openProofs } from './proofs';
import { storedResponse } from './stored';
import type { Delivery } from './step';

/** Rows of a query, however it is built. */
const rowsOf = (rows: () => Promise<unknown[]>): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => (name === 'then' ? (done: () => void, failed: () => void) => rows().then(done, failed) : rowsOf(rows)),
    apply: () => rowsOf(rows),
  });

/** A context whose PostgreSQL answers with `rows`. */
function contextWith(rows: () => Promise<unknown[]>) {
  const clock = { now: 1_000_000 };
  const ctx = { postgres: { db: rowsOf(rows) }, live: { subscribe: () => () => undefined }, log: { warn: () => undefined }, now: () => clock.now };
  return { ctx: ctx as unknown as Context, clock };
}
const away = (): Promise<never> => Promise.reject(new Error('away'));

test('requests do not ask for filings again at once while they cannot be read', async () => {
  const rows = jest.fn(away);
  const { ctx, clock } = contextWith(rows);
  const footers = openFilingFooters(ctx);
  for (let at = 0; at < 3; at += 1) expect((await footers.of('s', 'tea.cn')).html).toBe('');
  expect(rows).toHaveBeenCalledTimes(1);
  clock.now += 5001;
  await footers.of('s', 'tea.cn');
  expect(rows).toHaveBeenCalledTimes(2);
});

test('proofs of ownership stay in use while they cannot be read', async () => {
  const rows = jest.fn(() => Promise.resolve<unknown[]>([]));
  const { ctx, clock } = contextWith(rows);
  const proofs = openProofs(ctx);
  await proofs.of('s');
  rows.mockImplementation(away);
  clock.now += 60_001;
  for (let at = 0; at < 3; at += 1) expect((await proofs.of('s')).head).toBe('');
});

test('an unknown path is remembered however long the footer is', async () => {
  const produce = jest.fn(() => Promise.resolve(null));
  const services = { versions: { of: () => 1 }, pages: { get: () => null }, copies: { remove: () => undefined } };
  const filings = { domain: 'tea.cn', html: 'x'.repeat(2000), version: 'a' };
  const edition = { site: { id: 's', name: 'Tea' }, release: { id: 'r' }, origin: 'https://tea.cn', preview: false, filings };
  for (let at = 0; at < 3; at += 1)
    await storedResponse({ services } as unknown as Delivery, edition as unknown as Edition, { path: '/nowhere', language: 'en' }, produce);
  expect(produce).toHaveBeenCalledTimes(1);
});
