import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';

/** Every way out of a page that the test knows, each of which leads to `PORT` on this machine. */
const attempts = `
  const urls = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1', 'HOSTNAME'].map((host) => 'http://' + host + ':PORT/');
  const work = [
    ...urls.map((url) => fetch(url, { mode: 'no-cors' })),
    fetch('/to-near'),
    fetch('/write', { method: 'POST', body: 'x' }),
    fetch('file:///etc/hostname'),
    navigator.serviceWorker?.register('/worker.js'),
    new Promise((resolve) => { const socket = new WebSocket('ws://127.0.0.1:PORT/'); socket.onerror = socket.onopen = resolve; }),
    new Promise((resolve) => { const worker = new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:PORT/').finally(() => postMessage(1)); importScripts('http://127.0.0.1:PORT/')"]))); worker.onmessage = resolve; worker.onerror = resolve; }),
    new Promise((resolve) => { const events = new EventSource(urls[0]); events.onerror = resolve; }),
    (async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:UDP' }, { urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'a', credential: 'b' }] });
      peer.createDataChannel('x');
      await peer.setLocalDescription(await peer.createOffer());
    })(),
    (async () => new WebTransport('https://127.0.0.1:UDP/').ready)(),
  ];
  navigator.sendBeacon(urls[0], 'x');
  new Image().src = urls[0];
  open(urls[0]);
  for (const [rel, as] of [['prefetch'], ['preconnect'], ['dns-prefetch'], ['preload', 'script'], ['stylesheet'], ['modulepreload']]) {
    const link = document.createElement('link');
    Object.assign(link, { rel, href: urls[0], as: as ?? '' });
    document.head.append(link);
  }
  for (const frame of [{ src: urls[0] }, { srcdoc: '<script src="' + urls[0] + '"><' + '/script>' }, { src: 'data:text/html,<script src="' + urls[0] + '"><' + '/script>' }, { src: 'file:///etc/hostname' }])
    document.body.append(Object.assign(document.createElement('iframe'), frame));
  const form = Object.assign(document.createElement('form'), { action: urls[0], method: 'post', target: '_blank' });
  document.body.append(form);
  form.submit();
  Promise.allSettled(work.map((one) => Promise.race([one, new Promise((resolve) => setTimeout(resolve, 2000))]))).then((results) => {
    root.innerHTML += '<p>' + results.length + ' attempts</p>';
    location.href = urls[0];
  });`;

const appOf = (path: string): string => `
  const root = document.getElementById('root');
  ${
    path === '/traps'
      ? attempts
      : `fetch('/api/tea?n=1', { headers: { 'x-key': '7' } }).then((response) => response.json()).then(({ title }) => setTimeout(() => requestAnimationFrame(() => {
    document.title = title;
    root.innerHTML = '<main><h1>' + title + '</h1><p>${'Green tea from the hills. '.repeat(20)}</p><a href="/only-by-script">More</a><a href="/traps">Traps</a><tea-price></tea-price></main>';
    customElements.define('tea-price', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<b>88 yuan</b>'; } });
  }), 2000));
  fetch('/closed/data');`
  }`;

export type RenderSite = {
  readonly origin: string;
  /** Method, path and the header x-key of each request. */
  readonly requests: string[];
  /** What reached this machine although it must not. */
  readonly reached: string[];
  readonly close: () => void;
};

/** A site whose pages are written by scripts, next to ports that they must not reach. */
export async function startRenderSite(): Promise<RenderSite> {
  const [requests, reached]: [string[], string[]] = [[], []];
  const near = createTcpServer((socket) => {
    socket.once('data', (data) => reached.push(data.toString('latin1').slice(0, 80)));
    reached.push('connection');
  });
  const udp = createSocket('udp4', () => reached.push('datagram'));
  await new Promise<void>((resolve) => near.listen(0, '::', resolve));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const port = String((near.address() as AddressInfo).port);
  const fill = (text: string): string => text.replaceAll('UDP', String(udp.address().port)).replaceAll('PORT', port).replaceAll('HOSTNAME', os.hostname());

  function answer(path: string, response: ServerResponse): void {
    const send = (type: string, body: string): void => void response.writeHead(200, { 'content-type': type }).end(body);
    if (path === '/robots.txt') return send('text/plain', 'User-agent: *\nDisallow: /closed/');
    if (path.startsWith('/app.js')) return send('text/javascript', fill(appOf(path.slice('/app.js?'.length))));
    if (path === '/worker.js') return send('text/javascript', fill(`fetch('http://127.0.0.1:PORT/')`));
    if (path.startsWith('/api/tea')) return send('application/json', JSON.stringify({ title: '绿茶 Green tea' }));
    if (path === '/to-near') return void response.writeHead(302, { location: `http://127.0.0.1:${port}/redirected` }).end();
    if (path === '/' || path === '/traps')
      return send('text/html; charset=utf-8', `<!doctype html><title>Loading</title><div id="root"></div><script src="/app.js?${path}"></script>`);
    if (path === '/only-by-script') return send('text/html', `<!doctype html><title>More</title><h1>More</h1><p>${'A page without scripts. '.repeat(20)}</p>`);
    response.writeHead(404).end();
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push([request.method, path, request.headers['x-key']].filter(Boolean).join(' '));
    answer(path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    reached,
    close: () => {
      for (const one of [server, near, udp]) one.close();
      server.closeAllConnections();
    },
  };
}
