import type { z } from 'zod';
import { checkNumber, findNumbers } from '../../../contract/filings/numbers';
import { FilingPeople } from '../../../contract/filings/schemas';
import type { Filing, FilingInput, filingEndpoints as endpoints } from '../../../contract/filings/schemas';
import { hasToFileChanges, isLocked, isNumbered, nextStates } from '../../../contract/filings/states';
import { filingLimits, numberKindOf } from '../../../contract/filings/terms';
import type { FilingKind } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { FieldErrors } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { violatedConstraint, violatesForeignKey } from '../../stores/postgres/conflict';
import { dayAt, HOUR, MINUTE } from '../../zone';
import { actorOf, difference, record } from '../audit';
import type { Actor } from '../audit';
import { readHostname } from '../hostnames';
import { annotate } from '../insights';
import { lockSite } from '../sites';
import { about, announce, authorOf } from './changes';
import { claimDocuments, abandonDocuments } from './documents';
import { footerHtml, footerNumbers, isInFooter } from './footer';
import * as queries from './queries';
import type { Db, FilingRow } from './queries';
import { listFilings } from './responses';

type Site = CallOf<typeof endpoints.addFiling>['site'];
type Response = z.input<typeof Filing>;
type Input = z.output<typeof FilingInput>;
type Columns = Pick<
  FilingRow,
  | 'kind'
  | 'subjectId'
  | 'serviceName'
  | 'number'
  | 'province'
  | 'domains'
  | 'homeUrl'
  | 'contentTypes'
  | 'interactive'
  | 'openedOn'
  | 'approvedOn'
  | 'comparedOn'
  | 'nextReviewOn'
  | 'domainExpires'
  | 'inFooter'
>;

export async function readFiling(ctx: Context, site: Site, id: string, db: Db = ctx.postgres.db): Promise<Response> {
  const { rows } = await listFilings(ctx, db, site.row);
  return rows.find((row) => row.id === id) ?? fail('not_found');
}

/** The stored form of a number. Throws `invalid_fields`. */
function numberOf(kind: FilingKind, text: string): string {
  if (text === '') return '';
  const { number, error } = checkNumber(numberKindOf[kind], text);
  return error === null ? number : failField('number', error);
}

/** Registrable domains, each once. Throws `invalid_fields`. */
function domainsOf(domains: readonly string[]): string[] {
  const read = domains.map((domain) => {
    const found = readHostname(domain);
    return 'refused' in found ? failField('domains', found.refused) : found.apex;
  });
  return [...new Set(read)];
}

const columnsOf = ({ subject, ...input }: Input): Columns => ({
  ...input,
  subjectId: subject,
  number: numberOf(input.kind, input.number),
  domains: domainsOf(input.domains),
});

const factKeys = [
  'kind',
  'subjectId',
  'serviceName',
  'number',
  'province',
  'domains',
  'openedOn',
  'approvedOn',
  'comparedOn',
  'nextReviewOn',
  'domainExpires',
  'inFooter',
] as const;
/** Data that were submitted; while the authority examines them, they stay as they are. */
const submitted = ['kind', 'subjectId', 'serviceName', 'number', 'province', 'domains', 'homeUrl', 'contentTypes', 'interactive'] as const;
const fieldOf = { subjectId: 'subject' } as Readonly<Record<string, string>>;

/** When the pages of a changed filing are looked at: soon, but after they had time to follow. */
const checkAt = (ctx: Pick<Context, 'now'>, row: Parameters<typeof isInFooter>[0]): Date | null => (isInFooter(row) ? new Date(ctx.now() + MINUTE) : null);

/** Names the field of a constraint that an insert or update violated. */
async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) === 'filings_site_kind_number_key') failField('number', 'duplicate');
    if (violatesForeignKey(error)) failField('subject', 'unknown');
    throw error;
  }
}

