import { open } from 'node:fs/promises';
import { sendRequest } from './publicAddress';
import { readBody } from './readText';

const timeout = 30_000;

/** At most `bytes` of a text that the operator of this program names: a file, or an http address, which may be a mirror of the local network. */
export async function publishedText(source: string, bytes: number): Promise<string> {
  if (!/^https?:/i.test(source)) {
    const file = await open(source);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  }
  const signal = AbortSignal.timeout(timeout);
  const response = await sendRequest(new URL(source), { headers: { accept: 'application/json', 'user-agent': 'Sitewright/1' }, signal }, { allowNear: true });
  const body = (await readBody(response, bytes, signal)).toString('utf8');
  if (response.statusCode !== 200) throw new Error(`status ${String(response.statusCode)}`);
  return body;
}
