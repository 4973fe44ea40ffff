import { DrizzleQueryError } from 'drizzle-orm/errors';
import { createLog } from './log';

test('an error keeps its text and its cause, but not the values of a failed statement', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line), pretty: false });
  log.error('A request failed', {
    error: new DrizzleQueryError('update users set password_hash = $1', ['$argon2id$secret'], new Error('the connection broke')),
  });
  expect(lines[0]).toMatch(/update users set password_hash = \$1.*the connection broke/);
  expect(lines[0]).not.toContain('secret');
});
