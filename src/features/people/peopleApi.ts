import { factorCalls } from '@contract/account/factorCalls';
import type { factorEndpoints } from '@contract/account/factors';
import { auditCalls } from '@contract/audit/calls';
import type { auditEndpoints } from '@contract/audit/schemas';
import { peopleCalls } from '@contract/people/calls';
import type { Person, peopleEndpoints } from '@contract/people/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, pages, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, ResultOf } from '@/store/endpoints';

type People = typeof peopleEndpoints;
const calls = typed<People>(peopleCalls);
const audit = typed<typeof auditEndpoints>(auditCalls);
const factors = typed<typeof factorEndpoints>(factorCalls);

export type PersonWithGrants = ResultOf<People['person']>;
export type GrantChange = ArgumentsOf<People['changeGrants']>['body']['changes'][number];
export type CreatedInvite = ResultOf<People['invite']>;
export type OneTimeLink = ResultOf<People['personLink']>;
/** Days as `2026-11-20`; empty values are omitted from the address. */
export type AuditFilters = Omit<ArgumentsOf<typeof auditEndpoints.auditExport>, 'format'>;

const list = [{ type: 'Person', id: 'LIST' }] as const;
/** What a change of one person invalidates: their row, the list, the grants matrix, and the log. */
const about = (_result: unknown, _failure: unknown, { id }: { readonly id: string }) => [
  { type: 'Person' as const, id },
  ...list,
  'Grants' as const,
  'Audit' as const,
];
/** Maximum number of pages to load: a thousand people. */
const mostPages = 10;

/** People who may sign in: profiles, permissions, history. */
export const peopleApi = api.injectEndpoints({
  endpoints: (b) => ({
    people: query(b, calls.people, { providesTags: [...list] }),
    person: query(b, calls.person, { providesTags: (_person, _error, { id }) => [{ type: 'Person', id }, 'Grants'] }),
    /** All people, page by page: for names in the log and for counting. */
    everybody: b.query<readonly Person[], void>({
      queryFn: async (_nothing, _api, _options, ask) => {
        const found: Person[] = [];
        for (let page = 1; page <= mostPages; page += 1) {
          const { data, error } = await ask(requestOf(calls.people, { page, size: 100 }));
          if (error) return { error };
          const { rows, total } = data as ResultOf<People['people']>;
          found.push(...rows);
          if (page * 100 >= total) break;
        }
        return { data: found };
      },
      providesTags: [...list],
    }),
    changePerson: mutation(b, calls.changePerson, { invalidatesTags: about }),
    signOutPerson: mutation(b, calls.signOutPerson, { invalidatesTags: ['Audit'] }),
    disablePerson: mutation(b, calls.disablePerson, { invalidatesTags: about }),
    enablePerson: mutation(b, calls.enablePerson, { invalidatesTags: about }),
    resetPersonFactor: mutation(b, calls.resetPersonFactor, { invalidatesTags: about }),
    personLink: mutation(b, calls.personLink, { invalidatesTags: ['Audit'] }),
    removePerson: mutation(b, calls.removePerson, {
      invalidatesTags: (_nothing, error) => (error ? [] : [...list, 'Grants', 'Audit']),
    }),
    grants: query(b, calls.grants, { providesTags: ['Grants'] }),
    changeGrants: mutation(b, calls.changeGrants, {
      // The saved value is shown before it is refetched.
      onQueryStarted: async (_changes, { dispatch, queryFulfilled }): Promise<void> => {
        const result = await queryFulfilled.catch(() => null);
        if (result) dispatch(peopleApi.util.updateQueryData('grants', undefined, () => result.data));
      },
      invalidatesTags: (result) => (result ? ['Grants', 'Audit', ...list] : []),
    }),
    invites: query(b, calls.invites, { providesTags: ['Invite'] }),
    invite: mutation(b, calls.invite, { invalidatesTags: (result) => (result ? ['Invite', 'Audit'] : []) }),
    resendInvite: mutation(b, calls.resendInvite, { invalidatesTags: ['Invite', 'Audit'] }),
    revokeInvite: mutation(b, calls.revokeInvite, { invalidatesTags: ['Invite', 'Audit'] }),
    audit: pages(b, audit.audit, {
      providesTags: ['Audit'],
      // An older page does not change; a refetch begins at the latest.
      keepUnusedDataFor: 0,
    }),
    policy: query(b, factors.policy, { providesTags: ['Policy'] }),
    changePolicy: mutation(b, factors.changePolicy, {
      invalidatesTags: (result) => (result ? ['Policy', 'Audit', 'Session', 'Security'] : []),
    }),
  }),
});

/** The address of the log as a file: all entries that match the filters. */
export const auditFile = (filters: AuditFilters, format: 'csv' | 'json'): string => addressOf(audit.auditExport, { ...filters, format });

export const {
  usePeopleQuery,
  usePersonQuery,
  useEverybodyQuery,
  useChangePersonMutation,
  useSignOutPersonMutation,
  useDisablePersonMutation,
  useEnablePersonMutation,
  useResetPersonFactorMutation,
  usePersonLinkMutation,
  useRemovePersonMutation,
  useGrantsQuery,
  useChangeGrantsMutation,
  useInvitesQuery,
  useInviteMutation,
  useResendInviteMutation,
  useRevokeInviteMutation,
  useAuditInfiniteQuery,
  usePolicyQuery,
  useChangePolicyMutation,
} = peopleApi;
