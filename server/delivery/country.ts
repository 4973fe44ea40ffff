import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countryFor, createBotVerifier, openCrawlerRanges } from '../areas/countryBlock';
import type { RuleDecision } from '../areas/countryBlock';
import type { IndexedSite } from '../areas/sites';
import { maskAddress, readAddress } from '../collect/classify';
import type { Context } from '../context';
import { clientAddress } from '../http/address';
import { openBlockedLog } from './blockedLog';
import { challengePath, challengeScriptPath, createTask, hasPassed, isSolved, passCookie } from './challenge';
import { challengeScript } from './challengeScript';
import { challengePage, refusalPage, refusalWithPage } from './countryPages';
import type { FilingFooters } from './filingFooters';
import { openCountryRules } from './countryRules';
import type { CountryRules, SiteRule } from './countryRules';
import { isNeededByRefusal, refusalFromSite } from './refusal';
import type { DeliveryResponse } from './response';
import type { Services } from './services';
import { arrivalOf } from './step';
import type { Arrival } from './step';
import { pathOf, registerForm, textOf } from './visitorForms';

const longestPath = 300;
const longestAgent = 300;

/** An address as the site stores addresses: whole, or its network (/24, /48); '' where the site makes no use of addresses at all. */
function loggedAddress(address: string, policy: IndexedSite['measuring']['addresses']): string {
  const read = readAddress(address);
  if (read === null || policy === 'none') return '';
  if (policy === 'whole') return read.text;
  const network = maskAddress(address, policy);
  const bits = { last: { 4: 24, 6: 48 }, two: { 4: 16, 6: 32 } }[policy][read.family];
  return `${read.family === 4 ? network.replaceAll('x', '0') : network.replace(/x$/, '')}/${String(bits)}`;
}

const answer = (request: FastifyRequest, reply: FastifyReply, { status, headers, body }: DeliveryResponse): FastifyReply =>
  reply
    .code(status)
    .headers({
      ...headers,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      vary: headers.vary === undefined ? 'Accept-Language' : `Accept-Language, ${headers.vary}`,
    })
    .send(request.method === 'HEAD' ? '' : body);

const concerned = async (site: IndexedSite, { rule }: SiteRule, request: FastifyRequest, filings: FilingFooters) => ({
  site,
  rule,
  request,
  filings: await filings.of(site.id, request.requested?.host ?? null),
});

/** Takes the solution of a challenge and lets the visitor in; the page asks again if it is wrong or too late. */
function registerChallenge(app: FastifyInstance, ctx: Context, rules: CountryRules, filings: FilingFooters): void {
  app.get(challengeScriptPath, (_request, reply) =>
    reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' }).send(challengeScript),
  );
  registerForm(app, challengePath, async (request, reply) => {
    const site = request.deliveredSite;
    const rule = site && (await rules.of(site.id));
    if (!site || rule?.rule.action !== 'challenge') return reply.callNotFound();
    const address = clientAddress(request);
    const challenged = { siteId: site.id, country: countryFor(rule.rule, ctx.countries, address, ctx.now()), address };
    const { task, number, back } = request.body ?? {};
    if (!isSolved(ctx, challenged, textOf(task), textOf(number)))
      return answer(request, reply, challengePage(await concerned(site, rule, request, filings), createTask(ctx, challenged)));
    return reply.headers({ 'set-cookie': passCookie(ctx, challenged, request), 'cache-control': 'no-store' }).redirect(pathOf(textOf(back)), 303);
  });
}

/**
 * Refuses, challenges or logs visitors by the country rule of the site, before anything else answers them: pages from the cache, files and measuring too. Previews
 * are signed and for editors, so they pass.
 */
export function registerCountryRules(app: FastifyInstance, ctx: Context, services: Services): void {
  const { filings } = services;
  const rules = openCountryRules(ctx);
  const log = openBlockedLog(ctx);
  const bots = createBotVerifier(ctx, openCrawlerRanges(ctx));

  function decide({ site, path, request }: Arrival, { prepared }: SiteRule, address: string): RuleDecision {
    return prepared.decide(
      {
        address,
        path,
        isVerifiedBot: () => bots.isVerified(address, request.headers['user-agent'] ?? ''),
        passedChallenge: (country) => hasPassed(ctx, { siteId: site.id, country, address }, request),
      },
      ctx.now(),
    );
  }

  app.addHook('onRequest', async (request, reply) => {
    const site = request.deliveredSite;
    if (site === null || request.url.startsWith('/_p/')) return undefined;
    const found = rules.of(site.id);
    const rule = found instanceof Promise ? await found : found;
    if (rule === null) return undefined;
    const visitor = clientAddress(request);
    if (rule.prepared.allowsAllFrom(visitor, ctx.now())) return undefined;
    const arrival = arrivalOf(ctx, site, request);
    const { action, address, country } = decide(arrival, rule, visitor);
    if (action === 'allow') return undefined;
    const { page: ownPage } = rule.rule;
    const replaced =
      action === 'block' && ownPage !== '' ? { ...arrival, filings: await filings.of(site.id, request.requested?.host ?? null), services } : null;
    if (replaced && (await isNeededByRefusal(replaced, ownPage))) return undefined;
    log.add({
      siteId: site.id,
      days: rule.rule.logDays,
      id: request.id,
      host: request.requested?.host ?? '',
      country,
      address: loggedAddress(address, site.measuring.addresses),
      version: rule.version,
      action,
      path: arrival.path.slice(0, longestPath),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, longestAgent),
    });
    if (action === 'log_only') return undefined;
    const page = await concerned(site, rule, request, filings);
    const own = replaced && (await refusalFromSite(replaced, ownPage));
    if (own) return answer(request, reply, refusalWithPage(rule.rule, own));
    if (action === 'block') return answer(request, reply, refusalPage(page));
    return answer(request, reply, challengePage(page, createTask(ctx, { siteId: site.id, country, address })));
  });
  app.addHook('onClose', async () => {
    rules.close();
    await log.close();
  });
  registerChallenge(app, ctx, rules, filings);
}
