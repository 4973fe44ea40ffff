import { pathPatterns } from '../seo/robots';
import { unknownCountry } from './codes';
import { fixedPaths } from './terms';
import type { DecisionReason, RuleAction, RuleMode } from './terms';

/** Whether a request of a visitor is refused. Pure: used by delivery, the tester and the preview alike. */

export type DecidingRule = {
  readonly enabled: boolean;
  readonly mode: RuleMode;
  readonly countries: readonly string[];
  readonly action: RuleAction;
  readonly unknownAction: 'allow' | 'block';
  readonly openPaths: readonly string[];
  readonly bots: 'off' | 'verified';
};

/** Where a request comes from. */
export type Origin = {
  /** ISO 3166-1 alpha-2; null: unknown. Hong Kong, Macao and Taiwan have codes of their own. */
  readonly country: string | null;
  /** Private, loopback or link-local: a health check, or a proxy that is not trusted. */
  readonly isPrivate: boolean;
  /** Whether the address is in a network that the rule leaves open at the moment. */
  readonly isOpen: boolean;
};
export type Visitor = Origin & {
  /** Without its query, with which every page could be made to look like an open path. */
  readonly path: string;
  readonly isVerifiedBot: boolean;
  readonly passedChallenge: boolean;
};

/** `action`: what the visitor gets; `allow` for everything that the rule does not concern. */
export type Decision = { readonly action: 'allow' | RuleAction; readonly reason: DecisionReason };
export type CompiledRule = {
  readonly decide: (visitor: Visitor) => Decision;
  /** Whether `decide` allows all requests from an origin, so that path, crawlers and challenges do not matter. */
  readonly allowsAllFrom: (origin: Origin) => boolean;
};

const isFixed = pathPatterns(fixedPaths);
const allow = (reason: DecisionReason): Decision => ({ action: 'allow', reason });

/** Prepares a rule, so that a decision costs the same for any number of countries. */
export function compileRule(rule: DecidingRule, hasDatabase = true): CompiledRule {
  const countries = new Set(rule.countries);
  const isOpenPath = pathPatterns(rule.openPaths);
  const isRefused = (country: string | null): boolean => {
    const listed = countries.has(country ?? unknownCountry);
    // A list that names unknown countries decides about them; otherwise they have a setting of their own.
    if (country === null && !listed) return rule.unknownAction === 'block';
    return rule.mode === 'deny_listed' ? listed : !listed;
  };
  const decide: CompiledRule['decide'] = ({ path, country, isPrivate, isOpen, isVerifiedBot, passedChallenge }) => {
    if (!rule.enabled) return allow('disabled');
    if (!hasDatabase) return allow('no_database');
    if (isFixed(path)) return allow('fixed_path');
    if (isOpenPath(path)) return allow('open_path');
    if (isOpen) return allow('open_network');
    if (isPrivate) return allow('private_address');
    if (rule.bots === 'verified' && isVerifiedBot) return allow('verified_bot');
    if (!isRefused(country)) return allow('country_allowed');
    if (rule.action === 'challenge' && passedChallenge) return allow('challenge_passed');
    return { action: rule.action, reason: 'country_refused' };
  };
  return {
    decide,
    allowsAllFrom: ({ country, isPrivate, isOpen }) => !rule.enabled || !hasDatabase || isOpen || isPrivate || !isRefused(country),
  };
}

/** The country of a place as analytics stores it: Hong Kong, Macao and Taiwan are provinces of `CN` there, and countries or regions of their own in the address database. */
export function countryOfPlace(country: string, province: string): string | null {
  if (country === 'CN') return /^CN-(HK|MO|TW)$/.exec(province)?.[1] ?? 'CN';
  return country === '' ? null : country;
}
