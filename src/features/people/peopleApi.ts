import type { AuditEntry, auditResults } from '@contract/audit/schemas';
import type { Policy, PolicyInput } from '@contract/account/factors';
import type { Grants, Invite, InviteInput, Person, SiteGrant, personStates } from '@contract/people/schemas';
import type { InstanceRole } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { queryString } from '@/lib/queryString';
import { api } from '@/store/api';

export type PeopleQuery = {
  readonly page: number;
  readonly size: number;
  readonly q?: string;
  readonly role?: InstanceRole;
  readonly state?: (typeof personStates)[number];
  readonly sort?: string;
};
export type PeoplePage = { readonly rows: readonly Person[]; readonly total: number };
export type PersonWithGrants = Person & { readonly grants: readonly SiteGrant[] };
export type GrantChange = { readonly userId: string; readonly siteId: string; readonly role: SiteRole | null };
export type InviteMade = { readonly invite: Invite; readonly url: string; readonly mailed: boolean };
export type OneTimeLink = { readonly url: string; readonly expiresAt: string };
/** Days as `2026-11-20`; empty values are left out of the address. */
export type AuditFilters = {
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly result?: (typeof auditResults)[number];
  readonly siteId?: string;
  readonly q?: string;
};
type AuditPage = { readonly rows: readonly AuditEntry[]; readonly next: string | null };

const list = [{ type: 'Person', id: 'LIST' }] as const;
/** What a change of one person makes old: their row, the list, the matrix of grants, and the log. */
const about = (id: string) => [{ type: 'Person' as const, id }, ...list, 'Grants' as const, 'Audit' as const];
/** Most pages that this walks through: a thousand people. */
const mostPages = 10;

/** People who may sign in: who they are, what they may do, what was done. */
export const peopleApi = api.injectEndpoints({
  endpoints: (b) => ({
    people: b.query<PeoplePage, PeopleQuery>({ query: (params) => ({ url: '/api/acc/users', params }), providesTags: [...list] }),
    person: b.query<PersonWithGrants, string>({
      query: (id) => `/api/acc/users/${id}`,
      providesTags: (_person, _error, id) => [{ type: 'Person', id }, 'Grants'],
    }),
    /** Everybody there is, page by page: for names in the log and for counting. */
    everybody: b.query<readonly Person[], void>({
      queryFn: async (_nothing, _api, _options, ask) => {
        const found: Person[] = [];
        for (let page = 1; page <= mostPages; page += 1) {
          const { data, error } = await ask({ url: '/api/acc/users', params: { page, size: 100 } });
          if (error) return { error };
          const { rows, total } = data as PeoplePage;
          found.push(...rows);
          if (page * 100 >= total) break;
        }
        return { data: found };
      },
      providesTags: [...list],
    }),
    changePerson: b.mutation<Person, { id: string; revision: number; role: InstanceRole }>({
      query: ({ id, revision, role }) => ({ url: `/api/acc/users/${id}`, method: 'PATCH', body: { role }, ifMatch: revision }),
      invalidatesTags: (_person, _error, { id }) => about(id),
    }),
    signOutPerson: b.mutation<{ ended: number }, string>({
      query: (id) => ({ url: `/api/acc/users/${id}/sign-out`, method: 'POST' }),
      invalidatesTags: ['Audit'],
    }),
    setPersonState: b.mutation<Person, { id: string; to: 'disable' | 'enable' }>({
      query: ({ id, to }) => ({ url: `/api/acc/users/${id}/${to}`, method: 'POST' }),
      invalidatesTags: (_person, _error, { id }) => about(id),
    }),
    resetPersonFactor: b.mutation<Person, string>({
      query: (id) => ({ url: `/api/acc/users/${id}/reset-second-factor`, method: 'POST' }),
      invalidatesTags: (_person, _error, id) => about(id),
    }),
    personLink: b.mutation<OneTimeLink, { id: string; kind: 'reset' | 'email' }>({
      query: ({ id, kind }) => ({ url: `/api/acc/users/${id}/link`, method: 'POST', body: { kind } }),
      invalidatesTags: ['Audit'],
    }),
    removePerson: b.mutation<null, { id: string; confirm: string }>({
      query: ({ id, confirm }) => ({ url: `/api/acc/users/${id}`, method: 'DELETE', body: { confirm } }),
      invalidatesTags: (_nothing, error) => (error ? [] : [...list, 'Grants', 'Audit']),
    }),
    grants: b.query<Grants, void>({ query: () => '/api/acc/grants', providesTags: ['Grants'] }),
    changeGrants: b.mutation<Grants, readonly GrantChange[]>({
      query: (changes) => ({ url: '/api/acc/grants', method: 'PATCH', body: { changes } }),
      // What is saved is on the screen before it is asked for again.
      onQueryStarted: async (_changes, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (answer) dispatch(peopleApi.util.updateQueryData('grants', undefined, () => answer.data));
      },
      invalidatesTags: (made) => (made ? ['Grants', 'Audit', ...list] : []),
    }),
    invites: b.query<Invite[], void>({ query: () => '/api/acc/invites', providesTags: ['Invite'] }),
    invite: b.mutation<InviteMade, InviteInput>({
      query: (body) => ({ url: '/api/acc/invites', method: 'POST', body }),
      invalidatesTags: (made) => (made ? ['Invite', 'Audit'] : []),
    }),
    resendInvite: b.mutation<InviteMade, string>({
      query: (id) => ({ url: `/api/acc/invites/${id}/resend`, method: 'POST' }),
      invalidatesTags: ['Invite', 'Audit'],
    }),
    revokeInvite: b.mutation<null, string>({ query: (id) => ({ url: `/api/acc/invites/${id}`, method: 'DELETE' }), invalidatesTags: ['Invite', 'Audit'] }),
    audit: b.infiniteQuery<AuditPage, AuditFilters, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.next ?? undefined },
      query: ({ queryArg, pageParam }) => ({ url: '/api/acc/audit', params: { ...queryArg, before: pageParam } }),
      providesTags: ['Audit'],
      // An older page does not change; what is asked again begins at the latest.
      keepUnusedDataFor: 0,
    }),
    policy: b.query<Policy, void>({ query: () => '/api/acc/policy', providesTags: ['Policy'] }),
    changePolicy: b.mutation<Policy, { revision: number; policy: PolicyInput }>({
      query: ({ revision, policy }) => ({ url: '/api/acc/policy', method: 'PUT', body: policy, ifMatch: revision }),
      invalidatesTags: (made) => (made ? ['Policy', 'Audit', 'Session', 'Security'] : []),
    }),
  }),
});

/** The address of the log as a file: what the filters show, whole. */
export const auditFile = (filters: AuditFilters, format: 'csv' | 'json'): string => `/api/acc/audit/export?${queryString({ ...filters, format })}`;

export const {
  usePeopleQuery,
  usePersonQuery,
  useEverybodyQuery,
  useChangePersonMutation,
  useSignOutPersonMutation,
  useSetPersonStateMutation,
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
