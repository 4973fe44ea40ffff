// Payload without its Next.js pages: its REST endpoints behind node:http. Runs in the folder of its installation; see payload.ts.
import http from 'node:http';
import { Readable } from 'node:stream';
import { postgresAdapter } from '@payloadcms/db-postgres';
import { buildConfig, getPayload, handleEndpoints } from 'payload';

const { host, user, database, port, secret, apiKey, fields, setUp } = JSON.parse(process.env.PEER_SETTING);
const signedIn = ({ req }) => Boolean(req.user);
const config = buildConfig({
  secret,
  telemetry: false,
  typescript: { autoGenerate: false },
  db: postgresAdapter({ pool: { host, user, database, max: 20 }, push: setUp }),
  collections: [
    { slug: 'users', auth: { useAPIKey: true }, fields: [] },
    { slug: 'items', access: { create: signedIn, read: signedIn, update: signedIn, delete: signedIn }, fields },
  ],
});
const payload = await getPayload({ config });
if (setUp) {
  await payload.create({ collection: 'users', data: { email: 'bench@example.com', password: secret, enableAPIKey: true, apiKey } });
  process.exit(0);
}

async function answerTo(incoming, outgoing) {
  try {
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
    });
    const answer = await handleEndpoints({ config, request });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  } catch (error) {
    console.error(error);
    outgoing.writeHead(500).end();
  }
}
const server = http.createServer((incoming, outgoing) => void answerTo(incoming, outgoing));
server.listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
