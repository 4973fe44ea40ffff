import type { EngineKind, TextFormat } from '../../../../../contract/languages/translationTerms';
import { isIntact, piecesOf } from '../protected';

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

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** A text whose terms are placeholders, and a way to put their translations in their place. What has to stay as it is, such as addresses in tags, contains no terms. */
export function maskTerms(
  text: string,
  terms: readonly Term[],
  format: TextFormat = 'text',
): { readonly masked: string; readonly unmask: (translation: string) => string } {
  const targets: string[] = [];
  const unmask = (translation: string): string => translation.replaceAll(/\{term_(\d+)\}/g, (all, at: string) => targets[Number(at)] ?? all);
  // Longer terms first, so that one that contains another is not cut.
  const present = terms.filter(({ source }) => text.includes(source)).toSorted((a, b) => b.source.length - a.source.length);
  if (present.length === 0) return { masked: text, unmask };
  const bySource = new Map(present.toReversed().map(({ source, target }) => [source, target]));
  const any = new RegExp(present.map(({ source }) => literal(source)).join('|'), 'g');
  const mask = (piece: string): string => piece.replaceAll(any, (source) => `{term_${targets.push(bySource.get(source) ?? source) - 1}}`);
  const masked = piecesOf(text, format)
    .map((piece, at) => (at % 2 === 0 ? mask(piece) : piece))
    .join('');
  return { masked, unmask };
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
  const masks = batch.texts.map((text) => maskTerms(text, terms, batch.format));
  const translations = await engine.translate({ ...batch, texts: masks.map(({ masked }) => masked) });
  return masks.map(({ masked, unmask }, at) => {
    const translation = translations[at];
    return translation !== undefined && translation.trim() !== '' && isIntact(masked, translation, batch.format) ? unmask(translation) : null;
  });
}