/** Numbers that appeared on pages or disappeared from them are marked in the reports. */
async function annotateChange(ctx: Context, tx: Db, site: Site, actor: Actor, before: FilingRow | null, after: FilingRow | null): Promise<void> {
  const [gone, added] = [before, after].map((row) => (row === null ? null : (footerNumbers([row], '')[0]?.number ?? null)));
  if (gone === added) return;
  const note = (kind: 'filing_shown' | 'filing_hidden', number: string) =>
    annotate(ctx, tx, site.id, { kind, values: { name: number }, timeZone: site.row.timeZone, author: authorOf(actor) });
  if (gone) await note('filing_hidden', gone);
  if (added) await note('filing_shown', added);
}

/** Throws `conflict` at the maximum number of filings, and `invalid_fields`. */
export async function addFiling(ctx: Context, call: CallOf<typeof endpoints.addFiling>): Promise<Response> {
  const { site, body } = call;
  const actor = actorOf(call);
  const columns = columnsOf(body);
  const added = await checked(() =>
    ctx.postgres.db.transaction(async (tx) => {
      await lockSite(tx, site.id);
      if ((await queries.countFilings(tx, site.id)) >= filingLimits.perSite) fail('conflict');
      const at = new Date(ctx.now());
      const row = await queries.insertFiling(tx, { ...columns, siteId: site.id, createdBy: authorOf(actor), createdAt: at });
      await queries.insertEvent(tx, { filingId: row.id, fromState: null, toState: row.state, note: '', at, createdBy: authorOf(actor) });
      await record(ctx, tx, actor, { action: 'filing.added', ...about(row), after: { kind: row.kind, number: row.number, domains: row.domains } });
      return row;
    }),
  );
  announce(ctx, site.id);
  return readFiling(ctx, site, added.id);
}

/** Adds an approved filing for the demo, whose pages are not checked, since nobody has them. */
export async function installFiling(ctx: Context, siteId: string, createdBy: string, input: Input): Promise<void> {
  const columns = columnsOf(input);
  await ctx.postgres.db.transaction(async (tx) => {
    const at = new Date(ctx.now());
    const { id, state } = await queries.insertFiling(tx, { ...columns, siteId, createdBy, createdAt: at });
    await queries.updateFiling(tx, id, { state: 'approved' });
    await queries.insertEvent(tx, { filingId: id, fromState: null, toState: state, note: '', at: new Date(ctx.now() - MINUTE), createdBy });
    await queries.insertEvent(tx, { filingId: id, fromState: state, toState: 'approved', note: '', at, createdBy });
  });
  announce(ctx, siteId);
}

/** Throws `bad_transition` with the fields that are locked, and `invalid_fields`. */
function checkChange(before: FilingRow, next: Columns): void {
  const { before: changed } = difference<Columns>(before, next, submitted);
  const fields: FieldErrors = Object.fromEntries(Object.keys(changed).map((key) => [fieldOf[key] ?? key, { code: 'readonly' as const }]));
  if (isLocked(before.state) && Object.keys(changed).length > 0) fail('bad_transition', { fields });
  if (before.kind !== next.kind && before.state !== 'incomplete') failField('kind', 'readonly');
  if (next.number === '' && isNumbered(before.state)) failField('number', 'required');
}

/** Data that a change has to be filed for. */
const filed = ['subjectId', 'serviceName', 'domains', 'homeUrl', 'contentTypes', 'interactive'] as const;

/** Since when data differ from what was filed. A comparison with the register on that day or later ends it. */
function changedOn(ctx: Pick<Context, 'now'>, before: FilingRow, next: Columns, timeZone: string): string | null {
  const isChanged = Object.keys(difference<Columns>(before, next, filed).before).length > 0;
  if (isChanged && hasToFileChanges(before.state)) return before.dataChangedOn ?? dayAt(ctx.now(), timeZone);
  const isCompared =
    next.comparedOn !== before.comparedOn && next.comparedOn !== null && before.dataChangedOn !== null && next.comparedOn >= before.dataChangedOn;
  return isCompared ? null : before.dataChangedOn;
}

