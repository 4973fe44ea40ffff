import type { CDPSession, Page } from '@playwright/test';

/** How much slower the processor of the page is than this machine's. */
const slower = 4;
/** What somebody who looks for a site does with a wheel or a finger. */
const gesture = { distance: 12_000, speed: 3000 } as const;

/** Times between two frames in ms, and the time in ms that the main thread computes for 1 000 px, whatever else the machine does. */
export type ScrollFrames = { readonly p50: number; readonly p95: number; readonly worst: number; readonly work: number };

/** Records the times of frames until the returned function is called. */
function record(): () => readonly number[] {
  const times: number[] = [];
  let [last, running] = [performance.now(), true];
  const frame = (now: number): void => {
    times.push(now - last);
    last = now;
    if (running) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return () => {
    running = false;
    return times.slice(2);
  };
}

async function scroll(session: CDPSession, { x, y }: { x: number; y: number }, distance: number): Promise<void> {
  await session.send('Input.synthesizeScrollGesture', { x, y, yDistance: -distance, speed: gesture.speed, gestureSourceType: 'mouse', preventFling: true });
}

/** Scrolls through the list that is open, down and up, on a processor four times as slow. */
export async function measureScroll(page: Page): Promise<ScrollFrames> {
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  try {
    const before = await busy();
    const recorder = await page.evaluateHandle(record);
    for (const distance of [gesture.distance, -gesture.distance]) await scroll(session, { x: width / 2, y: height / 2 }, distance);
    const work = ((await busy()) - before) / ((2 * gesture.distance) / 1000);
    const sorted = (await recorder.evaluate((stop) => stop())).toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
    return { p50: at(0.5), p95: at(0.95), worst: at(1), work };
  } finally {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await session.detach();
  }
}
