import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint';
import type { ErrorCode } from '../../contract/errors';
import type { InstanceRole, SiteRole, TokenScope } from '../../contract/permissions';
import type { uiLocales } from '../../contract/session/schemas';
import type { Site } from '../../contract/sites/schemas';

export type Locale = (typeof uiLocales)[number];

/** The API token that a request came with. */
export type TokenInfo = {
  readonly id: string;
  readonly scopes: readonly TokenScope[];
  /** null: every site that its owner may see. */
  readonly siteIds: readonly string[] | null;
};

/** The signed-in caller of one request. Times are epoch milliseconds. */
export type SessionInfo = {
  /** Public id of the session row; of the token, where `token` is set. */
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
  /** When the person last proved who they are (sign-in or re-authentication). */
  readonly provenAt: number;
  /** What the policy on second factors asks of this person (contract `Session.enrolment`). */
  readonly enrolment: 'none' | 'due' | 'required';
  readonly enrolBy: number | null;
};

/** A row of `sites` as PostgreSQL holds it. */
export type SiteRow = Pick<Site, 'id' | 'name' | 'slug' | 'purpose' | 'url' | 'state' | 'defaultLang' | 'timeZone' | 'identity' | 'demo' | 'revision'> & {
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly deletedAt: Date | null;
};

/** A site together with what the caller is on it. */
export type SiteAccess = {
  readonly id: string;
  readonly role: SiteRole;
  readonly row: SiteRow;
  /** Of the definitions of its content tables, as of this request; none where it was not asked for. */
  readonly contentRevision?: number;
  /** Filters that always hold for this caller (a read-only link's own), as `FilterText`. */
  readonly filters?: readonly string[];
};

/** A site as its visitors know it. */
export type VisitedSite = Pick<Site, 'id' | 'name' | 'url' | 'defaultLang' | 'timeZone' | 'state'> & {
  /** Host names known to be the site's own, lower case, without port. */
  readonly hosts: readonly string[];
};

/** Where the one access check finds out about callers; given to the app by the composition in `app.ts`. */
export type AccessSource = {
  /** The session that the request's cookie opens, or null. Extends its idle time unless `touch` is false. */
  readonly session: (request: FastifyRequest, reply: FastifyReply, touch: boolean) => Promise<SessionInfo | null>;
  /**
   * The owner of the API token `value` as they are now, and what `site` would find about `siteId` (null: no site is asked about), which costs no question
   * more; null where the token is not good (any more, or from this address).
   */
  readonly token: (
    request: FastifyRequest,
    value: string,
    siteId: string | null,
  ) => Promise<{ readonly session: SessionInfo; readonly site: SiteAccess | null } | null>;
  /** null where the site does not exist or the caller has no grant on it: both answer 404. */
  readonly site: (session: SessionInfo, siteId: string) => Promise<SiteAccess | null>;
  /** By kind of resource: the id of the site that a resource belongs to, null where there is no such resource. */
  readonly siteOf: ReadonlyMap<string, (id: string) => Promise<string | null>>;
  /** The site that visitors call; null where it does not exist. `inMemory`: no store is asked about a site that is not known yet. */
  readonly visitedSite: (siteId: string, options?: { readonly inMemory: true }) => Promise<VisitedSite | null>;
  /** What a request with `X-Share` may see through its link. Throws where the link is not good, or does not show it. */
  readonly share: (request: FastifyRequest, endpoint: Endpoint) => Promise<{ readonly session: SessionInfo; readonly site: SiteAccess }>;
  /** Hears of every refusal of somebody who is known, for the audit log. */
  readonly denied: (request: FastifyRequest, session: SessionInfo, endpoint: Endpoint, code: ErrorCode) => void;
  /** Hears of an account that somebody tries hard to get into. */
  readonly attacked: (person: { readonly loginName: string }) => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    accessSource: AccessSource;
  }
  interface FastifyRequest {
    /** Filled by the access check of `route()`. */
    session: SessionInfo | null;
    site: SiteAccess | null;
    /** The site whose visitor calls; null unless the endpoint is for visitors. */
    visitedSite: VisitedSite | null;
  }
}
