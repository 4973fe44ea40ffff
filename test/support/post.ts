import { once } from 'node:events';
import { request } from 'node:http';
import type { Agent, IncomingMessage } from 'node:http';

/** Sends a body to the collector of a program; returns the status, 0 if the connection broke. */
export async function post(agent: Agent, port: number, body: string, address: string): Promise<number> {
  const call = request({
    agent,
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/collect',
    headers: { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body), 'x-forwarded-for': address },
  });
  call.end(body);
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  } catch {
    return 0;
  }
}
