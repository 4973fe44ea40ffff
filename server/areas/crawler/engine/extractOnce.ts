import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { startCrawlProcess } from './crawlProcess';
import type { Extraction, RowValues, Source } from './extract';

/** Previews at once. */
const places = 4;
/** Milliseconds of a preview, the start of its process included. */
const longest = 10_000;

const active = new WeakMap<Context, number>();

/**
 * The rows that an extraction finds in a page, in a process of its own: selectors such as `a ~ b ~ c` take quadratic time, and the program has other requests to answer.
 * Throws `request_timeout` if it takes too long, `too_many_requests` while `places` others are made.
 */
export async function extractOnce(ctx: Context, page: Source, extraction: Extraction): Promise<readonly RowValues[]> {
  const running = active.get(ctx) ?? 0;
  if (running >= places) fail('too_many_requests');
  active.set(ctx, running + 1);
  const child = startCrawlProcess();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill();
  }, longest);
  try {
    await child.next();
    child.send({ type: 'extract', page, extraction });
    const message = await child.next();
    if (message.type !== 'extracted') throw new Error(message.type === 'failed' ? message.message : `unexpected message ${message.type}`);
    return message.rows;
  } catch (error) {
    if (isLate) fail('request_timeout');
    throw error;
  } finally {
    clearTimeout(late);
    child.kill();
    active.set(ctx, (active.get(ctx) ?? 1) - 1);
  }
}
