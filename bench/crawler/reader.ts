import { setTimeout as sleep } from 'node:timers/promises';

/** Requests addresses of the console's API in turn, with pauses, as a person who works does, and below the limit of requests of one address. Arguments: seconds, cookie, addresses. Prints the times in ms. */
const [, , seconds = '', cookie = '', ...addresses] = process.argv;
const times: number[] = [];
const end = performance.now() + Number(seconds) * 1000;
for (let at = 0; performance.now() < end; at += 1) {
  const started = performance.now();
  const response = await fetch(addresses[at % addresses.length] ?? '', { headers: { cookie } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  times.push(performance.now() - started);
  await sleep(40);
}
console.log(JSON.stringify(times));
