import { CountryRule, initialCountryRule } from '@contract/countryBlock/schemas';
import { useDebounced } from '@/lib/useDebounced';
import { usePreviewCountryRuleQuery } from './countryBlockApi';

/** What the rule in the form would have done, and what its author should know. Follows the form; `rule`: null while it is incomplete. */
export function useRulePreview(siteId: string, input: unknown) {
  const parsed = CountryRule.safeParse(useDebounced(input, 400));
  const rule = parsed.success ? parsed.data : null;
  const result = usePreviewCountryRuleQuery({ siteId, body: { rule: rule ?? initialCountryRule } }, { skip: rule === null });
  return { rule, result };
}
