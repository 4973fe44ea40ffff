import { robotsTextOf } from '../areas/seo';
import type { Context } from '../context';

export type RobotsTexts = {
  /** What people have written for robots.txt of a site, from memory unless it was changed. */
  readonly of: (siteId: string) => Promise<string>;
  readonly close: () => void;
};

/** In case an event was lost. */
const refreshEvery = 60_000;
const mostSites = 200;

/** Texts of robots.txt in memory. They act at once, so they are not part of the release in memory. */
export function openRobotsTexts(ctx: Context): RobotsTexts {
  const texts = new Map<string, { readonly readAt: number; readonly text: Promise<string> }>();
  const stop = ctx.live.subscribe((event) => {
    if (event.type === 'publishing') texts.delete(event.siteId);
  });
  return {
    of(siteId) {
      const known = texts.get(siteId);
      if (known && ctx.now() - known.readAt < refreshEvery) return known.text;
      if (texts.size >= mostSites) texts.clear();
      const text = robotsTextOf(ctx, siteId);
      texts.set(siteId, { readAt: ctx.now(), text });
      text.catch(() => texts.delete(siteId));
      return text;
    },
    close: stop,
  };
}
