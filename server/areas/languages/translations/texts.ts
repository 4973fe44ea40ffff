import type { TextKey, TranslationText } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import type { Engine } from './engines/engine';
import { marksOfPlaces } from './marks';
import type { MarkRow } from '../schema';
import { findPlaces } from './places';
import type { Place, PlaceText } from './places';
import { isState, placeKey, stateOf, textHash, textKey } from './states';
import type { Selection } from './survey';
import type { Translator } from './translator';

/** A text with its place and its mark, in one language. */
export type FoundText = TranslationText & { readonly place: Place; readonly mark: MarkRow | null };

function foundText(place: Place, one: PlaceText, tag: string, mark: MarkRow | null): FoundText {
  const text = one.translations[tag] ?? null;
  const state = stateOf(textHash(one.source), text === null ? null : textHash(text), mark ?? undefined);
  return {
    key: { ...place.place, field: one.field },
    title: place.title,
    label: one.label,
    format: one.format,
    source: { tag: place.sourceTag, text: one.source },
    previousSource: state === 'outdated' ? (mark?.source ?? null) : null,
    text,
    state,
    locked: place.locales !== null && !place.locales.includes(tag) ? 'table_language' : one.editable ? null : 'rights',
    place,
    mark,
  };
}

/** Texts of places in one language, in order; none of those that are written in it. */
export async function textsOf(ctx: Context, who: Translator, places: readonly Place[], tag: string, state?: Selection['state']): Promise<FoundText[]> {
  const ids = places.map(({ place }) => place.id);
  const rows = ids.length === 0 ? [] : await marksOfPlaces(ctx.postgres.db, who.site.id, ids, tag);
  const marks = new Map(rows.map((row) => [textKey(row), row]));
  return places
    .filter(({ sourceTag }) => sourceTag !== tag)
    .flatMap((place) => place.texts.map((one) => foundText(place, one, tag, marks.get(textKey({ ...place.place, field: one.field })) ?? null)))
    .filter((text) => isState(text.state, state));
}

/** Texts by key, in any order; those that do not exist or that the person may not see are left out. */
export async function textsByKey(ctx: Context, who: Translator, keys: readonly TextKey[], tag: string): Promise<Map<string, FoundText>> {
  const places = new Map(keys.map(({ field: _field, ...place }) => [placeKey(place), place]));
  const texts = await textsOf(ctx, who, await findPlaces(ctx, who, [...places.values()]), tag);
  const requested = new Set(keys.map(textKey));
  return new Map(texts.map((text) => [textKey(text.key), text] as const).filter(([key]) => requested.has(key)));
}

/** Other languages of the site that an engine can translate from, in their order. */
const sourceTags = (who: Translator, { supports }: Pick<Engine, 'supports'>, tag: string): string[] =>
  who.languages.filter((one) => one !== tag && supports(one, tag));

/**
 * Open texts of places that a machine may translate, each with the source that it gets: its own if the engine can translate from that language. OpenCC, which knows only
 * Chinese, gets the Chinese translation of any other text, unless there is none or it is outdated.
 */
export async function machineTexts(
  ctx: Context,
  who: Translator,
  places: readonly Place[],
  { tag, outdated, engine }: { readonly tag: string; readonly outdated: boolean; readonly engine: Engine },
): Promise<FoundText[]> {
  const open = (await textsOf(ctx, who, places, tag, 'open')).filter(({ locked, state }) => locked === null && (state === 'missing' || outdated));
  const others = new Map<string, FoundText['source']>();
  if (engine.kind === 'opencc' && open.some(({ source }) => !engine.supports(source.tag, tag)))
    for (const from of sourceTags(who, engine, tag))
      for (const { key, text, state } of await textsOf(ctx, who, places, from))
        if (text !== null && state !== 'outdated' && !others.has(textKey(key))) others.set(textKey(key), { tag: from, text });
  return open.flatMap((one) => {
    const source = engine.supports(one.source.tag, tag) ? one.source : others.get(textKey(one.key));
    return source ? [{ ...one, source }] : [];
  });
}

/** The text as the contract has it. */
export const textResponse = ({ place: _place, mark: _mark, ...text }: FoundText): TranslationText => text;