/** Throws `stale_revision`, `bad_transition` and `invalid_fields`. */
export async function changeFiling(ctx: Context, call: CallOf<typeof endpoints.changeFiling>): Promise<Response> {
  const { site, params, body } = call;
  const revision = call.ifMatch();
  const actor = actorOf(call);
  const columns = columnsOf(body);
  const written = await checked(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const before = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
      if (before.revision !== revision) return false;
      checkChange(before, columns);
      const dataChangedOn = changedOn(ctx, before, columns, site.row.timeZone);
      const next = { ...columns, dataChangedOn, checkAt: checkAt(ctx, { ...before, ...columns }), revision: revision + 1 };
      const after = await queries.updateFiling(tx, before.id, next);
      await record(ctx, tx, actor, { action: 'filing.changed', ...about(after), ...difference(before, after, factKeys) });
      await annotateChange(ctx, tx, site, actor, before, after);
      return true;
    }),
  );
  if (!written) return fail('stale_revision', { current: await readFiling(ctx, site, params.id) });
  announce(ctx, site.id);
  return readFiling(ctx, site, params.id);
}

type Move = CallOf<typeof endpoints.moveFiling>['body'];

/** The columns of the next state. Throws `bad_transition` and `invalid_fields`. */
function moved(ctx: Pick<Context, 'now'>, before: FilingRow, { to, number: entered, on }: Move, timeZone: string): Partial<FilingRow> {
  if (!nextStates(before.kind, before.state).includes(to)) fail('bad_transition');
  const number = entered === undefined ? before.number : numberOf(before.kind, entered);
  if (isNumbered(to) && number === '') failField('number', 'required');
  const isNew = to === 'approved' && !isNumbered(before.state);
  return {
    state: to,
    number,
    approvedOn: isNew ? (on ?? dayAt(ctx.now(), timeZone)) : before.approvedOn,
    dataChangedOn: to === 'changing' || !isNumbered(to) ? null : before.dataChangedOn,
    smsUntil: to === 'sms_check' ? new Date(ctx.now() + filingLimits.smsHours * HOUR) : null,
    checkAt: checkAt(ctx, { ...before, state: to, number }),
    revision: before.revision + 1,
  };
}

/** Throws `stale_revision`, `bad_transition` and `invalid_fields`. */
export async function moveFiling(ctx: Context, call: CallOf<typeof endpoints.moveFiling>): Promise<Response> {
  const { site, params, body } = call;
  const revision = call.ifMatch();
  const actor = actorOf(call);
  const written = await checked(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const before = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
      if (before.revision !== revision) return false;
      const after = await queries.updateFiling(tx, before.id, moved(ctx, before, body, site.row.timeZone));
      const at = new Date(ctx.now());
      await queries.insertEvent(tx, { filingId: after.id, fromState: before.state, toState: after.state, note: body.note, at, createdBy: authorOf(actor) });
      await record(ctx, tx, actor, { action: 'filing.moved', ...about(after), ...difference(before, after, ['state', 'number', 'approvedOn']) });
      await annotateChange(ctx, tx, site, actor, before, after);
      return true;
    }),
  );
  if (!written) return fail('stale_revision', { current: await readFiling(ctx, site, params.id) });
  announce(ctx, site.id);
  return readFiling(ctx, site, params.id);
}

export async function removeFiling(ctx: Context, call: CallOf<typeof endpoints.removeFiling>): Promise<void> {
  const { site, params, session } = call;
  const actor = actorOf(call);
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    await queries.removal.store(ctx, tx, { siteId: site.id, id: row.id, by: session.userId });
    await abandonDocuments(ctx, tx, row);
    await queries.deleteFiling(tx, row.id);
    await record(ctx, tx, actor, { action: 'filing.removed', ...about(row), before: { state: row.state, number: row.number } });
    await annotateChange(ctx, tx, site, actor, row, null);
  });
  announce(ctx, site.id);
}

/** Throws `not_found`, `place_taken` and `parent_gone`. */
export async function restoreFiling(ctx: Context, call: CallOf<typeof endpoints.restoreFiling>): Promise<Response> {
  const { site, params, session } = call;
  const actor = actorOf(call);
  await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    if ((await queries.countFilings(tx, site.id)) >= filingLimits.perSite) fail('conflict');
    await queries.removal.restore(ctx, tx, { siteId: site.id, id: params.id, by: session.userId });
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    await claimDocuments(tx, row);
    await record(ctx, tx, actor, { action: 'filing.restored', ...about(row), after: { state: row.state, number: row.number } });
    await annotateChange(ctx, tx, site, actor, null, row);
  });
  announce(ctx, site.id);
  return readFiling(ctx, site, params.id);
}

