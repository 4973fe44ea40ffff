import { addressIn } from '../../../../contract/languages/addresses';
import { robotsBytes } from '../../../../contract/seo/robots';
import { robotsProblemsOf } from '../../../../contract/seo/robotsLint';
import type { RobotsProblem } from '../../../../contract/seo/robotsLint';
import type { robotsEndpoints as endpoints } from '../../../../contract/seo/robotsSchemas';
import { robotsToAccept } from '../../../../contract/seo/terms';
import { isIndexed } from '../../../../contract/sites/terms';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { ClickHouseAway } from '../../../stores/clickhouse/types';
import { actorOf, record } from '../../audit';
import type { Actor } from '../../audit';
import { annotate } from '../../insights';
import { readIndexedSite } from '../../sites';
import type { IndexedSite } from '../../sites';
import { knownPages } from '../knownPages';
import type { KnownPage } from '../knownPages';
import { livePages } from '../pages';
import type { PagedSite } from '../pages';
import { compareRobots } from './compare';
import * as queries from './queries';
import { closedRobots, robotsText } from './text';
import type { ProgramRules } from './text';

type Robots = ResponseOf<typeof endpoints.robots>;
type WhatIf = ResponseOf<typeof endpoints.robotsWhatIf>;
/** A delivered site, and what decides about its robots.txt apart from its text. */
type Setting = { readonly site: IndexedSite; readonly live: PagedSite | null; readonly rules: ProgramRules; readonly closedBy: Robots['closedBy'] };

/** Paths of the search page in every language. */
function searchPathsOf({ search, languages, addresses }: PagedSite): string[] {
  return search === null ? [] : [...new Set(languages.map((language) => encodeURI(addressIn(addresses, search, language).path)))];
}

async function settingOf(ctx: Context, siteId: string): Promise<Setting> {
  const site = (await readIndexedSite(ctx, siteId)) ?? fail('not_found');
  const live = await livePages(ctx, site);
  const searchPaths = live ? searchPathsOf(live) : [];
  const closedBy =
    site.origin === null ? 'elsewhere' : !live ? 'not_released' : !isIndexed(site) ? 'site' : live.settings.robots === 'closed' ? 'settings' : null;
  return { site, live, rules: { origin: site.origin ?? '', searchPaths, refusedAgents: live?.seo.agents.refused ?? [] }, closedBy };
}

function deliveredOf(text: string, { rules, closedBy }: Setting): string {
  if (closedBy === 'elsewhere') return '';
  return closedBy === null ? robotsText(text, rules) : closedRobots;
}

const responseOf = (row: queries.RobotsRow | null, setting: Setting): Robots => ({
  revision: row?.version ?? 0,
  text: row?.text ?? '',
  delivered: deliveredOf(row?.text ?? '', setting),
  closedBy: setting.closedBy,
  problems: robotsProblemsOf(row?.text ?? ''),
  changedAt: row?.createdAt.toISOString() ?? null,
  changedBy: row?.author ?? null,
});

async function currentRobots(ctx: Context, siteId: string): Promise<Robots> {
  const [row, setting] = await Promise.all([queries.newestRobots(ctx.postgres.db, siteId), settingOf(ctx, siteId)]);
  return responseOf(row, setting);
}

export const readRobots = (ctx: Context, { site }: CallOf<typeof endpoints.robots>): Promise<Robots> => currentRobots(ctx, site.id);

type Compared = Omit<WhatIf, 'problems'> & { readonly problems: RobotsProblem[] };

/** What another robots.txt would change for the known addresses. Both are compared as if the site were open. */
async function compare({ rules }: Setting, before: string, after: string, known: readonly KnownPage[], agent?: string): Promise<Compared> {
  const { open, ...compared } = await compareRobots(robotsText(before, rules), robotsText(after, rules), known, agent);
  const problems = robotsProblemsOf(after);
  if (compared.known > 0 && open === 0 && !problems.some(({ code }) => code === 'blocks_all')) problems.push({ code: 'blocks_all', line: null });
  if (compared.blockedWithVisits > 0) problems.push({ code: 'blocks_visited', line: compared.examples[0]?.line ?? null });
  return { ...compared, problems };
}

export async function whatIf(ctx: Context, { site, body }: CallOf<typeof endpoints.robotsWhatIf>): Promise<WhatIf> {
  const setting = await settingOf(ctx, site.id);
  return compare(setting, await queries.robotsTextOf(ctx, site.id), body.text, await knownPages(ctx, site.id, setting.live), body.agent);
}

/** As `compare`; without visits only the file itself is judged, because a site that a crawler overruns cannot wait for them. */
async function judge(ctx: Context, setting: Setting, before: string, after: string): Promise<Pick<Compared, 'problems'> & Partial<Compared>> {
  try {
    return await compare(setting, before, after, await knownPages(ctx, setting.site.id, setting.live));
  } catch (error) {
    if (!(error instanceof ClickHouseAway)) throw error;
    ctx.log.warn('A robots.txt was saved without a comparison with visits', { siteId: setting.site.id, error });
    return { problems: robotsProblemsOf(after) };
  }
}

