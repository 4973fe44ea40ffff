import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { openRequestLog } from './requestLog';

const request = { deliveredSite: { id: 'aaaaaaaaaaaa' }, url: '/', method: 'GET', headers: {}, ip: '192.0.2.1' } as unknown as FastifyRequest;
const reply = { statusCode: 200, elapsedTime: 1, getHeader: () => undefined } as unknown as FastifyReply;

test('requests do not pile up while the store does not answer', async () => {
  let stored = 0;
  let answer = (): void => undefined;
  const insert = async (_table: string, rows: readonly unknown[]): Promise<void> => {
    stored += rows.length;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
  };
  const log = openRequestLog({ clickhouse: { insert }, now: () => 0 } as unknown as Context);
  for (let at = 0; at < 30_000; at += 1) {
    log.add(request, reply);
    if (at % 5000 === 0) void log.flush();
  }
  const closing = log.close();
  const timer = setInterval(() => answer(), 0);
  await closing;
  clearInterval(timer);
  expect(stored).toBe(20_000);
});
