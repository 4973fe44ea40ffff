import { filingStates, hasToFileChanges, isLocked, isNumbered, nextStates } from './states';
import type { FilingState } from './states';

const reachable = (kind: 'icp' | 'mps'): Set<FilingState> => {
  const found = new Set<FilingState>(['incomplete']);
  for (const state of found) for (const next of nextStates(kind, state)) found.add(next);
  return found;
};

test('every state of an ICP filing can be reached', () => {
  expect([...reachable('icp')].toSorted()).toEqual([...filingStates].toSorted());
});

test('a filing with public security never waits for a provider', () => {
  const states = reachable('mps');
  for (const state of ['provider_review', 'sms_check', 'provider_accepted', 'refused'] as const) expect(states.has(state)).toBe(false);
});

test.each(['icp', 'mps'] as const)('no reachable state of %s is a dead end', (kind) => {
  for (const state of reachable(kind)) expect(nextStates(kind, state).length).toBeGreaterThanOrEqual(1);
});

test('an approved filing keeps its number while it is changed', () => {
  expect(filingStates.filter(isNumbered)).toEqual(['approved', 'changing', 'cancelling']);
});

test('changes have to be filed while none is requested', () => {
  expect(filingStates.filter(hasToFileChanges)).toEqual(['approved', 'cancelling']);
});

test('data are locked only while the authority examines them', () => {
  expect(filingStates.filter(isLocked)).toEqual(['bureau_review']);
});
