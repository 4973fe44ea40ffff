import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isIndexed } from '../../contract/sites/terms';
import { gate } from '../areas/sites';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';
import { Failure } from '../http/failure';
import type { FilingFooters } from './filingFooters';
import { passwordPage } from './gatePages';
import type { DeliveryResponse } from './response';
import { arrivalOf } from './step';
import { host } from './steps/host';
import { cookieFor, cookieOf, pathOf, registerForm, textOf } from './visitorForms';

const names = { password: 'site_password', bypass: 'site_bypass', person: 'site_person' } as const;
type Pass = keyof typeof names;

/** The pass in the cookies of a request; empty if absent. */
export const passIn = (request: Pick<FastifyRequest, 'headers'>, pass: Pass): string => cookieOf(request, names[pass]);

const setPass = (request: FastifyRequest, reply: FastifyReply, pass: Pass, value: string): FastifyReply =>
  reply.header('set-cookie', cookieFor(request, names[pass], value, gate.passFor[pass] / 1000));

/** Time for which the access of a person is remembered, in milliseconds. */
const rememberedFor = 30_000;
const mostRemembered = 1000;
const remembered = new WeakMap<Context, Map<string, { readonly may: boolean; readonly until: number }>>();

/** Whether the cookie belongs to a person who still has access to the site. */
export async function mayEnterPrivate(ctx: Context, site: Pick<IndexedSite, 'id'>, pass: string): Promise<boolean> {
  const userId = gate.personOfPass(ctx, site.id, pass);
  if (userId === null) return false;
  const known = remembered.get(ctx) ?? new Map<string, { readonly may: boolean; readonly until: number }>();
  remembered.set(ctx, known);
  const key = `${site.id} ${userId}`;
  const found = known.get(key);
  if (found && found.until > ctx.now()) return found.may;
  const may = await gate.maySee(ctx, site.id, userId);
  if (known.size >= mostRemembered) known.clear();
  known.set(key, { may, until: ctx.now() + rememberedFor });
  return may;
}

const see = (reply: FastifyReply, path: string): FastifyReply => reply.header('cache-control', 'no-store').redirect(path, 303);
const answer = (reply: FastifyReply, { status, headers, body }: DeliveryResponse): FastifyReply => reply.code(status).headers(headers).send(body);

function registerPassword(app: FastifyInstance, ctx: Context, filings: FilingFooters): void {
  const unlock = gate.createSiteUnlock(ctx);
  registerForm(app, '/_site/password', async (request, reply) => {
    const site = request.deliveredSite;
    if (site?.visibility !== 'password') return reply.callNotFound();
    const back = pathOf(textOf(request.body?.['back']));
    try {
      return see(setPass(request, reply, 'password', await unlock(request, site, textOf(request.body?.['password']))), back);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const footer = await filings.of(site.id, request.requested?.host ?? null);
      return answer(reply, passwordPage({ site, filings: footer }, back, error.code === 'bad_credentials' ? 'wrong' : 'often', error.retryAfter));
    }
  });
}

/**
 * What visitors need to enter sites that are not open to everybody, and headers that keep such pages out of shared caches and search engines. Whether a visitor
 * may enter is decided by the step `state`.
 */
export function registerGate(app: FastifyInstance, ctx: Context, filings: FilingFooters): void {
  app.addHook('onSend', async ({ deliveredSite: site }, reply) => {
    if (site === null || isIndexed(site)) return;
    void reply.header('x-robots-tag', 'noindex, nofollow');
    const shared = site.visibility === 'public' && site.state !== 'maintenance';
    if (!shared && !String(reply.getHeader('cache-control')).includes('no-store')) void reply.header('cache-control', 'private, no-cache');
  });
  registerPassword(app, ctx, filings);
  /** Leads to the host on which the site is visited: a pass of another one would be worth nothing there. */
  const toMainHost = (site: IndexedSite | null, request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const elsewhere = site && host(arrivalOf(ctx, site, request));
    return elsewhere && answer(reply, { ...elsewhere, headers: { ...elsewhere.headers, 'cache-control': 'no-store' } });
  };
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/_site/bypass', async (request, reply) => {
    const site = request.deliveredSite;
    const elsewhere = toMainHost(site, request, reply);
    if (elsewhere) return elsewhere;
    if (site === null || !gate.isBypassKey(ctx, site, textOf(request.query['key']))) return reply.callNotFound();
    return see(setPass(request, reply, 'bypass', gate.bypassPass(ctx, site)), '/');
  });
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/_site/enter', async (request, reply) => {
    const site = request.deliveredSite;
    const elsewhere = toMainHost(site, request, reply);
    if (elsewhere) return elsewhere;
    const userId = site && gate.personHandedOver(ctx, site.id, textOf(request.query['token']));
    if (!site || userId === null || site.visibility !== 'private') return see(reply, '/');
    return see(setPass(request, reply, 'person', gate.personPass(ctx, site.id, userId)), '/');
  });
}
