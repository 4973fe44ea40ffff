import { auditActions, auditResults } from '@contract/audit/schemas';
import { selectUser } from '@/features/account/userSlice';
import { addDays, isDay } from '@/lib/days';
import type { Day } from '@/lib/days';
import { oneOf, text } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { useToday } from '@/lib/useToday';
import { useAppSelector } from '@/store/hooks';
import type { AuditFilters } from '../peopleApi';
import { isUuid } from '@contract/uuid';

type Group = (typeof auditActions)[number] extends infer A ? (A extends `${infer G}.${string}` ? G : never) : never;
/** Actions of the same subject, as one filter. */
export const groups = [...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.'))))] as readonly Group[];
/** Retention of the log in days. */
export const retentionDays = 400;
const ranges = ['d7', 'd30', 'd90', 'd400'] as const;
const length = { d7: 7, d30: 30, d90: 90, d400: retentionDays } as const;
const address = {
  range: oneOf([...ranges, 'custom'], 'd30'),
  from: text('', 10),
  to: text('', 10),
  action: text('', 40),
  result: oneOf(['all', ...auditResults], 'all'),
  site: text('', 20),
  actor: text('', 36),
  q: text('', 100),
};

/** The preset ranges, which end today. */
export const rangesOf = (today: Day) => ranges.map((id) => ({ id, from: addDays(today, 1 - length[id]), to: today }));

/** The query for an address; invalid days, actions and actors in it are ignored. */
export function auditFiltersOf(state: StateOf<typeof address>, today: Day) {
  const custom = state.range === 'custom' && isDay(state.from) && isDay(state.to) && state.from <= state.to;
  const range = state.range === 'custom' ? 'd30' : state.range;
  const days = custom ? { from: state.from, to: state.to } : { from: addDays(today, 1 - length[range]), to: today };
  const action = groups.find((one) => one === state.action) ?? auditActions.find((one) => one === state.action);
  const actor = isUuid(state.actor) ? state.actor : '';
  const narrowing = {
    ...(action !== undefined && { action }),
    ...(state.result !== 'all' && { result: state.result }),
    ...(state.site !== '' && { siteId: state.site }),
    ...(actor !== '' && { actor }),
    ...(state.q !== '' && { q: state.q }),
  };
  const filters: AuditFilters = { ...days, ...narrowing };
  return { filters, days, range: custom ? ('custom' as const) : range, action, actor, isFiltered: Object.keys(narrowing).length > 0 };
}

/** The filters of the log, which are in the address; the search text follows the typed one with a delay. */
export function useAuditFilters() {
  const zone = useAppSelector(selectUser)?.timeZone ?? 'Asia/Shanghai';
  const today = useToday(zone);
  const { state, change, search, clear } = useListAddress(address, ['q', 'action', 'result', 'site', 'actor']);
  return {
    ...auditFiltersOf(state, today),
    zone,
    today,
    result: state.result,
    site: state.site,
    search,
    change,
    chooseRange: (id: string) => change({ range: ranges.find((one) => one === id) ?? 'd30', from: '', to: '' }),
    clear,
  };
}
export type AuditFiltering = ReturnType<typeof useAuditFilters>;
