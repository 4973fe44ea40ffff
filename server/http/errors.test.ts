import fastify from 'fastify';
import { createLog } from '../log';
import { ClickHouseAway, QueryAborted } from '../stores/clickhouse/types';
import { sendFailure, toFailure } from './errors';

/** Levels and messages that a failing handler logs. */
async function logOf(error: Error): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line), pretty: false });
  const app = fastify();
  app.setErrorHandler((thrown, request, reply) => sendFailure(thrown, request, reply, log));
  app.get('/', () => {
    throw error;
  });
  await app.inject('/');
  await app.close();
  return lines.map((line) => (JSON.parse(line) as { level: string }).level);
}

test('an aborted request is logged as debug, other failures as errors', async () => {
  expect(await logOf(new QueryAborted('the reader has left'))).toEqual(['debug']);
  expect(await logOf(new ClickHouseAway('gone'))).toEqual(['error']);
  expect(await logOf(new Error('a mistake'))).toEqual(['error']);
});

test.each([
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a socket whose queue is full', Object.assign(new Error('connect EAGAIN'), { code: 'EAGAIN', syscall: 'connect' })],
  ['a connection that broke in the middle', new Error('Connection terminated unexpectedly')],
  ['a statement after the connection broke', new Error('Client has encountered a connection error and is not queryable')],
  ['a statement on a closed connection', new Error('Client was closed and is not queryable')],
  ['a server that shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['a server that lost its supervisor', Object.assign(new Error('terminating connection due to unexpected postmaster exit'), { code: '57P01' })],
  ['a server that is starting', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
])('%s is answered with 503 and Retry-After, however deeply nested', (_what, error) => {
  const { code, status, retryAfter } = toFailure(new Error('Failed query', { cause: error }));
  expect({ code, status, retryAfter }).toEqual({ code: 'unavailable', status: 503, retryAfter: 5 });
});
