import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals/attribution';
import type { MetricWithAttribution } from 'web-vitals/attribution';
import type { VitalsBody } from '../contract/vitals/collect';

/**
 * Web vitals of a page, loaded by the tracker after the page view from `collect?SITE#VIEW`, to which it also posts. The tracker requests it again for each further view of the document, which
 * only tells the running script the id of that view. The server answers with an empty script where the site does not collect vitals, and with a share of page
 * loads (`swRate`) before the script where it collects some.
 *
 * Rules are those of the tracker: nothing is sent after an opt-out, no id of the visitor is sent at all, and no error reaches the page. Values are sent when the
 * page is hidden, because they can change until then.
 */
type View = { readonly p: string; readonly l: string; readonly at: number };
type Running = Window & { swVitals?: (view: string) => void; swRate?: number };

const start = (win: Running, doc: Document, nav: Navigator & { connection?: { effectiveType?: string } }): void => {
  const { src } = doc.currentScript as HTMLScriptElement;
  const [, site = '', view = ''] = /\?(\w+)#(\w+)$/.exec(src) as unknown as string[];
  if (win.swVitals) {
    win.swVitals(view);
    return;
  }
  const views: View[] = [];
  let pending: MetricWithAttribution[] = [];
  /** When the navigation of a measurement began, by its id. */
  const began: Record<string, number> = {};
  (win.swVitals = (p) => void views.push({ p, l: location.href, at: performance.now() }))(view);
  if (parseInt(view.slice(0, 4), 16) >= 65536 * (win.swRate ?? 1)) return;

  const optedOut = (): boolean => {
    try {
      return localStorage['_sw'] === 'out';
    } catch {
      return false;
    }
  };
  const send = (): void => {
    if (pending[0] && !optedOut())
      nav.sendBeacon(
        src,
        JSON.stringify(
          {
            s: site,
            c: nav.connection?.effectiveType as string,
            b: nav.webdriver,
            h: pending.map(({ id, name, value, navigationType, attribution }) => {
              // The view that the navigation opened; the tracker names it a moment later.
              const { p, l, at } = views.reduce((best, one) =>
                Math.abs(one.at - (began[id] as number)) < Math.abs(best.at - (began[id] as number)) ? one : best,
              );
              const o = attribution as unknown as Record<string, unknown>;
              return { i: id, p, n: name, v: value, a: performance.now() - at, l, y: navigationType, o };
            }),
          } satisfies VitalsBody,
          // Entries and elements of the page are large, or cannot be serialized.
          (key, part: unknown) => (/Entr|Source$/.test(key) ? undefined : part),
        ),
      );
    pending = [];
  };
  const report = (metric: MetricWithAttribution): void => {
    began[metric.id] ??= metric.navigationStartTime || (metric.navigationType === 'back-forward-cache' ? performance.now() : 0);
    pending = pending.filter(({ id }) => id !== metric.id).concat(metric);
    if (doc.hidden) void Promise.resolve().then(send);
  };
  const all = [onCLS, onFCP, onINP, onLCP, onTTFB] as ((callback: typeof report, options?: { reportSoftNavs: boolean }) => void)[];
  all.forEach((on) => on(report));
  // A second time, so that figures of page loads stay those of the whole page.
  all.forEach((on) => on((metric) => metric.navigationType[0] === 's' && report(metric), { reportSoftNavs: true }));
  addEventListener('visibilitychange', () => doc.hidden && send());
  addEventListener('pagehide', send);
};

try {
  start(window, document, navigator);
} catch {
  // A browser too strange to measure; the page goes on.
}
