import { tableFormCalls } from '@contract/tables/calls';
import type { FormResult, OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { Link, Sent } from '../call';

/** Maximum number of seconds that the page waits before it retries on its own. */
export const longestWait = 5;
/** Maximum number of attempts per press of the button, or per file. */
export const mostTries = 3;
export const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

type Sending = {
  readonly link: Link;
  readonly locale: UiLocale;
  /** All attempts with the same key create one record. */
  readonly key: string;
  readonly stamp: string;
  readonly body: (stamp: string) => object;
  /** Refetches the form; null where it no longer accepts answers. */
  readonly onAsk: () => Promise<OpenForm | null>;
};

/** Sends an answer, and again where a short wait or a new stamp helps. */
export async function sendAnswer({ link, locale, key, stamp: first, body, onAsk }: Sending): Promise<Sent<FormResult>> {
  let stamp = first;
  for (let tries = 1; ; tries++) {
    const result = await link.send<FormResult>(tableFormCalls.sendForm.path, locale, key, body(stamp));
    if (result.ok) return result;
    const { status } = result;
    if (status === 429 && result.retryAfter <= longestWait && tries < mostTries) {
      await pause(result.retryAfter);
      continue;
    }
    if (status === 422 && 'stamp' in result.fields && tries < mostTries) {
      // The stamp is too old or has been used too often: the input is sent again with a new one.
      const fresh = await onAsk();
      if (fresh) {
        ({ stamp } = fresh);
        await pause(2);
        continue;
      }
    }
    return result;
  }
}
