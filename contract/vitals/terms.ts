/** Web vitals: constants and types without zod. Values are milliseconds, those of `cls` a score without a unit. */
export const vitalMetrics = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;
export type VitalMetric = (typeof vitalMetrics)[number];
/** The three that decide whether a site passes. */
export const coreMetrics = ['lcp', 'inp', 'cls'] as const satisfies readonly VitalMetric[];

/** Up to the first value a metric is good, above the second it is poor (web.dev/articles/defining-core-web-vitals-thresholds). */
export const thresholds: Readonly<Record<VitalMetric, readonly [good: number, poor: number]>> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
};
export const ratings = ['good', 'needs', 'poor'] as const;
export type Rating = (typeof ratings)[number];
export const ratingOf = (metric: VitalMetric, value: number): Rating => {
  const [good, poor] = thresholds[metric];
  return value <= good ? 'good' : value <= poor ? 'needs' : 'poor';
};

/** Larger values are refused: no page that somebody waits for takes so long. */
export const largestValue: Readonly<Record<VitalMetric, number>> = { lcp: 60_000, inp: 30_000, cls: 50, fcp: 60_000, ttfb: 60_000 };

export const percentiles = [50, 75, 90, 95, 99] as const;
export type Percentile = (typeof percentiles)[number];
/** With fewer values there is no verdict. */
export const leastForVerdict = 75;

export const navigationTypes = ['navigate', 'reload', 'back-forward', 'back-forward-cache', 'prerender', 'restore', 'soft-navigation'] as const;
export type NavigationType = (typeof navigationTypes)[number];
/** `navigator.connection.effectiveType`; '' if the browser does not report it. */
export const connectionTypes = ['', 'slow-2g', '2g', '3g', '4g'] as const;

/** Properties by which figures are broken down and filtered. `family`: the family of the path (`contract/crawler/urlFamily.ts`). */
export const vitalDimensions = ['family', 'path', 'device', 'country', 'browser', 'connection', 'navigation'] as const;
export type VitalDimension = (typeof vitalDimensions)[number];

/** Parts of a metric that add up to it, in order of time. */
export const subParts = {
  lcp: ['timeToFirstByte', 'resourceLoadDelay', 'resourceLoadDuration', 'elementRenderDelay'],
  inp: ['inputDelay', 'processingDuration', 'presentationDelay'],
  cls: [],
  fcp: ['timeToFirstByte', 'firstByteToFCP'],
  ttfb: ['waitingDuration', 'cacheDuration', 'dnsDuration', 'connectionDuration', 'requestDuration'],
} as const satisfies Record<VitalMetric, readonly string[]>;
export type SubPart = (typeof subParts)[VitalMetric][number];

/** Upper ends of the fine bins of a histogram; the thresholds are among them, so that bins never straddle a rating. The last bin is open. */
export const binEnds: Readonly<Record<VitalMetric, readonly number[]>> = {
  lcp: [500, 1000, 1500, 2000, 2500, 2750, 3000, 3250, 3500, 3750, 4000, 4500, 5000, 5500, 6000, 7000, 8000, 9000, 10_000],
  inp: [25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000],
  cls: [0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.125, 0.15, 0.175, 0.2, 0.225, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1],
  fcp: [300, 600, 900, 1200, 1500, 1800, 2000, 2200, 2400, 2600, 2800, 3000, 3500, 4000, 4500, 5000, 6000, 7000, 8000],
  ttfb: [100, 200, 300, 400, 500, 600, 700, 800, 1000, 1200, 1400, 1600, 1800, 2100, 2400, 2700, 3000, 4000, 5000],
};

/** Devices that figures can be filtered by, and that a budget can be limited to. */
export const vitalDevices = ['desktop', 'mobile', 'tablet'] as const;
/** '': all devices. */
export type BudgetDevice = (typeof vitalDevices)[number] | '';
/** Most budgets of one site. */
export const mostBudgets = 30;
/** Days over which a budget is evaluated, today included. */
export const budgetDays = 7;
export const budgetStates = ['unknown', 'within', 'exceeded'] as const;
export type BudgetState = (typeof budgetStates)[number];
