import { fail } from '../../../../http/failure';
import { ConnectRefused, sendRequest } from '../../../../net/publicAddress';
import { readBody } from '../../../../net/readText';

const timeout = 30_000;
const mostBytes = 8 * 1024 ** 2;

export type ServiceCall = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowNear: boolean;
  readonly stop: AbortSignal;
};

/** Posts to a public address and reads JSON; `json` is null if the response is not JSON. Throws `engine_unreachable`, which may pass by itself, and `engine_refused` for addresses that may not be called. */
export async function callService({ url, headers, body, allowNear, stop }: ServiceCall): Promise<{ readonly status: number; readonly json: unknown }> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), stop]);
  try {
    const response = await sendRequest(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Sitewright-Translation/1' }, body, signal },
      { allowNear },
    );
    const content = (await readBody(response, mostBytes, signal)).toString('utf8');
    return { status: response.statusCode ?? 0, json: parsed(content) };
  } catch (error) {
    if (error instanceof ConnectRefused) return fail(error.code === 'address_refused' ? 'engine_refused' : 'engine_unreachable', { cause: error });
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
