import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint';
import type { ErrorCode } from '../../contract/errors';
import type { InstanceRole, SiteRole, TokenScope } from '../../contract/permissions';
import type { uiLocales } from '../../contract/session/schemas';
import type { Site } from '../../contract/sites/schemas';

export type Locale = (typeof uiLocales)[number];

/** The API token of a request. */
export type TokenInfo = {
  readonly id: string;
  readonly scopes: readonly TokenScope[];
  /** null: all sites that its owner can see. */
  readonly siteIds: readonly string[] | null;
};

/** The signed-in caller of one request. Times are epoch milliseconds. */
export type SessionInfo = {
  /** Public id of the session row, or of the token if `token` is set. */
  readonly id: string;
  /** null: a person in a browser. */
  readonly token: TokenInfo | null;
  readonly userId: string;
  readonly role: InstanceRole;
  readonly loginName: string;
  readonly displayName: string;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly createdAt: number;
  readonly idleUntil: number;
  readonly absoluteUntil: number;
  /** When the person last proved their identity (sign-in or re-authentication). */
  readonly provenAt: number;
  /** What the second factor policy requires of this person (contract `Session.enrolment`). */
  readonly enrolment: 'none' | 'due' | 'required';
  readonly enrolBy: number | null;
};

/** A row of `sites` as stored in PostgreSQL. */
export type SiteRow = Pick<
  Site,
  'id' | 'name' | 'slug' | 'purpose' | 'url' | 'state' | 'visibility' | 'defaultLang' | 'timeZone' | 'identity' | 'demo' | 'revision'
> & {
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
};

/** A site with the caller's role on it. */
export type SiteAccess = {
  readonly id: string;
  readonly role: SiteRole;
  readonly row: SiteRow;
  /** Revision of the site's content table definitions at this request; absent if it was not queried. */
  readonly contentRevision?: number;
  /** Filters that always apply to this caller (those of a public link), as `FilterText`. */
  readonly filters?: readonly string[];
};

/** A site in requests of its visitors. */
export type VisitedSite = Pick<Site, 'id' | 'name' | 'url' | 'defaultLang' | 'timeZone' | 'state'> & {
  /** The site's own host names, lower case, without port. */
  readonly hosts: readonly string[];
};

/** Provides the access check with information about callers; passed to the app by the composition in `app.ts`. */
export type AccessSource = {
  /** The session of the request's cookie, or null. Extends its idle time unless `touch` is false. */
  readonly session: (request: FastifyRequest, reply: FastifyReply, touch: boolean) => Promise<SessionInfo | null>;
  /**
   * The current owner of the API token `value`, and the result of `site` for `siteId` (null: no site) without another query; null if the token is invalid (or
   * not allowed from this address).
   */
  readonly token: (
    request: FastifyRequest,
    value: string,
    siteId: string | null,
  ) => Promise<{ readonly session: SessionInfo; readonly site: SiteAccess | null } | null>;
  /** null if the site does not exist or the caller has no grant on it: both result in 404. */
  readonly site: (session: SessionInfo, siteId: string) => Promise<SiteAccess | null>;
  /** By kind of resource: the id of the site that a resource belongs to, null if the resource does not exist. */
  readonly siteOf: ReadonlyMap<string, (id: string) => Promise<string | null>>;
  /** The site of a visitor's request; null if it does not exist. `inMemory`: no database query for an unknown site. */
  readonly visitedSite: (siteId: string, options?: { readonly inMemory: true }) => Promise<VisitedSite | null>;
  /** The access of a request with `X-Share` through its public link. Throws if the link is invalid or does not include the endpoint. */
  readonly publicLink: (request: FastifyRequest, endpoint: Endpoint) => Promise<{ readonly session: SessionInfo; readonly site: SiteAccess }>;
  /** Called for every refusal of an authenticated caller, for the audit log. */
  readonly denied: (request: FastifyRequest, session: SessionInfo, endpoint: Endpoint, code: ErrorCode) => void;
  /** Called for an account with many failed sign-in attempts. */
  readonly attacked: (person: { readonly loginName: string }) => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    accessSource: AccessSource;
  }
  interface FastifyRequest {
    /** Set by the access check of `route()`. */
    session: SessionInfo | null;
    site: SiteAccess | null;
    /** The site of a visitor's request; null unless the endpoint is for visitors. */
    visitedSite: VisitedSite | null;
  }
}
