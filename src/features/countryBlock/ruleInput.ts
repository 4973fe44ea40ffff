import { z } from 'zod';
import { CountryRule } from '@contract/countryBlock/schemas';
import { safeText } from '@contract/text';
import { textsFor, withoutEmpty } from '@/lib/languageTexts';

/** What the form edits: the rule, and why it was changed. */
export const RuleInput = z.object({ rule: CountryRule, note: safeText(200) });
export type RuleInput = z.input<typeof RuleInput>;
export type ParsedRule = z.output<typeof RuleInput>;

/** A stored rule in the form, with a message in the site's language, empty if there is none. */
export const inputOf = (rule: CountryRule, defaultLang: string): RuleInput => ({
  rule: { ...rule, message: textsFor([defaultLang], rule.message) },
  note: '',
});

/** The rule as it is stored: without empty messages. */
export const ruleOf = ({ rule }: ParsedRule): CountryRule => ({
  ...rule,
  message: withoutEmpty(rule.message),
});
