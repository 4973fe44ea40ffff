import { DrizzleQueryError } from 'drizzle-orm/errors';
import { createLog } from './log';

test("the log keeps an error's text but not a statement's values", () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line), pretty: false });
  log.error('A request failed', {
    error: new DrizzleQueryError('update users set password_hash = $1', ['$argon2id$secret'], new Error('the connection broke')),
  });
  expect(lines[0]).toMatch(/update users set password_hash = \$1.*the connection broke/);
  expect(lines[0]).not.toContain('secret');
});

test('a line is one JSON object with the fields of its log', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line), pretty: false }).child({ job: 'imports' });
  log.debug('Not written');
  log.warn('A file was skipped', { file: 'a.csv', error: new Error('unreadable') });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    job: 'imports',
    file: 'a.csv',
    error: expect.stringMatching(/^Error: unreadable\n/) as string,
    message: 'A file was skipped',
  });
});

test('a terminal line is readable', () => {
  const lines: string[] = [];
  createLog('debug', { write: (line) => lines.push(line), pretty: true }).error('Stopped', { code: 3, what: 'worker' });
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d ✖ Stopped {2}code=3 what=worker\n$/);
});
