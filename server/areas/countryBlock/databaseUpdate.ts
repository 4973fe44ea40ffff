import { text } from 'node:stream/consumers';
import type { CountryRuleState, countryBlockEndpoints as endpoints } from '../../../contract/countryBlock/schemas';
import type { ErrorCode } from '../../../contract/errors';
import { may } from '../../../contract/permissions';
import { databaseKey, openCountryDatabase } from '../../collect/classify';
import type { CountryDatabase } from '../../collect/classify';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { DownloadFailed, download } from '../../net/download';
import type { DownloadProblem, Validators } from '../../net/download';
import { sourceName } from '../../net/publishedText';
import { DAY, MINUTE } from '../../zone';
import { defineJob, enqueue } from '../../worker';
import type { RunningJob } from '../../worker';
import { actorOf, record } from '../audit';
import { jobView, latestJob } from '../jobs';

/** Monthly downloads of the database of countries from `COUNTRY_DATABASE_URL`. */

const kind = 'countries.update';
const stateKey = 'countries/database.json';
const limits = { bytes: 64 * 1024 ** 2, timeout: 10 * MINUTE } as const;
const updateEvery = 30 * DAY;
const retryAfter = DAY;

/** What the server said about the stored database, written after it. `checkedAt`: epoch ms. */
type UpdateState = Validators & { readonly source: string; readonly checkedAt: number };

/** Addresses that have been in their country for decades, of both families. A database that moves one of them may be right; one that moves two is another file. */
const wellKnown = [
  ['8.8.8.8', 'US'],
  ['114.114.114.114', 'CN'],
  ['2001:4860:4860::8888', 'US'],
  ['240e::1', 'CN'],
] as const;

const codes: Readonly<Record<DownloadProblem, ErrorCode>> = {
  unreachable: 'source_unreachable',
  refused: 'source_refused',
  private: 'source_private',
  too_large: 'source_too_large',
};

async function stateOf({ files, config }: Context): Promise<UpdateState | null> {
  if ((await files.stat(stateKey)) === null) return null;
  const state = JSON.parse(await text(files.read(stateKey))) as UpdateState;
  return state.source === config.countryDatabaseUrl ? state : null;
}

/** Opens a downloaded database. Throws `database_unreadable` if it is none, or does not know where well-known addresses are. */
function opened(content: Buffer): CountryDatabase {
  let found: CountryDatabase;
  let right = 0;
  try {
    found = openCountryDatabase(content);
    right = wellKnown.filter(([address, country]) => found.countryOf(address) === country).length;
  } catch (error) {
    return fail('database_unreadable', { cause: error });
  }
  return right >= wellKnown.length - 1 && found.builtAt !== null ? found : fail('database_unreadable');
}

/**
 * Progress is in kB. Replaces the stored database by a newer one from the address, as a whole and after it was opened; until then, and if anything fails, the one in use stays. A run that was
 * killed starts over.
 */
async function update(job: RunningJob, ctx: Context): Promise<void> {
  const source = ctx.config.countryDatabaseUrl;
  if (source === null) return;
  const state = await stateOf(ctx);
  // Validators mean nothing without the file that they describe.
  const known = state !== null && (await ctx.files.stat(databaseKey)) !== null ? state : undefined;
  const found = await download(source, {
    bytes: limits.bytes,
    ...(known && { known }),
    signal: AbortSignal.any([job.signal, AbortSignal.timeout(limits.timeout)]),
    onProgress: (done, total) => job.progress(done / 1024, total === null ? null : total / 1024),
  }).catch((error: unknown) => (error instanceof DownloadFailed && !job.cancelled ? fail(codes[error.problem], { cause: error }) : Promise.reject(error)));
  const { etag = null, modified = null } = found ?? known ?? {};
  if (found !== null) {
    const [before, after] = [ctx.countries.database().builtAt ?? 0, opened(found.body).builtAt ?? 0];
    if (after < before) return fail('database_older');
    if (after > before || known === undefined) await ctx.files.put(databaseKey, found.body, { replace: true });
  }
  const next: UpdateState = { source, etag, modified, checkedAt: ctx.now() };
  await ctx.files.put(stateKey, Buffer.from(JSON.stringify(next)), { replace: true });
  await ctx.countries.refresh();
  ctx.live.publish({ type: 'countries' });
}

export const updateJob = defineJob(kind, update);

const enqueueUpdate = (ctx: Context, source: string, createdBy: string | null) => enqueue(ctx, kind, { label: sourceName(source), createdBy, once: true });

/** Queues the download a month after the last one, or a day after one that failed. Runs hourly. */
export async function updateDatabaseIfDue(ctx: Context): Promise<void> {
  const source = ctx.config.countryDatabaseUrl;
  if (source === null) return;
  const [state, latest] = [await stateOf(ctx), await latestJob(ctx.postgres.db, kind)];
  if (state !== null && ctx.now() - state.checkedAt < updateEvery) return;
  const tried = latest?.finishedAt?.getTime();
  if (latest && latest.state !== 'done' && (tried === undefined || ctx.now() - tried < retryAfter)) return;
  await enqueueUpdate(ctx, source, null);
}

/** Downloads now; a download that is queued or running is returned. Throws `not_found` without an address. */
export async function updateDatabaseNow(
  ctx: Context,
  call: CallOf<typeof endpoints.updateCountryDatabase>,
): Promise<ResponseOf<typeof endpoints.updateCountryDatabase>> {
  const source = ctx.config.countryDatabaseUrl ?? fail('not_found');
  await record(ctx, ctx.postgres.db, actorOf(call), { action: 'countryBlock.update_started' });
  return jobView(await enqueueUpdate(ctx, source, call.session.userId), call.locale);
}

/** The state of downloads, for people who may start them. */
export async function updateStateOf(
  ctx: Context,
  { session, locale }: Pick<CallOf<typeof endpoints.countryRule>, 'session' | 'locale'>,
): Promise<CountryRuleState['databaseUpdate']> {
  if (ctx.config.countryDatabaseUrl === null || !may(session.role, 'site.seeAll')) return null;
  const [state, latest] = [await stateOf(ctx), await latestJob(ctx.postgres.db, kind)];
  const isOpen = latest?.state === 'queued' || latest?.state === 'running';
  return {
    jobId: latest && isOpen ? latest.id : null,
    checkedAt: state && new Date(state.checkedAt).toISOString(),
    failure: latest?.state === 'failed' ? jobView(latest, locale).error : null,
  };
}
