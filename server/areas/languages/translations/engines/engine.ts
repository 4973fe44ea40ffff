import type { EngineKind, TextFormat } from '../../../../../contract/languages/translationTerms';
import { isIntact } from '../protected';

export type Batch = {
  readonly from: string;
  readonly to: string;
  readonly format: TextFormat;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
};
/** Something that translates. `most`: texts and characters of one call. */
export type Engine = {
  readonly kind: EngineKind;
  readonly most: { readonly texts: number; readonly characters: number };
  readonly supports: (from: string, to: string) => boolean;
  /** Translations in the order of the texts. Throws `engine_refused` or `engine_unreachable`. */
  readonly translate: (batch: Batch) => Promise<readonly string[]>;
};

/** Terms with fixed translations for one pair of languages. */
export type Term = { readonly source: string; readonly target: string };

/** A text whose terms are placeholders, and a way to put their translations in their place. */
export function maskTerms(text: string, terms: readonly Term[]): { readonly masked: string; readonly unmask: (translation: string) => string } {
  const targets: string[] = [];
  let masked = text;
  // Longer terms first, so that one that contains another is not cut.
  for (const { source, target } of terms.toSorted((a, b) => b.source.length - a.source.length)) {
    if (!masked.includes(source)) continue;
    masked = masked.replaceAll(source, `{term_${targets.push(target) - 1}}`);
  }
  return { masked, unmask: (translation) => translation.replaceAll(/\{term_(\d+)\}/g, (all, at: string) => targets[Number(at)] ?? all) };
}

/** Groups of texts that fit into one call, in order. */
export function batchesOf<T>(items: readonly T[], lengthOf: (item: T) => number, { texts, characters }: Engine['most']): T[][] {
  const batches: T[][] = [];
  let size = 0;
  for (const item of items) {
    const length = lengthOf(item);
    const last = batches.at(-1);
    if (last && last.length < texts && size + length <= characters) {
      last.push(item);
      size += length;
    } else {
      batches.push([item]);
      size = length;
    }
  }
  return batches;
}

/** Translates texts with the terms of a glossary. null: the translation lacks a placeholder or a tag of its source, and is not used. */
export async function translateAll(engine: Engine, batch: Batch, terms: readonly Term[]): Promise<(string | null)[]> {
  const masks = batch.texts.map((text) => maskTerms(text, terms));
  const translations = await engine.translate({ ...batch, texts: masks.map(({ masked }) => masked) });
  return masks.map(({ masked, unmask }, at) => {
    const translation = translations[at];
    return translation !== undefined && translation.trim() !== '' && isIntact(masked, translation, batch.format) ? unmask(translation) : null;
  });
}
