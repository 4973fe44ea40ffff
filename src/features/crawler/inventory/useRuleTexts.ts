import { useTranslation } from 'react-i18next';
import type { RuleId } from '@contract/crawler/rules';
import { isRuleId } from '@contract/crawler/rules';

type Detail = Readonly<Record<string, string | number>>;
export type RuleTexts = {
  readonly title: (rule: string) => string;
  readonly why: (rule: string) => string;
  readonly how: (rule: string) => string;
  /** What exactly was found. */
  readonly detail: (rule: string, detail: Detail) => string;
};

/** Texts of the rules in the reader's language; a rule that this version does not know is shown by its id. */
export function useRuleTexts(): RuleTexts {
  const { t } = useTranslation('crawlRules');
  const of =
    (part: 'name' | 'why' | 'fix') =>
    (rule: string): string =>
      isRuleId(rule) ? t(`${rule satisfies RuleId}.${part}`) : part === 'name' ? rule : '';
  return {
    title: of('name'),
    why: of('why'),
    how: of('fix'),
    detail: (rule, detail) =>
      Object.entries(detail)
        .map(([, value]) => String(value))
        .join(' · '),
  };
}
