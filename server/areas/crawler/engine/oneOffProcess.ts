import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { startCrawlProcess } from './crawlProcess';
import type { FromCrawl, ToCrawl } from './protocol';

type Limits = {
  /** Processes at once. */
  readonly places: number;
  /** Milliseconds of each, its start included. */
  readonly longest: number;
};
type Answer<T extends FromCrawl['type']> = Extract<FromCrawl, { readonly type: T }>;

/**
 * Starts a crawl process for a single message, and ends it after the answer. Throws `too_many_requests` while all places are taken, `request_timeout` if the answer takes too
 * long, and an error without a code if the process fails.
 */
export function oneOffProcess<T extends FromCrawl['type']>(type: T, { places, longest }: Limits) {
  const active = new WeakMap<Context, number>();

  async function answerTo(message: ToCrawl): Promise<Answer<T>> {
    const child = startCrawlProcess();
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      child.kill();
    }, longest);
    try {
      await child.next();
      child.send(message);
      const answer: FromCrawl = await child.next();
      if (answer.type !== type) throw new Error(answer.type === 'failed' ? answer.message : `unexpected message ${answer.type}`);
      return answer as Answer<T>;
    } catch (error) {
      if (isLate) fail('request_timeout', { cause: error });
      throw error;
    } finally {
      clearTimeout(late);
      child.kill();
    }
  }

  return async (ctx: Context, message: ToCrawl): Promise<Answer<T>> => {
    const running = active.get(ctx) ?? 0;
    if (running >= places) fail('too_many_requests');
    active.set(ctx, running + 1);
    try {
      return await answerTo(message);
    } finally {
      active.set(ctx, (active.get(ctx) ?? 1) - 1);
    }
  };
}
