import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { isAnonymous, siteActionOf } from '../../contract/endpoint';
import type { Access, Endpoint } from '../../contract/endpoint';
import type { ErrorCode } from '../../contract/errors';
import { may, mayOnSite } from '../../contract/permissions';
import type { Context } from '../context';
import type { Locale, SessionInfo, SiteAccess, VisitedSite } from './access';
import { addressGroup, clientAddress } from './address';
import { bearerOf } from './bearer';
import { refuseForeignWrites } from './csrf';
import { Failure, fail, fieldsOf } from './failure';
import { localeOf } from './messages';
import { allowSiteOrigin, registerPreflight, visitorAccess, visitorCheck } from './visitors';

/** The site of a call: with a role for people, without one for visitors. */
type SiteOf<X extends Access> = X extends { readonly site: unknown } | { readonly resource: unknown }
  ? SiteAccess
  : X extends { readonly visitors: unknown }
    ? VisitedSite
    : null;

/** The argument of a handler. `session` and `site` are null only if the endpoint's access allows it. */
export type Call<P, Q, B, X extends Access> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly session: X extends 'public' ? SessionInfo | null : X extends { readonly visitors: unknown } ? null : SessionInfo;
  readonly site: SiteOf<X>;
  readonly locale: Locale;
  readonly request: FastifyRequest;
  /** For files, streams and cookies; JSON responses are the handler's return value. */
  readonly reply: FastifyReply;
  /** The revision that the caller has read, from `If-Match: "7"`. Throws `precondition_required` if it is missing, `bad_request` if it is invalid. */
  readonly ifMatch: () => number;
};

/** Argument and result types of an endpoint's handler, for handlers that are named functions. */
export type CallOf<E> = E extends Endpoint<infer P, infer Q, infer B, infer _Response, infer X> ? Call<z.output<P>, z.output<Q>, z.output<B>, X> : never;
export type ResponseOf<E> = E extends Endpoint<infer _Params, infer _Query, infer _Body, infer A, infer _Access> ? z.input<A> : never;

export type AnyEndpoint = Endpoint;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's endpoint for this route; set only by `route()`. */
    endpoint?: AnyEndpoint;
  }
}

const defaultBodyLimit = 64 * 1024;
const defaultRatePerMinute = 600;

/**
 * Registers one endpoint of the contract: limits, CSRF check, session, permission, validation of all input, and the envelope of the handler's result (fields
 * that are not in the contract are dropped). An endpoint without `response` responds with 204. For `kind: 'sse' | 'file'` the handler returns `call.reply`. A
 * response with a `revision` also has it as `ETag`.
 */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType, X extends Access>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: Endpoint<P, Q, B, A, X>,
  handler: (call: Call<z.output<P>, z.output<Q>, z.output<B>, X>) => Promise<z.input<A>> | z.input<A>,
): void {
  const contract: AnyEndpoint = endpoint;
  const json = (endpoint.kind ?? 'json') === 'json';
  // Throws at start instead of at the first call.
  siteFinderOf(app, contract);
  const visitors = visitorAccess(contract);
  const checkVisitor = visitors && visitorCheck(app, visitors);
  const options: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit ?? defaultBodyLimit,
    // A HEAD request of a stream would never end.
    exposeHeadRoute: endpoint.kind !== 'sse',
    config: {
      endpoint: contract,
      rateLimit: { max: endpoint.ratePerMinute ?? defaultRatePerMinute, timeWindow: 60_000, keyGenerator: (request) => addressGroup(clientAddress(request)) },
    },
    ...(visitors ? { onSend: (request, reply) => allowSiteOrigin(app, request, reply) } : {}),
    // After the rate limit (onRequest), before the body is read.
    preParsing: async (request, reply) => {
      if (checkVisitor) return checkVisitor(request);
      refuseForeignWrites(request, ctx.config.publicUrl);
      await checkAccess(app, ctx, contract, request, reply);
    },
    handler: async (request, reply) => {
      const call = {
        params: read(endpoint.params, request.params, 'params') as z.output<P>,
        query: read(endpoint.query, request.query, 'query') as z.output<Q>,
        body: read(endpoint.body, request.body, 'body') as z.output<B>,
        session: request.session as Call<P, Q, B, X>['session'],
        site: (visitors ? request.visitedSite : request.site) as Call<P, Q, B, X>['site'],
        locale: localeOf(request),
        request,
        reply,
        ifMatch: () => revisionOf(contract, request),
      };
      let data: unknown;
      try {
        data = await handler(call);
      } catch (error) {
        throw error instanceof Failure && error.current !== undefined ? withContracted(error, endpoint.conflict ?? endpoint.response) : error;
      }
      if (!json || reply.sent) return reply;
      // The caller's copy is still current (`If-None-Match`, checked by the handler).
      if (reply.statusCode === 304) return reply.send();
      if (!endpoint.response) return reply.code(204).send();
      const result: unknown = endpoint.exact && ctx.config.production ? data : contracted(endpoint.response, data, endpoint.exact ?? false);
      if (isRevised(result)) void reply.header('etag', `"${result.revision}"`);
      return reply.send({ data: result });
    },
  };
  app.route(options);
  if (visitors) registerPreflight(app, contract);
}

/** Sensitive actions require a proof at most this old (OWASP ASVS 7.5), in milliseconds. */
const provenFor = 10 * 60_000;

