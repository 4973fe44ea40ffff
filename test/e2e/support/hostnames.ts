import { startNameServer, type NameServer } from '../../support/nsd';
import { startOffice, test as base } from './accounts';

/** The program asks a name server of these tests. The addresses are those of a private network, so only the TXT record proves who owns a hostname below `test`. */
export const test = base.extend<object, { dns: NameServer }>({
  dns: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startNameServer('test');
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  office: [
    async ({ dns }, use) => {
      const office = await startOffice('--dns-servers', dns.address, '--sites-addresses', '127.0.0.1');
      await use(office);
      await office.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
