import type { z } from 'zod';
import type { Call, Method } from './call';
import type { ErrorCode } from './errors';
import type { SiteAction, InstanceAction, TokenScope } from './permissions';

/** Who may call an endpoint. The server enforces it in one hook; a test walks every row. */
export type Access =
  | 'public'
  | 'session'
  /** An action on the whole installation. */
  | { readonly instance: InstanceAction }
  /** An action on the site named by `:siteId` (or `:id` where the path says `sites/:id`); no grant answers 404. */
  | { readonly site: SiteAction }
  /**
   * An action on the site of a resource whose path does not name the site: `{ resource: 'crawl', action: 'site.rename' }` for `/api/crawls/:crawlId`.
   * The area's manifest finds the site (`siteOf`); an unknown resource and one of a foreign site both answer 404.
   */
  | { readonly resource: string; readonly action: SiteAction }
  /**
   * Visitors of the site named by `:siteId`, without session: pages on its hostnames may call it, cookies and tokens are ignored. `perSitePerMinute` limits
   * all visitors of one site together, `ratePerMinute` each address.
   */
  | { readonly visitors: { readonly perSitePerMinute: number } };

/** Whether anybody may call it, without session or token. */
export const isAnonymous = (access: Access): boolean => access === 'public' || (typeof access === 'object' && 'visitors' in access);

/** The action on a site that a call needs, however the site is found; null where it needs none. */
export const siteActionOf = (access: Access): SiteAction | null =>
  typeof access !== 'object' ? null : 'site' in access ? access.site : 'resource' in access ? access.action : null;

/** One call, described once: the server registers it, OpenAPI is generated from it, the console infers its types. */
export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  X extends Access = Access,
  M extends 'required' | 'optional' | undefined = 'required' | 'optional' | undefined,
> = {
  readonly id: string;
  readonly method: Method;
  /** `:name` marks a parameter. */
  readonly path: string;
  readonly access: X;
  /** The scope with which an API token may call it; without one it is for people in a browser. Never together with `proven`. */
  readonly token?: TokenScope;
  /** Also open to read-only links (`contract/shares/schemas.ts`), which come with the header `X-Share`, within what their screens ask. */
  readonly shared?: true;
  /** A sensitive act: the caller has proven who they are within the last ten minutes, or gets `reauth_required`. */
  readonly proven?: true;
  /** Reachable for those who must set up a second factor first (`enrolment_required` everywhere else). */
  readonly beforeEnrolment?: true;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The schema of `data`; absent means `null`. */
  readonly answer?: A;
  /**
   * The handler puts its answer together part by part, so that it has nothing that `answer` does not list: it is not gone through again before it is sent,
   * which takes longer than reading the records of a page. Outside production it is, and has to come out the same.
   */
  readonly exact?: true;
  /** The schema of `current` in a refusal; without it, that of the answer. */
  readonly conflict?: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  /** 'sse' answers a stream of events, 'file' a download; neither has the envelope on success. */
  readonly kind?: 'json' | 'sse' | 'file';
  /** Requests a minute from one address before 429; default 600. */
  readonly ratePerMinute?: number;
  /** The call takes the revision that the caller has read as `If-Match`; without one that is required it answers `precondition_required`. */
  readonly ifMatch?: M;
  /** Largest body in bytes; default 64 KiB. */
  readonly bodyLimit?: number;
};

/** Describes a call of `calls.ts`. */
export const endpoint = <
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  const X extends Access,
  const M extends 'required' | 'optional' | undefined = undefined,
>(
  call: Call,
  rest: Omit<Endpoint<P, Q, B, A, X, M>, keyof Call>,
): Endpoint<P, Q, B, A, X, M> => ({ ...rest, ...call });
