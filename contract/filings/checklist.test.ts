import { checklistOf } from './checklist';
import type { PreparedFiling } from './checklist';

const filing: PreparedFiling = { kind: 'icp', state: 'incomplete', nature: 'company', contentTypes: ['shop'], interactive: false };
const has = (item: string, change: Partial<PreparedFiling>): boolean => checklistOf({ ...filing, ...change }).includes(item as never);

test.each<[string, string, Partial<PreparedFiling>, boolean]>([
  ['a company needs a letter for its representative', 'authorization', {}, true],
  ['a person needs no letter', 'authorization', { nature: 'person' }, false],
  ['a person proves the residence', 'residence', { nature: 'person' }, true],
  ['a new filing keeps its domain offline', 'domain_offline', {}, true],
  ['an approved filing keeps its domain', 'domain_offline', { state: 'changing' }, false],
  ['a change is proven', 'change_proof', { state: 'changing' }, true],
  ['news are approved first', 'pre_approval', { contentTypes: ['blog', 'news'] }, true],
  ['a shop is not approved first', 'pre_approval', {}, false],
  ['the police know who is responsible', 'security_officer', { kind: 'mps' }, true],
  ['an interactive site reviews its contents', 'content_review', { kind: 'mps', interactive: true }, true],
  ['any other site does not', 'content_review', { kind: 'mps' }, false],
  ['a license follows a filing', 'icp_number', { kind: 'license' }, true],
])('%s', (_, item, change, expected) => {
  expect(has(item, change)).toBe(expected);
});