type Author = { readonly userId: string | null; readonly actor: Actor };
type NewRobots = { readonly text: string; readonly note: string; readonly accepted: readonly string[]; readonly expected: number };

/**
 * Stores a new version, which acts at once. Throws `confirm_mismatch` if it closes all or visited pages and this was not accepted by name, `stale_revision` if somebody
 * else has saved one, and `not_delivered`.
 */
async function save(ctx: Context, setting: Setting, { userId, actor }: Author, { text, note, accepted, expected }: NewRobots): Promise<Robots> {
  const { site, closedBy, rules } = setting;
  if (closedBy === 'elsewhere') fail('not_delivered');
  if (Buffer.byteLength(robotsText(text, rules)) > robotsBytes) failField('text', 'too_long');
  const { db } = ctx.postgres;
  const current = await queries.newestRobots(db, site.id);
  if ((current?.version ?? 0) !== expected) return fail('stale_revision', { current: responseOf(current, setting) });
  const { problems, blocked, opened } = await judge(ctx, setting, current?.text ?? '', text);
  const unaccepted = robotsToAccept.filter((code) => !accepted.includes(code) && problems.some((problem) => problem.code === code));
  if (unaccepted.length > 0) fail('confirm_mismatch');
  const version = expected + 1;
  const stored = await db.transaction(async (tx) => {
    const row = { siteId: site.id, version, text, note, blocked: blocked ?? null, opened: opened ?? null, createdBy: userId, createdAt: new Date(ctx.now()) };
    if (!(await queries.insertVersion(tx, row))) return false;
    await record(ctx, tx, actor, {
      action: 'seo.robots_changed',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.name },
      before: { version: expected },
      after: { version, ...(blocked === undefined ? {} : { blocked, opened }) },
    });
    await annotate(ctx, tx, site.id, {
      kind: 'robots_changed',
      values: { name: String(version), before: String(blocked ?? 0), after: String(opened ?? 0) },
      timeZone: site.timeZone,
      author: userId,
    });
    return true;
  });
  if (!stored) return fail('stale_revision', { current: await currentRobots(ctx, site.id) });
  ctx.live.publish({ type: 'publishing', siteId: site.id });
  return responseOf(await queries.newestRobots(db, site.id), setting);
}

/** The first robots.txt of a site that a program has filled; one that people have saved stays. */
export async function installRobots(ctx: Context, siteId: string, createdBy: string, text: string): Promise<void> {
  const row = { siteId, version: 1, text, note: '', blocked: null, opened: null, createdBy, createdAt: new Date(ctx.now()) };
  await queries.insertVersion(ctx.postgres.db, row);
  ctx.live.publish({ type: 'publishing', siteId });
}

/** Undoes `installRobots`, unless somebody saved another robots.txt before or after it. */
export async function removeInstalledRobots(ctx: Context, siteId: string, installed: string): Promise<void> {
  const { db } = ctx.postgres;
  const newest = await queries.newestRobots(db, siteId);
  if (newest?.version !== 1 || newest.text !== installed) return;
  await queries.deleteFirstVersion(db, siteId);
  ctx.live.publish({ type: 'publishing', siteId });
}

export async function changeRobots(ctx: Context, call: CallOf<typeof endpoints.changeRobots>): Promise<Robots> {
  const { site, session, body } = call;
  const author = { userId: session.userId, actor: actorOf(call) };
  return save(ctx, await settingOf(ctx, site.id), author, { ...body, expected: call.ifMatch() });
}

export async function restoreRobots(ctx: Context, call: CallOf<typeof endpoints.restoreRobots>): Promise<Robots> {
  const { site, session, params, body } = call;
  const { db } = ctx.postgres;
  const earlier = (await queries.findVersion(db, site.id, params.version)) ?? fail('not_found');
  const expected = (await queries.newestRobots(db, site.id))?.version ?? 0;
  const author = { userId: session.userId, actor: actorOf(call) };
  return save(ctx, await settingOf(ctx, site.id), author, { text: earlier.text, note: earlier.note, accepted: body.accepted, expected });
}

export async function robotsVersions(
  ctx: Context,
  { site, query }: CallOf<typeof endpoints.robotsVersions>,
): Promise<ResponseOf<typeof endpoints.robotsVersions>> {
  const { rows, total } = await queries.listVersions(ctx.postgres.db, site.id, query.page, query.size);
  return {
    rows: rows.map(({ version, text, note, blocked, opened, createdAt, author }) => ({
      version,
      text,
      note,
      blocked,
      opened,
      at: createdAt.toISOString(),
      by: author,
    })),
    total,
  };
}
