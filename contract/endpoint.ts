import type { z } from 'zod';
import type { Call, Method } from './call';
import type { ErrorCode } from './errors';
import type { SiteAction, InstanceAction, TokenScope } from './permissions';

/** Who may call an endpoint. The server enforces it in one hook; a test covers every row. */
export type Access =
  | 'public'
  | 'session'
  /** An action on the whole installation. */
  | { readonly instance: InstanceAction }
  /** An action on the site named by `:siteId` (or `:id` where the path contains `sites/:id`); without a grant the response is 404. */
  | { readonly site: SiteAction }
  /**
   * An action on the site of a resource whose path does not name the site: `{ resource: 'crawl', action: 'site.rename' }` for `/api/crawls/:crawlId`. The
   * area's manifest resolves the site (`siteOf`); an unknown resource and one of another site both result in 404.
   */
  | { readonly resource: string; readonly action: SiteAction }
  /**
   * Visitors of the site named by `:siteId`, without a session: pages on its hostnames may call it; cookies and tokens are ignored. `perSitePerMinute` limits
   * all visitors of one site together, `ratePerMinute` each address.
   */
  | { readonly visitors: { readonly perSitePerMinute: number } };

/** Whether the call needs neither session nor token. */
export const isAnonymous = (access: Access): boolean => access === 'public' || (typeof access === 'object' && 'visitors' in access);

/** The site action that a call requires, however the site is resolved; null when it requires none. */
export const siteActionOf = (access: Access): SiteAction | null =>
  typeof access !== 'object' ? null : 'site' in access ? access.site : 'resource' in access ? access.action : null;

/** The single description of a call: the server registers it, OpenAPI is generated from it, and the console infers its types. */
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
  /** Scope that an API token needs for the call; without one, only people in a browser may call it. Never together with `proven`. */
  readonly token?: TokenScope;
  /** Also open to public links (`contract/publicLinks/schemas.ts`), which send the header `X-Share`, within the queries of their screens. */
  readonly publicLinks?: true;
  /** A sensitive action: the caller must have given a proof within the last ten minutes, or the response is `reauth_required`. */
  readonly proven?: true;
  /** Available to people who must first set up a second factor (everything else responds with `enrolment_required`). */
  readonly beforeEnrolment?: true;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of `data`; absent: `null`. */
  readonly response?: A;
  /**
   * The handler builds its response part by part, so it contains nothing that `response` does not list. Production skips its validation before sending, which
   * takes longer than reading the records of a page; outside production it is validated and must come out unchanged.
   */
  readonly exact?: true;
  /** Schema of `current` in a refusal; absent: that of the response. */
  readonly conflict?: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  /** 'sse' responds with an event stream, 'file' with a download; neither has the envelope on success. */
  readonly kind?: 'json' | 'sse' | 'file';
  /** Requests per minute from one address before 429; default 600. */
  readonly ratePerMinute?: number;
  /** The call takes the revision that the caller has read as `If-Match`; when it is required and missing, the response is `precondition_required`. */
  readonly ifMatch?: M;
  /** Largest body in bytes; default 64 KiB. */
  readonly bodyLimit?: number;
};

/** Adds the description to a call of `calls.ts`. */
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
