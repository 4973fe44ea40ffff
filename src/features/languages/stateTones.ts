import type { TranslationState } from '@contract/languages/translationTerms';

/** What the states mean, for their tags. */
export const stateTones = { missing: 'bad', outdated: 'warning', machine: 'info', draft: 'info', reviewed: 'good' } as const satisfies Readonly<
  Record<TranslationState, string>
>;
