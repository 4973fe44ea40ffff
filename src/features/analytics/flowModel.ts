import type { Flow } from '@contract/analytics/schemas';

export type FlowStep = {
  readonly id: string;
  readonly kind: 'source' | 'page' | 'again' | 'exit' | 'rest';
  /** A path, or the key of a source. */ readonly key: string;
  readonly sourceType?: Flow['sources'][number]['sourceType'];
  readonly views: number;
  /** Share of the page's views, 0…1. */ readonly share: number;
};

/** Neighbours shown by name on one side; the others are merged into one step. */
const mostSteps = 9;

const side = (steps: readonly FlowStep[], views: number): readonly FlowStep[] => {
  const known = steps.filter((step) => step.views > 0).toSorted((a, b) => b.views - a.views);
  const named = known.length > mostSteps + 1 ? known.slice(0, mostSteps) : known;
  // Includes what the server did not name: each side adds up to the page's views.
  const rest = views - named.reduce((sum, step) => sum + step.views, 0);
  return rest <= 0 ? named : [...named, { id: 'rest', kind: 'rest', key: '', views: rest, share: views === 0 ? 0 : rest / views }];
};
const part = (views: number, whole: number): number => (whole === 0 ? 0 : views / whole);

/** What came before the views of a page: sources of visits that began with it, pages, the page itself. Adds up to its views. */
export const stepsBefore = (flow: Flow): readonly FlowStep[] =>
  side(
    [
      ...flow.sources.map(({ sourceType, sourceName, views, share }): FlowStep => ({
        id: `source ${sourceType} ${sourceName}`,
        kind: 'source',
        key: sourceName,
        sourceType,
        views,
        share,
      })),
      ...flow.upstream.map(({ path, views, share }): FlowStep => ({ id: `page ${path}`, kind: 'page', key: path, views, share })),
      { id: 'again', kind: 'again', key: flow.path, views: flow.again, share: part(flow.again, flow.views) },
    ],
    flow.views,
  );

/** What came after them: pages, the page itself, the end of the visit. Adds up to its views. */
export const stepsAfter = (flow: Flow): readonly FlowStep[] =>
  side(
    [
      ...flow.downstream.map(({ path, views, share }): FlowStep => ({ id: `page ${path}`, kind: 'page', key: path, views, share })),
      { id: 'exit', kind: 'exit', key: '', views: flow.exits, share: part(flow.exits, flow.views) },
      { id: 'again', kind: 'again', key: flow.path, views: flow.againNext, share: part(flow.againNext, flow.views) },
    ],
    flow.views,
  );

export type Ribbon = {
  /** Top and height of the step's box. */ readonly y: number;
  readonly h: number;
  /** Top and height of the stream where it meets the page. */ readonly atY: number;
  readonly atH: number;
};

/**
 * Heights of the steps of one side, in pixels of a drawing `height` tall: proportional to their shares, but at least `least`, so that every name is
 * legible; the streams at the page keep the true proportions.
 */
export const ribbons = (shares: readonly number[], height: number, least: number, gap: number): readonly Ribbon[] => {
  const available = height - gap * Math.max(0, shares.length - 1);
  const small = shares.filter((share) => share * available < least).length;
  const large = shares.filter((share) => share * available >= least).reduce((sum, share) => sum + share, 0);
  const left = Math.max(0, available - small * least);
  let y = 0;
  let atY = 0;
  return shares.map((share) => {
    const h = share * available < least ? least : (share / (large || 1)) * left;
    const one = { y, h: Math.max(least, h), atY, atH: share * height };
    y += one.h + gap;
    atY += one.atH;
    return one;
  });
};
