import type { Locator, Page } from '@playwright/test';

type Point = { readonly x: number; readonly y: number };

/** Fingers on a page with `hasTouch`, as the touch events of the device: the browser decides itself what scrolls. */
export async function createFinger(page: Page) {
  const protocol = await page.context().newCDPSession(page);
  let place: Point = { x: 0, y: 0 };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    protocol.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  return {
    press: async (target: Locator): Promise<void> => {
      const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      place = { x: x + width / 2, y: y + height / 2 };
      await send('touchStart', [place]);
    },
    move: async (to: Point): Promise<void> => {
      const from = place;
      for (const part of [0.25, 0.5, 0.75, 1]) {
        place = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
        await send('touchMove', [place]);
      }
    },
    /** A second finger touches the screen. */
    addSecond: () => send('touchStart', [place, { x: place.x, y: place.y + 120 }]),
    lift: () => send('touchEnd', []),
  };
}
