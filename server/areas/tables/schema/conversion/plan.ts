import type { z } from 'zod';
import type { ConversionPlan, ConversionPlanInput, ConversionSample } from '../../../../../contract/tables/conversion';
import { canBeUnique } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import type { Locale } from '../../../../http/access';

import type { Reader } from '../../core/access';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { labelAt } from '../../core/read/label';
import { fromTable } from '../../core/read/readContext';
import { newReadContext } from '../../core/read/statement';
import { asking } from '../../core/read/run';
import { isEmpty } from '../../core/values/check';
import { newFieldId } from '../../core/ids';
import type { ConversionSpec } from '../../core/schema';
import { goalOf } from './goal';
import { changesTranslations, convertedAs, namesFor, sideOf } from './pass';
import { countRows, readRows } from './rows';
import type { SourceRow, Work } from './rows';
import { namesRecords, partsAs, partsNow, rightsBreak, usesOf } from './uses';
import { Choices, displayText } from '../../core/values/convert';
import type { Converted, Names } from '../../core/values/convert';
import { lossText, misfitText } from './messages';

/** Records per batch, and the time limit of a dry run, ms. */
const piece = 1000;
const budget = 6000;
const mostSamples = 20;
const mostTitles = 50;
const sampleLength = 300;
const first = '00000000-0000-0000-0000-000000000000';

export type ConversionRequest = z.output<typeof ConversionPlanInput>;
export type ConversionContext = { readonly model: SiteModel; readonly table: TableModel; readonly field: FieldModel; readonly timeZone: string };

/** The conversion as the job performs it. */
export function specOf(
  { model, table, field, timeZone }: ConversionContext,
  request: ConversionRequest,
  how: { readonly misfits: ConversionSpec['misfits']; readonly keepUnique: boolean },
): ConversionSpec {
  const goal = goalOf(model, table, field, request);
  return {
    fresh: newFieldId(),
    kept: newFieldId(),
    from: partsNow(field),
    to: partsAs(field, goal, how.keepUnique, timeZone),
    misfits: how.misfits,
    addChoices: request.addChoices,
    keepUnique: how.keepUnique,
    translated: changesTranslations(field, goal.type),
    undoing: false,
    mirrors: [],
    others: {},
  };
}

const cut = (text: string): string => (text.length > sampleLength ? `${Array.from(text).slice(0, sampleLength).join('')}…` : text);

