import { matchFilter, matched } from './matchFilter';
import type { MatchMoment } from './matchFilter';
import type { RecordFilter } from './recordFilter';
import type { ResourceKind } from '../resources/terms';
import type { ValueKind } from './terms';

/** Terms and rules of public forms, shared by the server, the console and the public form page. Without zod, to keep the public page small. */

/**
 * The origin of a site, safe for a Content-Security-Policy. Stricter than a URL, whose host may contain `*`, `,` and `;`, which in a policy mean every
 * site, another policy and another directive.
 */
export const isSiteOrigin = (text: string): boolean => /^https?:\/\/(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])(?::\d{1,5})?$/.test(text);

export const openFormLimits = {
  /** Maximum bytes of a submission. */ body: 262_144,
  /** Maximum for a link's limit of answers. */ answers: 1_000_000,
  /** Maximum number of embedding sites. */ embeds: 20,
  /** Maximum for a form's limits of files: bytes of one, and number in one field. */ fileBytes: 64 * 1024 * 1024,
  files: 20,
  /** Hours for which a file is kept without a submission. */ fileHours: 24,
} as const;

/** Types of files that a form may take, by content. */
export const formFileTypes = ['image', 'video', 'audio', 'pdf', 'other'] as const;
export type FormFileType = (typeof formFileTypes)[number];
export function formFileType({ kind, contentType }: { readonly kind: ResourceKind; readonly contentType: string }): FormFileType {
  if (kind === 'image' || kind === 'video') return kind;
  if (contentType.startsWith('audio/')) return 'audio';
  return contentType === 'application/pdf' ? 'pdf' : 'other';
}

export const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

type Conditional = {
  readonly id: string;
  readonly yields: ValueKind;
  readonly required: boolean;
  /** Stored value if nothing is submitted. */ readonly start: unknown;
  readonly conditions: readonly { readonly filter: RecordFilter; readonly then: 'hidden' | 'required' | 'readonly' }[];
};
export type FormState = { /** Can currently be filled in. */ readonly visible: boolean; readonly required: boolean };

/** Repeats `statesOf` until the set of visible fields is stable: a hidden field counts with its default (`start`), which may in turn show or hide others. */
export function settledStates<S>(
  ids: readonly string[],
  values: Readonly<Record<string, unknown>>,
  start: (id: string) => unknown,
  statesOf: (effectiveValues: Readonly<Record<string, unknown>>) => { readonly states: S; readonly away: ReadonlySet<string> },
): S {
  let before: ReadonlySet<string> = new Set();
  for (let round = 0; ; round++) {
    const effectiveValues = { ...values, ...Object.fromEntries([...before].map((id) => [id, start(id)])) };
    const { states, away } = statesOf(effectiveValues);
    if (round >= ids.length || (away.size === before.size && [...away].every((id) => before.has(id)))) return states;
    before = away;
  }
}

/** Which fields of a form are visible and which are required, for the current input. */
export function formStates(fields: readonly Conditional[], values: Readonly<Record<string, unknown>>, at: MatchMoment): ReadonlyMap<string, FormState> {
  const named = fields.map(({ id, yields }) => ({ id, key: id, aliases: [], yields }));
  const starts = new Map(fields.map(({ id, start }) => [id, start]));
  return settledStates(
    fields.map(({ id }) => id),
    values,
    (id) => starts.get(id),
    (effectiveValues) => {
      const record = matched(named, Object.fromEntries(fields.map(({ id }) => [id, effectiveValues[id]])));
      const states = new Map(
        fields.map(({ id, required, conditions }): [string, FormState] => {
          const holds = (then: 'hidden' | 'required' | 'readonly'): boolean =>
            conditions.some((one) => one.then === then && matchFilter(one.filter, record, at));
          return [id, { visible: !holds('hidden') && !holds('readonly'), required: required || holds('required') }];
        }),
      );
      return { states, away: new Set([...states].filter(([, { visible }]) => !visible).map(([id]) => id)) };
    },
  );
}
