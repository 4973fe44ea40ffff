import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { answerOf, startCrawlProcess } from './crawlProcess';
import type { ToCrawl } from './protocol';

type Limits = {
  /** Processes at once. */
  readonly places: number;
  /** Time limit of each in milliseconds, including its start. */
  readonly longest: number;
};
type AnswerType = Parameters<typeof answerOf>[1];

/**
 * Starts a crawl process for a single message, and ends it after the answer. Throws `too_many_requests` while all places are taken, `request_timeout` if the answer takes too
 * long, and an error without a code if the process fails.
 */
export function oneOffProcess<T extends AnswerType>(type: T, { places, longest }: Limits) {
  const active = new WeakMap<Context, number>();

  async function ask(message: ToCrawl) {
    const child = startCrawlProcess();
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      child.kill();
    }, longest);
    try {
      await answerOf(child, 'ready');
      child.send(message);
      return await answerOf(child, type);
    } catch (error) {
      if (isLate) fail('request_timeout', { cause: error });
      throw error;
    } finally {
      clearTimeout(late);
      child.kill();
    }
  }

  return async (ctx: Context, message: ToCrawl) => {
    const running = active.get(ctx) ?? 0;
    if (running >= places) fail('too_many_requests');
    active.set(ctx, running + 1);
    try {
      return await ask(message);
    } finally {
      active.set(ctx, (active.get(ctx) ?? 1) - 1);
    }
  };
}