const peoplePurpose = 'filing people';
const peopleOf = (ctx: Pick<Context, 'secrets'>, sealed: string): FilingPeople => FilingPeople.parse(JSON.parse(ctx.secrets.open(peoplePurpose, sealed)));
const nobody = (): FilingPeople => FilingPeople.parse({ subject: {}, service: {} });

/** Who is responsible. Reading is audited. */
export async function readPeople(ctx: Context, call: CallOf<typeof endpoints.filingPeople>): Promise<FilingPeople> {
  const { site, params } = call;
  return ctx.postgres.db.transaction(async (tx) => {
    const { row } = (await queries.findFiling(tx, site.id, params.id)) ?? fail('not_found');
    await record(ctx, tx, actorOf(call), { action: 'filing.people_read', ...about(row) });
    return row.peopleSealed === null ? nobody() : peopleOf(ctx, row.peopleSealed);
  });
}

/** Throws `bad_transition` while the authority examines them. */
export async function changePeople(ctx: Context, call: CallOf<typeof endpoints.changeFilingPeople>): Promise<FilingPeople> {
  const { site, params, body } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const row = (await queries.lockFiling(tx, site.id, params.id)) ?? fail('not_found');
    if (isLocked(row.state)) fail('bad_transition');
    const expiries = [body.subject, body.service].flatMap(({ certificateExpires }) => (certificateExpires === null ? [] : [certificateExpires]));
    const peopleExpire = expiries.toSorted()[0] ?? null;
    const isChanged = row.peopleSealed !== null && JSON.stringify(peopleOf(ctx, row.peopleSealed)) !== JSON.stringify(body);
    const dataChangedOn = isChanged && hasToFileChanges(row.state) ? (row.dataChangedOn ?? dayAt(ctx.now(), site.row.timeZone)) : row.dataChangedOn;
    await queries.updateFiling(tx, row.id, { peopleSealed: ctx.secrets.seal(peoplePurpose, JSON.stringify(body)), peopleExpire, dataChangedOn });
    await record(ctx, tx, actorOf(call), { action: 'filing.people_changed', ...about(row) });
  });
  announce(ctx, site.id);
  return body;
}

export async function readEvents(ctx: Context, call: CallOf<typeof endpoints.filingEvents>): Promise<ResponseOf<typeof endpoints.filingEvents>> {
  const { db } = ctx.postgres;
  const { row } = (await queries.findFiling(db, call.site.id, call.params.id)) ?? fail('not_found');
  const [events, total] = await Promise.all([queries.eventsOf(db, row.id, call.query), queries.countEvents(db, row.id)]);
  return {
    rows: events.map(({ event: { id, fromState, toState, note, at }, by }) => ({ id, from: fromState, to: toState, note, at: at.toISOString(), by })),
    total,
  };
}

/** Numbers in a pasted text, and which filings of the site have them already. */
export async function parseText(ctx: Context, call: CallOf<typeof endpoints.findFilingNumbers>): Promise<ResponseOf<typeof endpoints.findFilingNumbers>> {
  const known = await queries.filingsOf(ctx.postgres.db, [call.site.id]);
  return {
    rows: findNumbers(call.body.text).map(({ kind, number }) => {
      const { province, error, warnings } = checkNumber(kind, number);
      const filing = known.find(({ row }) => row.number === number)?.row.id ?? null;
      return { kind, number, province, error, warnings: [...warnings], filing };
    }),
  };
}

/** The footer for pages that are hosted elsewhere. */
export async function readSnippet(ctx: Context, call: CallOf<typeof endpoints.filingSnippet>): Promise<{ text: string }> {
  const { format, domain } = call.query;
  const rows = (await queries.filingsOf(ctx.postgres.db, [call.site.id])).map(({ row }) => row);
  const numbers = footerNumbers(rows, domain);
  return { text: format === 'html' ? footerHtml(numbers) : numbers.map(({ number }) => number).join('\n') };
}
