import fastify from 'fastify';
import { createLog } from '../log';
import { ClickHouseAway, QueryAborted } from '../stores/clickhouse/types';
import { S3Failure } from '../stores/files/s3/bucket';
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

test.each([
  ['does not answer', { code: 'ECONNREFUSED', syscall: 'connect' }, 'unavailable'],
  ['is overloaded', { name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, 'unavailable'],
  ['refuses the key', { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }, 'internal'],
  ['no longer exists', { name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } }, 'internal'],
])('a bucket that %s is not taken for the database', (_what, reason, code) => {
  expect(toFailure(new S3Failure('get a', Object.assign(new Error('failed'), reason))).code).toBe(code);
});

test('a file that is missing is no outage', () => {
  expect(toFailure(Object.assign(new Error('ENOENT: a does not exist'), { code: 'ENOENT', syscall: 'open' })).code).toBe('internal');
});
