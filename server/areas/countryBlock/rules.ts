import { CountryRule, initialCountryRule } from '../../../contract/countryBlock/schemas';
import type { CountryRuleState, CountryRuleVersion, countryBlockEndpoints as endpoints } from '../../../contract/countryBlock/schemas';
import { torExits } from '../../../contract/countryBlock/codes';
import { countryBlockLimits, warningsToAccept } from '../../../contract/countryBlock/terms';
import type { RuleWarning } from '../../../contract/countryBlock/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { FieldErrors } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { networkText, readNetworks } from '../../net/readNetworks';
import { dayAt } from '../../zone';
import { actorOf, changedLanguages, difference, record, systemActor } from '../audit';
import { annotate } from '../insights';
import { arrivalOf, databaseDayOf, diagnose, warningsOf } from './diagnosis';
import { updateStateOf } from './databaseUpdate';
import * as queries from './queries';

type Call = Pick<CallOf<typeof endpoints.changeCountryRule>, 'site' | 'session' | 'request' | 'locale'>;
const auditedKeys = (Object.keys(CountryRule.shape) as (keyof CountryRule)[]).filter((key) => key !== 'message');

/** What the audit log says about a change: of messages, only their languages. */
function auditedChange(before: CountryRule, after: CountryRule): ReturnType<typeof difference> {
  const changed = difference(before, after, auditedKeys);
  return { before: changed.before, after: { ...changed.after, ...changedLanguages(before.message, after.message) } };
}

/** A stored rule. Rules of older versions of the program get the defaults of values that did not exist then. */
const stored = (found: queries.FoundRule | null): CountryRule => (found === null ? initialCountryRule : CountryRule.parse(found.row.rule));

/** The rule that counts, for delivery; null: the site has none. */
export async function activeRule(ctx: Context, siteId: string): Promise<{ readonly version: number; readonly rule: CountryRule } | null> {
  const found = await queries.currentRule(ctx.postgres.db, siteId);
  return found && { version: found.row.version, rule: stored(found) };
}

async function stateOf(ctx: Context, call: Call): Promise<CountryRuleState> {
  const { site, request } = call;
  const [found, diagnosis] = await Promise.all([queries.currentRule(ctx.postgres.db, site.id), diagnose(ctx, site.id, request)]);
  const rule = stored(found);
  return {
    version: found?.row.version ?? 0,
    rule,
    warnings: await warningsOf(ctx, site.id, rule, diagnosis, request),
    diagnosis,
    databaseDay: databaseDayOf(ctx.countries.database()),
    databaseUpdate: await updateStateOf(ctx, call),
    torDay: torDayOf(ctx),
    changedAt: found?.row.createdAt.toISOString() ?? null,
    changedBy: found?.author ?? null,
  };
}

const torDayOf = ({ countries }: Pick<Context, 'countries'>): string | null => {
  const tor = countries.tor();
  return tor && dayAt(tor.at, 'UTC');
};

export const readRule = (ctx: Context, call: CallOf<typeof endpoints.countryRule>): Promise<CountryRuleState> => stateOf(ctx, call);

/** The rule with its networks as they are stored: host bits cleared, each once. Throws `invalid_fields` for those that are none. */
export function checkedRule(rule: CountryRule): CountryRule {
  const fields: Record<string, FieldErrors[string]> = {};
  const networks = new Map<string, CountryRule['openNetworks'][number]>();
  for (const [at, open] of rule.openNetworks.entries()) {
    const { networks: found, refused } = readNetworks(open.network, 1);
    const [one] = found;
    if (refused[0] || one === undefined || found.length > 1) {
      const code = refused[0]?.reason ?? 'not_an_address_range';
      fields[`rule.openNetworks.${String(at)}.network`] = { code };
    } else networks.set(networkText(one), { ...open, network: networkText(one) });
  }
  if (Object.keys(fields).length > 0) return fail('invalid_fields', { fields });
  return { ...rule, countries: [...new Set(rule.countries)], openPaths: [...new Set(rule.openPaths)], openNetworks: [...networks.values()] };
}

type Change = { readonly rule: CountryRule; readonly note: string; readonly accepted: readonly RuleWarning[]; readonly version: number };

/** Countries that an annotation names. */
const mostNamed = 12;
/** What an annotation says about a rule, in values that the console translates. */
const annotated = ({ enabled, mode, action, countries }: CountryRule): Record<string, string> => ({
  rule: enabled ? `${action}_${mode}` : 'off',
  name: countries.slice(0, mostNamed).join(', ') + (countries.length > mostNamed ? ` +${String(countries.length - mostNamed)}` : ''),
});

/** Writes a version with its entry of the audit log and its annotation; it acts with the next request. False if the version exists by now. */
async function write(ctx: Context, call: Call, { rule, note, accepted, version }: Change): Promise<boolean> {
  const { site } = call;
  if (site.row.purpose !== 'built') return fail('not_delivered');
  const warnings = await warningsOf(ctx, site.id, rule, arrivalOf(ctx, call.request), call.request);
  if (warningsToAccept.some((warning) => warnings.includes(warning) && !accepted.includes(warning))) return fail('confirm_mismatch');
  const actor = actorOf(call);
  const written = await ctx.postgres.db.transaction(async (tx) => {
    const before = stored(await queries.currentRule(tx, site.id));
    const row = { siteId: site.id, version, rule, note, createdBy: call.session.userId, createdAt: new Date(ctx.now()) };
    if (!(await queries.insertRule(tx, row))) return false;
    const target = { kind: 'site', id: site.id, name: site.row.name };
    await record(ctx, tx, actor, { action: 'countryBlock.changed', siteId: site.id, target, ...auditedChange(before, rule) });
    await annotate(ctx, tx, site.id, { kind: 'country_block', values: annotated(rule), timeZone: site.row.timeZone, author: call.session.userId });
    return true;
  });
  if (written) ctx.live.publish({ type: 'countryBlock', siteId: site.id });
  return written;
}

