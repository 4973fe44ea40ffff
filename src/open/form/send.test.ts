import type { FormResult, OpenForm } from '@contract/tables/forms';
import type { Link, Sent } from '../call';
import { sendAnswer } from './send';

const refused = (status: number, more: Partial<Extract<Sent<FormResult>, { ok: false }>> = {}): Sent<FormResult> => ({
  ok: false,
  status,
  fields: {},
  retryAfter: 0,
  ...more,
});

/** Sends to a server that answers with `answers` in turn; resolves to the result and the keys of all attempts. */
async function send(answers: readonly Sent<FormResult>[], fresh: OpenForm | null = null) {
  const left = [...answers];
  const attempts: { key: string; body: object }[] = [];
  const link = {
    send: (_path: string, _locale: string, key: string, body: object) => {
      attempts.push({ key, body });
      return Promise.resolve(left.shift());
    },
  } as unknown as Link;
  const result = await sendAnswer({ link, locale: 'en', key: 'k', stamp: 'first', body: (stamp) => ({ stamp }), onAsk: () => Promise.resolve(fresh) });
  return { result, attempts };
}

test('a short wait is observed, with at most three retries of a key', async () => {
  const { result, attempts } = await send([refused(429), refused(429), refused(429), refused(429)]);
  expect(result).toMatchObject({ ok: false, status: 429 });
  expect(attempts.map(({ key }) => key)).toEqual(['k', 'k', 'k']);
});

test('a long wait is left to the visitor', async () => {
  expect((await send([refused(429, { retryAfter: 60 })])).attempts).toHaveLength(1);
});

test('an old stamp is not sent again if the form has ended', async () => {
  expect((await send([refused(422, { fields: { stamp: { code: 'pattern' } } })])).attempts).toHaveLength(1);
});
