import type { FieldEnv } from '../../src/features/tables/fieldTypes/env';
import { makeFormat } from '../../src/lib/format';

/** What fields know around them: English, nothing to link to, and every text as a value. */
export const fieldEnv = (more: Partial<FieldEnv> = {}): FieldEnv => ({
  siteId: null,
  localesOf: () => ['en'],
  labels: { records: {}, people: {} },
  format: makeFormat('en'),
  timeZone: 'UTC',
  findRecords: () => Promise.resolve([]),
  findPeople: () => Promise.resolve([]),
  print: (_field, value) => String(value),
  read: (_field, text) => ({ value: text }),
  ...more,
});
