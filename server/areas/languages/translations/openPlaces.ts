import type { TextPlace, TranslateInput } from '../../../../contract/languages/translations';
import { translationLimits } from '../../../../contract/languages/translationTerms';
import type { Context } from '../../../context';
import type { Engine } from './engines/engine';
import { findPlaces } from './places';
import { placeKey } from './states';
import { selected, surveyOf } from './survey';
import { machineTexts } from './texts';
import type { Translator } from './translator';

const atOnce = 200;
type Scope = Pick<TranslateInput, 'tag' | 'places' | 'entity' | 'group' | 'outdated'>;

/** Places with texts that a machine may translate, the most visited first. */
export async function openPlaces(ctx: Context, who: Translator, { tag, places, entity, group, outdated }: Scope): Promise<TextPlace[]> {
  const survey = await surveyOf(ctx, who, { entity, group });
  const named = places === undefined ? null : new Set(places.map(placeKey));
  return selected(survey, { tag, state: outdated ? 'open' : 'missing' })
    .map(({ place }) => place)
    .filter((place) => named === null || named.has(placeKey(place)));
}

/** Texts and characters that a machine would translate; stops at the limit of one job. */
export async function costOf(ctx: Context, who: Translator, requested: Scope, engine: Engine): Promise<{ texts: number; characters: number }> {
  const places = await openPlaces(ctx, who, requested);
  const cost = { texts: 0, characters: 0 };
  for (let from = 0; from < places.length && cost.characters < translationLimits.characters; from += atOnce)
    for (const { source } of await machineTexts(ctx, who, await findPlaces(ctx, who, places.slice(from, from + atOnce)), { ...requested, engine })) {
      if (cost.characters + source.text.length > translationLimits.characters) return cost;
      cost.texts++;
      cost.characters += source.text.length;
    }
  return cost;
}
