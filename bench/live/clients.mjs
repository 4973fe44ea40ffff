/** Browsers of the benchmark: a stream each; reports the delay of every message by the time that it contains. Started by run.ts with a list of visitors. */
import http from 'node:http';

const now = () => performance.timeOrigin + performance.now();
const agent = new http.Agent({ maxSockets: Infinity, keepAlive: false });

function open({ port, host, site, id, token }) {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'x-visitor': token,
      'last-event-id': '1',
      'x-forwarded-for': `10.${Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 250)}.7`,
    };
    const request = http.get({ port, host: '127.0.0.1', path: `/_cs/conversations/${id}/events?s=${site}`, headers, agent });
    request.on('error', reject);
    request.on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream was refused: ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        for (const [, sent] of chunk.matchAll(/"text":"bench ([\d.]+)"/g)) process.send({ delay: now() - Number(sent) });
      });
      response.on('close', () => process.send({ closed: true }));
      resolve();
    });
  });
}

async function openAll(streams) {
  // Two hundred at a time, as fast as a busy morning.
  for (let at = 0; at < streams.length; at += 200) await Promise.all(streams.slice(at, at + 200).map(open));
  process.send({ opened: streams.length });
}
process.on('message', (streams) => void openAll(streams));
