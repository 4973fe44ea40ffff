import type { RoutesPart } from '../../../../contract/publishing/parts';
import { pathOfRecord } from '../../../../contract/publishing/recordPath';
import type { Completeness, TextPlace, TranslationOverview } from '../../../../contract/languages/translations';
import { translatedEntities, translationLimits } from '../../../../contract/languages/translationTerms';
import type { TranslatedEntity, TranslationState } from '../../../../contract/languages/translationTerms';
import type { z } from 'zod';
import type { Context } from '../../../context';
import { workingParts } from '../../publishing';
import { recordHashes } from '../../tables';
import type { TranslatableTable } from '../../tables';
import { markOf, marksOf } from './marks';
import type { Marks } from './marks';
import { partPlaces, tablesOf } from './places';
import type { Place } from './places';
import { hasState, noCounts, stateOf, sumOf, textHash } from './states';
import type { Counts } from './states';
import type { Translator } from './translator';
import { visitsOf } from './visits';
import type { Visits } from './visits';

/** What has texts, with how many of them are in which state, by language; without the texts. */
export type SurveyedPlace = {
  readonly place: TextPlace;
  readonly path: string | null;
  readonly visitors: number | null;
  readonly states: ReadonlyMap<string, Counts>;
};
type Group = TranslationOverview['groups'][number];
export type Survey = { readonly places: readonly SurveyedPlace[]; readonly groups: readonly Group[]; readonly tables: readonly TranslatableTable[] };
export type Selection = {
  readonly entity?: TranslatedEntity | undefined;
  readonly group?: string | undefined;
  readonly id?: string | undefined;
  readonly tag?: string | undefined;
  readonly state?: TranslationState | 'open' | undefined;
};

/** Where the records of a table are: `/blog/{slug}`. */
function routeOf(routes: RoutesPart, table: TranslatableTable): { readonly path: string; readonly slug: string | null } | null {
  const found = routes.find((route) => route.kind === 'collection' && route.recordPath !== null && (route.table === table.id || route.table === table.key));
  return found?.kind === 'collection' && found.recordPath !== null ? { path: found.recordPath, slug: found.slug } : null;
}

async function surveyTable(
  ctx: Context,
  who: Translator,
  table: TranslatableTable,
  { routes, marks, visits }: { readonly routes: RoutesPart; readonly marks: Marks; readonly visits: Visits | null },
): Promise<{ places: SurveyedPlace[]; capped: boolean }> {
  const route = routeOf(routes, table);
  const { rows, capped } = await recordHashes(ctx, who.reader, { tableId: table.id, slug: route?.slug ?? null, most: translationLimits.records });
  const targets = who.languages.filter((tag) => tag !== table.locales[0]);
  const places = rows.flatMap(({ id, slug, source, translations }): SurveyedPlace[] => {
    if (source.every((hash) => hash === null)) return [];
    const place = { entity: 'record', group: table.id, id } as const;
    const path = route ? pathOfRecord(route.path, slug) : null;
    const states = targets.map((tag) => {
      const counts = noCounts();
      for (const [at, hash] of source.entries())
        if (hash !== null) counts[stateOf(hash, translations.get(tag)?.[at] ?? null, markOf(marks, place, tag, table.fields[at]?.id ?? ''))]++;
      return [tag, counts] as const;
    });
    return [{ place, path, visitors: path !== null && visits ? visits.of(path) : null, states: new Map(states) }];
  });
  return { places, capped };
}

/** The state of a text in a language. */
export const stateOfText = ({ source, translations, field }: Place['texts'][number], place: TextPlace, tag: string, marks: Marks): TranslationState => {
  const text = translations[tag];
  return stateOf(textHash(source), text === undefined ? null : textHash(text), markOf(marks, place, tag, field));
};

function surveyPart({ place, sourceTag, texts }: Place, languages: readonly string[], marks: Marks, visits: Visits | null): SurveyedPlace {
  const states = languages
    .filter((tag) => tag !== sourceTag)
    .map((tag) => {
      const counts = noCounts();
      for (const text of texts) counts[stateOfText(text, place, tag, marks)]++;
      return [tag, counts] as const;
    });
  // They are on every page.
  return { place, path: null, visitors: visits?.total ?? null, states: new Map(states) };
}

const order = ({ entity }: TextPlace): number => translatedEntities.indexOf(entity);
const byVisitors = (a: SurveyedPlace, b: SurveyedPlace): number => (b.visitors ?? -1) - (a.visitors ?? -1) || order(b.place) - order(a.place);

/** Everything that can be translated, the most visited first, restricted to an entity and a group. */
export async function surveyOf(ctx: Context, who: Translator, { entity, group }: Pick<Selection, 'entity' | 'group'> = {}): Promise<Survey> {
  const [parts, tables, marks, visits] = await Promise.all([
    workingParts(ctx.postgres.db, who.site),
    tablesOf(ctx, who),
    marksOf(ctx.postgres.db, who.site.id),
    visitsOf(ctx, who),
  ]);
  const groups: Group[] = [];
  const places: SurveyedPlace[] = [];
  const isIncluded = (place: Pick<TextPlace, 'entity' | 'group'>): boolean =>
    (entity ?? place.entity) === place.entity && (group ?? place.group) === place.group;
  if (entity !== 'record')
    for (const place of await partPlaces(ctx, who)) {
      if (!isIncluded(place.place)) continue;
      places.push(surveyPart(place, who.languages, marks, visits));
      groups.push({ entity: place.place.entity, group: place.place.group, name: place.title, rows: 1, lacks: [], capped: false });
    }
  for (const table of tables) {
    if (!isIncluded({ entity: 'record', group: table.id })) continue;
    const found = await surveyTable(ctx, who, table, { routes: parts.routes.content, marks, visits });
    places.push(...found.places);
    const lacks = who.languages.filter((tag) => !table.locales.includes(tag));
    groups.push({ entity: 'record', group: table.id, name: table.title, rows: found.places.length, lacks, capped: found.capped });
  }
  return { places: places.toSorted(byVisitors), groups, tables };
}

/** Places that match a selection. A state without a language means: in any of them. */
export const selected = ({ places }: Survey, { id, tag, state }: Selection): SurveyedPlace[] =>
  places.filter(({ place, states }) => {
    if (id !== undefined && place.id !== id) return false;
    if (tag !== undefined && !states.has(tag)) return false;
    if (state === undefined) return true;
    return tag === undefined ? [...states.values()].some((counts) => hasState(counts, state)) : hasState(states.get(tag), state);
  });

/** How complete each language is. */
export function completenessOf({ places }: Survey, languages: readonly string[]): z.input<typeof Completeness>[] {
  return languages.map((tag) => {
    const all = noCounts();
    let [weight, reviewed] = [0, 0];
    for (const { states, visitors } of places) {
      const counts = states.get(tag);
      if (!counts) continue;
      for (const [state, count] of Object.entries(counts)) all[state as TranslationState] += count;
      weight += visitors ?? 0;
      reviewed += ((visitors ?? 0) * counts.reviewed) / Math.max(1, sumOf(counts));
    }
    return { tag, total: sumOf(all), ...all, weighed: weight === 0 ? null : reviewed / weight };
  });
}
