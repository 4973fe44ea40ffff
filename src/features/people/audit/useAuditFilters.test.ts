import { auditFiltersOf } from './useAuditFilters';

const state = { range: 'd30', from: '', to: '', action: '', result: 'all', site: '', actor: '', q: '' } as const;
const today = '2026-11-20';

test('a preset range ends today and includes its first day', () => {
  expect(auditFiltersOf({ ...state, range: 'd7' }, today)).toMatchObject({ range: 'd7', days: { from: '2026-11-14', to: today }, isFiltered: false });
});

test('own days apply only in order; otherwise the log shows the usual range', () => {
  const custom = { ...state, range: 'custom' } as const;
  expect(auditFiltersOf({ ...custom, from: '2026-11-01', to: '2026-11-05' }, today).days).toEqual({ from: '2026-11-01', to: '2026-11-05' });
  expect(auditFiltersOf({ ...custom, from: '2026-11-05', to: '2026-11-01' }, today)).toMatchObject({ range: 'd30', days: { from: '2026-10-22', to: today } });
});

test('what is no action or no id does not filter', () => {
  expect(auditFiltersOf({ ...state, action: 'nothing', actor: '1;drop' }, today)).toMatchObject({ action: undefined, actor: '', isFiltered: false });
  expect(auditFiltersOf({ ...state, action: 'person' }, today)).toMatchObject({ filters: { action: 'person' }, isFiltered: true });
});
