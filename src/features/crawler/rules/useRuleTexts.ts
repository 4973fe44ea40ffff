import { useTranslation } from 'react-i18next';
import { isRuleId } from '@contract/crawler/rules';
import type { RuleId } from '@contract/crawler/rules';

type Detail = Readonly<Record<string, string | number>>;
type Text = 'name' | 'why' | 'fix' | 'bad' | 'good';

/** Texts of the rules in the reader's language. A rule that this version does not know has its id as name and no other text. */
export type RuleTexts = {
  readonly text: (rule: string, text: Text) => string;
  /** One line that says what exactly was found. */
  readonly found: (rule: string, detail: Detail) => string;
};

/** The number on which the plural of a text depends. */
function countOf({ count, visits, units, days }: Detail): { readonly count?: number } {
  const number = count ?? visits ?? units ?? days;
  return typeof number === 'number' ? { count: number } : {};
}

export function useRuleTexts(): RuleTexts {
  const { t } = useTranslation('crawlRules');
  // Rules that find several things have one text for each, chosen by the detail; which those are is data, so keys cannot be typed.
  const lookUp = t as (keys: readonly string[], values: Detail) => string;
  const found = (rule: RuleId, detail: Detail): string =>
    lookUp([`rule.${rule}.found.${detail.kind ?? detail.code ?? detail.reason ?? 'none'}`, `rule.${rule}.found`], { ...detail, ...countOf(detail) });
  return {
    text: (rule, text) => (isRuleId(rule) ? t(`rule.${rule}.${text}`) : text === 'name' ? rule : ''),
    found: (rule, detail) => (isRuleId(rule) ? found(rule, detail) : Object.values(detail).join(' · ')),
  };
}
