import type { NavigationType, VitalMetric } from './terms';

/**
 * Body that `tracker/v.ts` sends to `POST /collect?SITE` (and `/_a/collect?SITE` on delivered sites) as text/plain JSON. A value is identified by `i`: of several with the same id
 * the last one counts. Names have one letter because the script has a budget.
 */
export const vitalsLimits = {
  /** Maximum size of a request body in bytes. */
  bodyBytes: 64 * 1024,
  valuesPerRequest: 50,
  ageMs: 24 * 3600 * 1000,
  /** Characters of a text within an attribution; longer texts are truncated. */
  attributionText: 300,
} as const;

export type VitalValue = {
  /** Id of the measurement, unique in the browser. */
  i: string;
  /** The page view (16 hex digits). */
  p: string;
  n: Uppercase<VitalMetric>;
  v: number;
  /** Milliseconds between the view and the request. */
  a: number;
  /** URL of the page. */
  l: string;
  y: NavigationType;
  /** What the library says about the cause; the server picks what it stores. */
  o?: Record<string, unknown>;
};
export type VitalsBody = {
  s: string;
  /** `navigator.connection.effectiveType`. */
  c?: string;
  /** True when the browser reports that a program drives it. */
  b?: boolean;
  h: VitalValue[];
};