/** The first rule of a site that a program has filled; one that people have saved stays. */
export async function installRule(ctx: Context, siteId: string, createdBy: string, rule: CountryRule): Promise<void> {
  await queries.insertRule(ctx.postgres.db, { siteId, version: 1, rule, note: '', createdBy, createdAt: new Date(ctx.now()) });
  ctx.live.publish({ type: 'countryBlock', siteId });
}

/** Saves a rule as the next version. Throws `stale_revision` with the current state, and `confirm_mismatch` for a warning that was not accepted. */
export async function changeRule(ctx: Context, call: CallOf<typeof endpoints.changeCountryRule>): Promise<CountryRuleState> {
  const expected = call.ifMatch();
  const found = await queries.currentRule(ctx.postgres.db, call.site.id);
  const current = found?.row.version ?? 0;
  const rule = checkedRule(call.body.rule);
  // A rule that already names Tor can still be changed while the list is missing, which a banner reports.
  if (rule.countries.includes(torExits) && ctx.countries.tor() === null && !stored(found).countries.includes(torExits))
    failField(`rule.countries.${String(call.body.rule.countries.indexOf(torExits))}`, 'unknown');
  if (current !== expected || !(await write(ctx, call, { ...call.body, rule, version: expected + 1 })))
    return fail('stale_revision', { current: await stateOf(ctx, call) });
  return stateOf(ctx, call);
}

/** Saves the rule of an earlier version again, as a new version. */
export async function restoreRule(ctx: Context, call: CallOf<typeof endpoints.restoreCountryRule>): Promise<CountryRuleState> {
  const { site, params, body } = call;
  const found = (await queries.findRule(ctx.postgres.db, site.id, params.version)) ?? fail('not_found');
  const current = (await queries.currentRule(ctx.postgres.db, site.id)) ?? fail('not_found');
  const restored = { rule: stored(found), note: '', accepted: body.accepted, version: current.row.version + 1 };
  if (!(await write(ctx, call, restored))) return fail('stale_revision', { current: await stateOf(ctx, call) });
  return stateOf(ctx, call);
}

export async function listVersions(
  ctx: Context,
  { site, query }: CallOf<typeof endpoints.countryRuleVersions>,
): Promise<ResponseOf<typeof endpoints.countryRuleVersions>> {
  const { rows, total } = await queries.listRules(ctx.postgres.db, site.id, query.page, query.size);
  const versionOf = (found: queries.FoundRule): CountryRuleVersion => ({
    version: found.row.version,
    rule: stored(found),
    note: found.row.note,
    at: found.row.createdAt.toISOString(),
    by: found.author,
  });
  return { rows: rows.map(versionOf), total };
}

/** Pasted addresses and networks, merged. Throws `invalid_fields` if more remain than a rule can leave open. */
export function mergeNetworks({ body }: CallOf<typeof endpoints.readNetworks>): ResponseOf<typeof endpoints.readNetworks> {
  if (Buffer.byteLength(body.text) > countryBlockLimits.addressBytes) return fail('too_large');
  const { networks, lines, refused, refusedCount } = readNetworks(body.text, countryBlockLimits.refusedLines, countryBlockLimits.networks + 1);
  if (networks.length > countryBlockLimits.networks)
    return fail('invalid_fields', { fields: { text: { code: 'too_long', max: countryBlockLimits.networks } } });
  return { networks: networks.map(networkText), lines, refused: [...refused], refusedCount };
}

const withoutLanguage = (rule: CountryRule, tag: string): CountryRule => {
  const { [tag]: _removed, ...message } = rule.message;
  return { ...rule, message };
};

/** How often the current rule is read again after somebody has saved a version at the same moment. */
const tries = 5;

/** One attempt of `forgetRuleLanguage`: whether there is a new version; null if somebody else has saved one meanwhile, so that nothing was changed. */
const withoutMessage = (ctx: Context, { id: siteId, name }: { readonly id: string; readonly name: string }, tag: string): Promise<boolean | null> =>
  ctx.postgres.db.transaction(async (tx) => {
    const current = await queries.currentRule(tx, siteId);
    const before = stored(current);
    const isChanged = current !== null && Object.hasOwn(before.message, tag);
    if (isChanged) {
      const rule = withoutLanguage(before, tag);
      const row = { siteId, version: current.row.version + 1, rule, note: '', createdBy: null, createdAt: new Date(ctx.now()) };
      if (!(await queries.insertRule(tx, row))) return null;
      const target = { kind: 'site', id: siteId, name };
      await record(ctx, tx, systemActor, { action: 'countryBlock.changed', siteId, target, ...auditedChange(before, rule) });
    }
    // Last, so that an attempt that came too late has changed nothing, and messages of a version saved meanwhile are found by the next one.
    await queries.forgetMessages(tx, siteId, tag);
    return isChanged;
  });

/** Deletes the message for refused visitors in a language: from all versions, and by a new version if the current one has it. Nothing else about the rule changes. */
export async function forgetRuleLanguage(ctx: Context, site: { readonly id: string; readonly name: string }, tag: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const isChanged = await withoutMessage(ctx, site, tag);
    if (isChanged === null && attempt >= tries) fail('conflict');
    if (isChanged === true) ctx.live.publish({ type: 'countryBlock', siteId: site.id });
    if (isChanged !== null) return;
  }
}
