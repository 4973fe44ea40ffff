import { createHash } from 'node:crypto';
import type { TextKey, TextPlace } from '../../../../contract/languages/translations';
import type { MarkedState, TranslatedEntity, TranslationState } from '../../../../contract/languages/translationTerms';
import { translatedEntities } from '../../../../contract/languages/translationTerms';

/** Hash of a text, by which marks remember it: the first 32 hex digits of its SHA-256. PostgreSQL computes the same in `recordHashes`. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Names in maps. */
export const placeKey = ({ entity, group, id }: TextPlace): string => `${entity}:${group}:${id}`;
export const textKey = ({ entity, group, id, field }: TextKey): string => JSON.stringify([entity, group, id, field]);

export type Mark = { readonly state: MarkedState; readonly sourceHash: string; readonly textHash: string };

/**
 * The state of a translation. `text`: hash of the translation, null without one. A mark of another text does not count: a person has written this one elsewhere, which
 * is taken as reviewed.
 */
export function stateOf(source: string, text: string | null, mark: Mark | undefined): TranslationState {
  if (text === null) return 'missing';
  if (mark === undefined || mark.textHash !== text) return 'reviewed';
  return mark.sourceHash === source ? mark.state : 'outdated';
}

export type Counts = Record<TranslationState, number>;
export const noCounts = (): Counts => ({ missing: 0, outdated: 0, machine: 0, draft: 0, reviewed: 0 });
export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0);

/** Whether a place has a text in the state; `open`: one that somebody has to translate. */
export const hasState = (counts: Counts | undefined, state: TranslationState | 'open'): boolean =>
  counts !== undefined && (state === 'open' ? counts.missing + counts.outdated > 0 : counts[state] > 0);
export const isState = (state: TranslationState, filter: TranslationState | 'open' | undefined): boolean =>
  filter === undefined || (filter === 'open' ? state === 'missing' || state === 'outdated' : state === filter);

const escaped = (part: string): string => part.replaceAll(/[%:\s]/gu, (character) => encodeURIComponent(character));

/** Name of a text in files: `record:t_…:0192…:f_…`. The parts contain neither colons nor spaces. */
export const textId = ({ entity, group, id, field }: TextKey): string => [entity, group, id, field].map(escaped).join(':');

/** The inverse of `textId`; null: not the name of a text. */
export function readTextId(name: string): TextKey | null {
  const parts = name.trim().split(':');
  if (parts.length !== 4) return null;
  try {
    const [entity = '', group = '', id = '', field = ''] = parts.map((part) => decodeURIComponent(part));
    const known = translatedEntities.find((one): one is TranslatedEntity => one === entity);
    return known === undefined || field === '' ? null : { entity: known, group, id, field };
  } catch {
    return null;
  }
}
