import { buffer, text } from 'node:stream/consumers';
import type { Context } from '../../context';
import { networkFinder } from '../../net/networks';
import { readNetworks } from '../../net/readNetworks';
import type { FileKey } from '../../stores/files/keys';
import { readAddress } from './address';
import { installedDatabase, openCountryDatabase } from './country';
import type { CountryDatabase } from './country';

/** The database of countries and the exits of Tor as this process knows them. Other processes replace the files, which are read again without a restart. */

export const databaseKey = 'countries/database.mmdb' satisfies FileKey;
export const torKey = 'countries/tor.json' satisfies FileKey;

/** The list of exits, as it is stored. `at`: when it was last read from its source, epoch ms. */
export type StoredTorExits = {
  readonly source: string;
  readonly at: number;
  readonly etag: string | null;
  readonly modified: string | null;
  /** `203.0.113.9` or `203.0.113.0/28`. */
  readonly networks: readonly string[];
};
export type TorExits = Pick<StoredTorExits, 'at' | 'networks'> & { readonly contains: (address: string) => boolean };

export type Countries = {
  /** The newest of the installed and the downloaded database. */
  readonly database: () => CountryDatabase;
  /** null: there is no list. */
  readonly tor: () => TorExits | null;
  /** Reads what has changed. */
  readonly refresh: () => Promise<void>;
};

type Needs = Pick<Context, 'files' | 'live' | 'log' | 'now'> & {
  readonly config: Pick<Context['config'], 'countryDatabase' | 'countryDatabaseUrl' | 'torExits'>;
};

const minute = 60_000;
/** How often files are looked at although no process has said that they changed. */
const lookAgainAfter = 10 * minute;

/** Reads a file when it is another one than before: by its time and size, as each of its versions replaces the one before as a whole. */
function openChanging<T>(
  { files }: Needs,
  key: FileKey,
  read: (content: NodeJS.ReadableStream) => Promise<T>,
): { readonly value: () => T | null; readonly look: () => Promise<void> } {
  let value: T | null = null;
  let version = '';
  return {
    value: () => value,
    async look() {
      const found = await files.stat(key);
      const current = found === null ? '' : `${String(found.modifiedAt)} ${String(found.size)}`;
      if (current === version) return;
      value = found === null ? null : await read(files.read(key));
      version = current;
    },
  };
}

function exitsOf({ at, networks }: StoredTorExits): TorExits {
  const finder = networkFinder(readNetworks(networks.join('\n'), 0).networks);
  return {
    at,
    networks,
    contains(address) {
      const read = readAddress(address);
      return read !== null && finder(read.text, read.family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Never throws: what cannot be read stays as it was. */
export async function openCountries(needs: Needs): Promise<Countries> {
  const { config, live, log, now } = needs;
  const installed = installedDatabase(config.countryDatabase);
  const downloaded = openChanging(needs, databaseKey, async (content) => openCountryDatabase(await buffer(content)));
  const exits = openChanging(needs, torKey, async (content) => exitsOf(JSON.parse(await text(content)) as StoredTorExits));
  const used = [...(config.countryDatabaseUrl === null ? [] : [downloaded]), ...(config.torExits === null ? [] : [exits])];
  let due = 0;
  let reading = Promise.resolve();
  async function look(): Promise<void> {
    due = now() + lookAgainAfter;
    for (const one of used)
      await one.look().catch((error: unknown) => {
        due = now() + minute;
        log.warn('A file with countries or exits of Tor could not be read; it is tried again in a minute', { error });
      });
  }
  const refresh = (): Promise<void> => (reading = reading.then(look));
  const lookIfDue = (): void => {
    if (used.length > 0 && now() >= due) void refresh();
  };
  if (used.length > 0) live.subscribe((event) => event.type === 'countries' && void refresh());
  await refresh();
  return {
    database() {
      lookIfDue();
      const newer = downloaded.value();
      return newer !== null && (newer.builtAt ?? 0) > (installed.builtAt ?? 0) ? newer : installed;
    },
    tor() {
      lookIfDue();
      return exits.value();
    },
    refresh,
  };
}
