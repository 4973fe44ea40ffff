import fastify from 'fastify';
import { createLog } from '../log';
import { ClickHouseAway, QueryAborted } from '../stores/clickhouse/types';
import { answerFailure } from './errors';

/** Levels and messages that a failing handler leaves in the log. */
async function logOf(error: Error): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line), pretty: false });
  const app = fastify();
  app.setErrorHandler((thrown, request, reply) => answerFailure(thrown, request, reply, log));
  app.get('/', () => {
    throw error;
  });
  await app.inject('/');
  await app.close();
  return lines.map((line) => (JSON.parse(line) as { level: string }).level);
}

test('a reader who left is no fault of the program, whatever else fails is', async () => {
  expect(await logOf(new QueryAborted('the reader has left'))).toEqual(['debug']);
  expect(await logOf(new ClickHouseAway('gone'))).toEqual(['error']);
  expect(await logOf(new Error('a mistake'))).toEqual(['error']);
});
