import type { EndpointBuilder, InfiniteQueryExtraOptions, MutationExtraOptions, QueryExtraOptions } from '@reduxjs/toolkit/query';
import type { z } from 'zod';
import { pathOf } from '@contract/call';
import type { Call } from '@contract/call';
import { queryString } from '@/lib/queryString';
import type { QueryParams } from '@/lib/queryString';
import type { ConsoleBaseQuery, Request } from './baseQuery';

/** The parts of a contract's endpoint that determine input and output. */
type Schemas = {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response?: z.ZodType;
  readonly ifMatch?: 'required' | 'optional' | undefined;
};
/** The input of a schema; nothing if there is none (an absent schema is inferred as one of `unknown`). */
type Input<S> = S extends z.ZodType ? (unknown extends z.input<S> ? object : z.input<S>) : object;
type Body<S> = S extends z.ZodType ? (unknown extends z.input<S> ? object : { readonly body: z.input<S> }) : object;
type Revision<M> = [M] extends [never]
  ? object
  : M extends 'required'
    ? { readonly revision: number }
    : M extends 'optional'
      ? { readonly revision?: number | undefined }
      : object;
type Flat<T> = { [K in keyof T]: T[K] };
type Arguments<E extends Schemas> = Flat<
  Input<NonNullable<E['params']>> & Input<NonNullable<E['query']>> & Body<NonNullable<E['body']>> & Revision<Extract<E['ifMatch'], string>>
>;

/**
 * The arguments of a call of the contract: path and query parameters by name, `body`, and `revision` if the call takes `If-Match`. Nothing if it
 * takes none.
 */
export type ArgumentsOf<E extends Schemas> = keyof Arguments<E> extends never ? void : Arguments<E>;
/** The result of a call of the contract; null if it returns nothing. */
export type ResultOf<E extends Schemas> =
  NonNullable<E['response']> extends infer S extends z.ZodType ? (unknown extends z.output<S> ? null : z.output<S>) : null;

/** A call with its argument and result types. */
export type TypedCall<A, R> = Call & { readonly types?: (args: A) => R };

/** Gives the calls of an area the types of its endpoints, which are type imports: schemas stay out of the console. */
export const typed = <E extends Readonly<Record<string, Schemas>>>(calls: { readonly [K in keyof E]: Call }): {
  readonly [K in keyof E]: TypedCall<ArgumentsOf<E[K]>, ResultOf<E[K]>>;
} => calls;

export function requestOf<A>(call: TypedCall<A, unknown>, args: A): Request {
  const { body, revision, ...rest } = (args ?? {}) as Readonly<Record<string, unknown>>;
  const inPath = new Set(Array.from(call.path.matchAll(/:(\w+)/g), ([, name]) => name));
  const params = Object.fromEntries(Object.entries(rest).filter(([name]) => !inPath.has(name))) as QueryParams;
  return {
    call: call.id,
    url: pathOf(call, rest),
    method: call.method,
    params,
    ...(body === undefined ? {} : { body }),
    ...(revision === undefined ? {} : { ifMatch: revision as number }),
  };
}

/** The address of a call, for links and downloads: its path with parameters, and the other arguments as a query string. */
export function addressOf<A>(call: TypedCall<A, unknown>, args: A): string {
  const { url, params = {} } = requestOf(call, args);
  const text = queryString(params);
  return text === '' ? url : `${url}?${text}`;
}

/** The arguments of a call that belongs to one site. */
export type OfSite = { readonly siteId: string };

type Builder<T extends string, P extends string> = EndpointBuilder<ConsoleBaseQuery, T, P>;

/** An RTK Query endpoint that reads; the feature adds tags, lifetimes and optimistic updates. */
export const query = <A, R, T extends string, P extends string>(
  b: Builder<T, P>,
  call: TypedCall<A, R>,
  options: NoInfer<Omit<QueryExtraOptions<T, R, A, ConsoleBaseQuery, P>, 'type'> & { readonly transformResponse?: (answer: R) => R }> = {},
) => b.query<R, A>({ ...options, query: (args) => requestOf(call, args) });

/** An RTK Query endpoint that writes. */
export const mutation = <A, R, T extends string, P extends string>(
  b: Builder<T, P>,
  call: TypedCall<A, R>,
  options: NoInfer<Omit<MutationExtraOptions<T, R, A, ConsoleBaseQuery, P>, 'type'>> = {},
) => b.mutation<R, A>({ ...options, query: (args) => requestOf(call, args) });

/** An RTK Query endpoint that reads a list page by page, each page naming the next (`before`). */
export const pages = <A extends { readonly before?: unknown }, R extends { readonly next: string | null }, T extends string, P extends string>(
  b: Builder<T, P>,
  call: TypedCall<A, R>,
  options: NoInfer<Omit<InfiniteQueryExtraOptions<T, R, Omit<A, 'before'>, string | null, ConsoleBaseQuery, P>, 'type' | 'infiniteQueryOptions'>> = {},
) =>
  b.infiniteQuery<R, Omit<A, 'before'>, string | null>({
    ...options,
    infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.next ?? undefined },
    query: ({ queryArg, pageParam }) => requestOf(call, { ...queryArg, before: pageParam } as unknown as A),
  });
