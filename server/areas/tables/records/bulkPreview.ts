import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { tableLimits } from '../../../../contract/tables/terms';
import type { BatchOrigin } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { requireGrant } from '../core/access';
import type { FieldModel } from '../core/model';
import { addNames, noLabels } from '../core/read/labels';
import { asking } from '../core/read/run';
import { newReadContext } from '../core/read/statement';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { otherLocale } from '../core/write/item';
import { permitted } from '../core/write/lookups';
import { triedHash } from '../core/write/passwords';
import { lockRows } from '../core/write/rows';
import { visibleLinks } from '../core/write/visibleLinks';
import type { Row } from '../core/write/rows';
import type { TableContext } from '../core/tableContext';
import { actionOf, changesOf, valuesFor } from './acts';
import type { Act } from './acts';
import { errorText } from '../core/values/errorTexts';
import { differingSql } from './differing';
import { printState } from './bulkState';
import { countsOf, revisionsOf } from './target';

const sampleCount = 20;

type DryRun = {
  readonly batchId: null;
  readonly jobId: null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly records: [];
  readonly matched: number;
  readonly state: string;
  readonly samples: { id: string; label: string; before: Record<string, unknown>; after: Record<string, unknown>; error: string | null }[];
};

/**
 * Previews a bulk change by applying it and rolling it back: `ids` are the targets, for a filter up to one more than a call may write. For more than a
 * thousand, counts all records that would change, minus those of the first thousand that are refused; the job discovers the rest.
 */
export async function tryBulk(
  ctx: Context,
  context: TableContext,
  target: { readonly ids: readonly string[] } | { readonly filter: RecordFilter | null; readonly q?: string | undefined },
  ids: readonly string[],
  act: Extract<Act, { readonly kind: 'change' }>,
  { origin, locale }: { readonly origin: BatchOrigin; readonly locale: Locale },
): Promise<DryRun> {
  const { model, table } = context;
  const tried = ids.slice(0, tableLimits.batch);
  const first = tried.slice(0, sampleCount);
  const language = otherLocale(table, act.locale);
  const named = Object.keys(act.values).map((name) => [name, table.byName.get(name) ?? null] as const);
  const read = requireGrant(table, context.reader, 'read');
  const fields = named.flatMap(([, field]) => (field && read.covers(field) ? [field] : []));
  const values = await valuesFor(context, act, tried, triedHash);
  const isMore = !('ids' in target) && ids.length > tableLimits.batch;
  // Before the trial, so that changes made during it count as unseen.
  const all = isMore ? await revisionsOf(ctx, context, actionOf(act), target, null) : null;
  const { before, after, result, seenLink, state } = await inWrite(
    ctx,
    null,
    async (w) => {
      await lockRows(w.tx, model.siteId, table, tried, { fields: [], tr: false, published: false });
      const found = all ?? (await revisionsOf(ctx, context, actionOf(act), { filter: null, ids: tried }, w.tx));
      const readableIds = [...(await permitted(w, context, table, first, { grants: [read] }))];
      const look = () => lockRows(w.tx, model.siteId, table, readableIds, { fields, tr: language !== null, published: false });
      const earlier = await look();
      const done = await writeBatch(w, context, await changesOf(w, context, act, tried, values), { origin, errors: 'collect', locale: act.locale });
      const later = await look();
      const links = [...earlier.values(), ...later.values()].flatMap((row) => fields.map((field) => ({ field, value: row.values.get(field.id) })));
      return { before: earlier, after: later, result: done, state: found, seenLink: await visibleLinks(w, context, links) };
    },
    { dryRun: true },
  );
  const valuesOf = (row: Row | undefined): Record<string, unknown> =>
    Object.fromEntries(named.map(([name, field]) => [name, seenLink(field ?? undefined, valueIn(row, field, language))]));
  const labels = noLabels();
  await addNames(asking(ctx), await newReadContext(ctx, context), table, first, labels);
  const counts = isMore
    ? await countsOf(
        ctx,
        context,
        actionOf(act),
        target,
        { after: null, until: new Date(ctx.now()) },
        (scope) => differingSql(scope, act.values, language) ?? 'false',
      )
    : null;
  const matched = counts?.all ?? tried.length;
  const samples = first.map((id, at) => {
    const [[name, error] = ['', null]] = Object.entries(result.results[at]?.errors ?? {});
    return {
      id,
      label: labels.records[id] ?? '',
      before: valuesOf(before.get(id)),
      after: valuesOf(after.get(id)),
      error: error ? errorText(error, locale, table.byName.get(name.split('.')[0] ?? '')?.type) : null,
    };
  });
  const { created } = result;
  const failed = result.results.filter(({ outcome }) => outcome === 'failed').length;
  const updated = !counts ? result.updated : failed === tried.length ? 0 : Math.max(0, counts.holding - failed);
  const unchanged = counts ? counts.all - counts.holding : result.unchanged;
  return { batchId: null, jobId: null, created, updated, unchanged, records: [], matched, state: printState(state), samples };
}

/** A value as it would be read; of a password only whether it is set. */
function valueIn(row: Row | undefined, field: FieldModel | null, language: string | null): unknown {
  if (!row || !field) return null;
  if (!row.values.has(field.id) && field.type !== 'inverse') return null;
  const value = language !== null && field.localized ? row.tr[language]?.[field.id] : row.values.get(field.id);
  return field.type === 'password' ? (value ? true : null) : (value ?? null);
}