/** For endpoints of which only some actions are sensitive: like `proven` in the contract, but decided by the handler. Throws `reauth_required`. */
export function requireProof(ctx: Pick<Context, 'now'>, session: SessionInfo): void {
  if (ctx.now() - session.provenAt > provenFor) fail('reauth_required');
}

/** The only place that decides who may call what. Runs before the body is read. */
async function checkAccess(app: FastifyInstance, ctx: Context, endpoint: AnyEndpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // A request with a public link uses the link's access, regardless of the session in the same browser.
  if (endpoint.publicLinks && request.headers['x-share'] !== undefined) {
    const { session, site } = await app.accessSource.publicLink(request, endpoint);
    request.session = session;
    request.site = site;
    return;
  }
  const { session, site: found } = await callerOf(app, endpoint, request, reply);
  request.session = session;
  if (endpoint.access === 'public') return;
  if (!session) return fail('unauthorized');
  const refuse = (code: ErrorCode): never => {
    app.accessSource.denied(request, session, endpoint, code);
    return fail(code);
  };
  if (session.token && !(endpoint.token && session.token.scopes.includes(endpoint.token))) refuse('token_scope');
  if (session.enrolment === 'required' && !endpoint.beforeEnrolment) refuse('enrolment_required');
  if (typeof endpoint.access === 'object' && 'instance' in endpoint.access && !may(session.role, endpoint.access.instance)) refuse('forbidden');
  const action = siteActionOf(endpoint.access);
  if (action !== null) {
    const ofResource = siteFinderOf(app, endpoint);
    const siteId = ofResource ? await ofResource(request) : siteOf(request);
    const site = found === undefined || ofResource ? siteId && (await app.accessSource.site(session, siteId)) : found;
    // A site in the bin can only be restored.
    if (!site || (site.row.state === 'deleted' && action !== 'site.archive')) return fail('not_found');
    if (!mayOnSite(site.role, action)) refuse('forbidden');
    if (site.row.state === 'suspended' && isWrite(endpoint) && !may(session.role, 'site.suspend')) refuse('site_suspended');
    request.site = site;
  }
  if (endpoint.proven) requireProof(ctx, session);
}

/** Queries may be sent by POST: their token scope tells. */
const isWrite = ({ method, token }: AnyEndpoint): boolean => method !== 'GET' && token?.endsWith(':read') !== true;

/** Finds the site of an endpoint's resource; null if the endpoint names no resource. Throws if no area can find it. */
function siteFinderOf(app: FastifyInstance, { id, path, access, params }: AnyEndpoint): ((request: FastifyRequest) => Promise<string | null>) | null {
  if (typeof access !== 'object' || !('resource' in access)) return null;
  const name = `${access.resource}Id`;
  const find = app.accessSource.siteOf.get(access.resource);
  if (find === undefined || params === undefined || !path.split('/').includes(`:${name}`))
    throw new Error(`${id}: the path must name the resource by :${name}, and a manifest must say to which site it belongs`);
  return (request) => find((read(params, request.params, 'params') as Readonly<Record<string, string>>)[name] ?? '');
}

const siteOf = (request: FastifyRequest): string | null => (request.params as { readonly siteId?: string }).siteId ?? null;

/** The caller, with `site` if the same query returned it. A request with an API token uses the token, regardless of its cookies. */
async function callerOf(
  app: FastifyInstance,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly session: SessionInfo | null; readonly site?: SiteAccess | null }> {
  const value = bearerOf(request);
  if (value !== null && isAnonymous(endpoint.access)) return { session: null };
  if (value !== null) return (await app.accessSource.token(request, value, siteOf(request))) ?? { session: null };
  // A stream that stays open (or reconnects automatically) is no user activity.
  return { session: await app.accessSource.session(request, reply, endpoint.kind !== 'sse') };
}

/** Parameters are part of the path: a malformed one is not found. */
function read(schema: z.ZodType | undefined, input: unknown, part: 'params' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  if (part === 'params') throw new Failure('not_found');
  const fields = fieldsOf(result.error, input);
  throw '' in fields ? new Failure('bad_request') : new Failure('invalid_fields', { fields });
}

function revisionOf(endpoint: AnyEndpoint, request: FastifyRequest): number {
  if (endpoint.ifMatch === undefined) throw new Error(`the contract of ${endpoint.id} does not name If-Match`);
  const header = request.headers['if-match'];
  if (header === undefined) return fail('precondition_required');
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header);
  return match?.[1] === undefined ? fail('bad_request') : Number(match[1]);
}

/** The fields of a response that the schema lists; with `exact`, additional fields are a bug and throw. */
function contracted(schema: z.ZodType, data: unknown, exact: boolean): unknown {
  const result = schema.parse(data);
  if (exact && !isDeepStrictEqual(JSON.parse(JSON.stringify(data)), JSON.parse(JSON.stringify(result))))
    throw new Error('an exact answer has more than its contract');
  return result;
}

/** The current object in a refusal is reduced to the contract like any response, so that no other columns are exposed. */
const withContracted = ({ code, fields, current, cause }: Failure, schema: z.ZodType | undefined): Failure =>
  new Failure(code, { ...(fields ? { fields } : {}), ...(schema ? { current: schema.parse(current) } : {}), cause });

const isRevised = (result: unknown): result is { readonly revision: number } =>
  typeof result === 'object' && result !== null && 'revision' in result && typeof result.revision === 'number';