/** Tries a conversion on the existing records for at most six seconds and reports the consequences. Writes nothing. */
export async function planOf(ctx: Context, context: ConversionContext, request: ConversionRequest, reader: Reader, locale: Locale): Promise<ConversionPlan> {
  const { model, table, field, timeZone } = context;
  // Values that do not fit are treated as cleared, so that all of them are found.
  const spec = specOf(context, request, { misfits: 'empty', keepUnique: true });
  const goal = { type: spec.to.type, options: spec.to.options };
  const work: Work = { ...context, spec, undoes: null, hasPublishedValues: false };
  const selection = goal.type === 'select' || goal.type === 'multiSelect';
  const choices = selection ? new Choices(goal.options.choices ?? [], request.addChoices) : null;
  const counts = { empty: 0, convertible: 0, lossy: 0, failing: 0 };
  const samples: Omit<ConversionSample, 'label'>[] = [];
  const countByValue = new Map<string, number>();
  const begin = performance.now();
  const looked = await ctx.postgres.db.transaction(
    async (tx) => {
      const records = await countRows(tx, work, 'records');
      const from = sideOf(field);
      let [after, examined, exact] = [first, 0, false];
      while (from && performance.now() - begin < budget) {
        const rows = await readRows(ctx, tx, work, 'records', { after }, piece);
        const names = await namesFor(ctx, tx, work, from, rows);
        for (const row of rows) {
          for (const { locale: own, value } of valuesIn(work, row)) {
            const outcome = convertedAs(work, from, value, names, choices);
            counts[outcome.kind]++;
            examined++;
            if (spec.to.isUnique && own === null && 'value' in outcome && !isEmpty(outcome.value)) {
              const key = JSON.stringify(outcome.value);
              countByValue.set(key, (countByValue.get(key) ?? 0) + 1);
            }
            const sample = sampleOf(work, row.id, own, value, outcome, names, choices, locale);
            if (sample && samples.filter((one) => one.kind === sample.kind).length < mostSamples) samples.push(sample);
          }
        }
        after = rows.at(-1)?.id ?? after;
        if (rows.length < piece) {
          exact = true;
          break;
        }
      }
      return { records, examined, exact };
    },
    { accessMode: 'read only' },
  );
  const took = (performance.now() - begin) / 1000;
  const labels = await labelsOf(ctx, context, [...new Set(samples.map(({ recordId }) => recordId))]);
  // Writing takes about twice as long as reading, and the published state as long again.
  const share = looked.examined === 0 ? 0 : Math.max(1, looked.records / looked.examined);
  return {
    ...looked,
    counts,
    samples: samples.map((sample) => ({ ...sample, label: labels.get(sample.recordId) ?? '' })),
    choices: choices?.added.slice(0, mostTitles).map(({ title }) => title) ?? [],
    choiceCount: choices?.added.length ?? 0,
    duplicates: [...countByValue.values()].filter((count) => count > 1).length,
    seconds: Math.max(1, Math.ceil(took * share * (table.drafts ? 5 : 3))),
    uses: await usesOf(ctx.postgres.db, model, table, field, goal, partsAs(field, goal, canBeUnique(goal.type), timeZone), reader, locale),
    blocked: [...(namesRecords(table, field, goal) ? [] : (['primary'] as const)), ...(rightsBreak(model, table, field, goal) ? (['rights'] as const) : [])],
  };
}

function valuesIn({ field, spec }: Work, row: SourceRow): { readonly locale: string | null; readonly value: unknown }[] {
  const translated = Object.entries(row.tr ?? {}).flatMap(([locale, all]) => (isEmpty(all[field.id]) ? [] : [{ locale, value: all[field.id] }]));
  return [{ locale: null, value: row.value }, ...(spec.translated ? translated : [])];
}

function sampleOf(
  work: Work,
  recordId: string,
  own: string | null,
  value: unknown,
  outcome: Converted,
  names: Names,
  choices: Choices | null,
  locale: Locale,
): Omit<ConversionSample, 'label'> | null {
  const { kind } = outcome;
  const from = sideOf(work.field);
  if (kind === 'empty' || !from) return null;
  const to = { type: work.spec.to.type, options: choices ? { ...work.spec.to.options, choices: choices.all } : work.spec.to.options };
  // Records that were found by name have a value.
  const texts = displayText(from, value, names.names);
  const linked = ['user', 'relation', 'relations'].includes(to.type);
  return {
    kind,
    recordId,
    locale: own,
    before: cut(texts),
    after: kind === 'failing' || isEmpty(outcome.value) ? null : linked ? cut(texts.trim()) : cut(displayText(to, outcome.value, names.names)),
    reason: kind === 'failing' ? misfitText(outcome.error, locale) : kind === 'lossy' ? lossText(outcome.note, locale) : null,
  };
}

async function labelsOf(ctx: Context, { model, table, timeZone }: ConversionContext, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const scope = await newReadContext(ctx, { model, table, reader: { role: 'admin', userId: null }, timeZone });
  const label = labelAt(scope);
  const idsParam = scope.params.bind(ids, 'uuid[]');
  const found = await asking(ctx)(
    `SELECT ${scope.row}.id, ${label.sql} FROM ${fromTable(scope)} WHERE ${scope.row}.id = ANY(${idsParam})`,
    scope.params.values,
  );
  return new Map(found.map(([id, text]) => [id ?? '', label.show(text ?? null)]));
}
