import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { readAddress, torKey } from '../../collect/classify';
import type { StoredTorExits } from '../../collect/classify';
import type { Context } from '../../context';
import { isAddress, publishedText, sourceName } from '../../net/publishedText';
import { networkText, readNetworks } from '../../net/readNetworks';
import { HOUR } from '../../zone';
import { isTorListOld } from './prepareRule';

/** The exits of the Tor network, from the file or address of `TOR_EXITS`. */

const limits = { bytes: 4 * 1024 ** 2, networks: 20_000 } as const;
/** Networks wider than this (/24, /48) are no exits: a wrong list would refuse everybody. */
const widest = { ipv4: 24, ipv6: 48 } as const;
/** A list with a smaller part of the addresses of the one before was cut off. */
const smallestPart = 0.2;
const readEvery = 6 * HOUR;

/**
 * The networks of a list: an address or network in each line, as check.torproject.org/torbulkexitlist has them, or lines `ExitAddress 203.0.113.9 2026-11-27 10:00:00`
 * among others, as in its exit-addresses. Throws if it has none, too many, or an entry that cannot be an exit: half a list or another file replaces nothing.
 */
export function readTorExits(list: string): string[] {
  const entries = /^ExitAddress /m.test(list) ? [...list.matchAll(/^ExitAddress (\S+)/gm)].map(([, address = '']) => address).join('\n') : list;
  const { networks, refused } = readNetworks(entries, 1, limits.networks + 1);
  if (refused[0]) throw new Error(`not an address: ${refused[0].text}`);
  if (networks.length === 0) throw new Error('no addresses');
  if (networks.length > limits.networks) throw new Error('too many addresses');
  const wrong = networks.find(({ address, bits, family }) => bits < widest[family] || (readAddress(address)?.special ?? true));
  if (wrong) throw new Error(`no exit: ${networkText(wrong)}`);
  return networks.map(networkText);
}

async function storedExits({ files }: Context): Promise<StoredTorExits | null> {
  if ((await files.stat(torKey)) === null) return null;
  return JSON.parse(await text(files.read(torKey))) as StoredTorExits;
}

async function freshExits(ctx: Context, source: string, stored: StoredTorExits | null): Promise<StoredTorExits> {
  const found = await publishedText(source, limits.bytes, stored ?? undefined);
  const now = ctx.now();
  if (found === null && stored !== null) return { ...stored, at: now };
  const { text: list = '', etag = null, modified = null } = found ?? {};
  const networks = readTorExits(list);
  if (stored !== null && !isTorListOld(stored, now) && networks.length < smallestPart * stored.networks.length)
    throw new Error(`only ${String(networks.length)} of ${String(stored.networks.length)} addresses`);
  // A file is as new as its last change, which somebody else has to make.
  const at = isAddress(source) || modified === null ? now : Math.min(now, Date.parse(modified));
  return { source, at, etag, modified, networks };
}

/** Reads the list again once it is six hours old; one that cannot be read stays as it was. Runs hourly. */
export async function refreshTorExits(ctx: Context): Promise<void> {
  const source = ctx.config.torExits;
  if (source === null) return;
  try {
    const stored = await storedExits(ctx);
    const same = stored?.source === source ? stored : null;
    if (same !== null && ctx.now() - same.at < readEvery) return;
    const fresh = await freshExits(ctx, source, same);
    // A file may stay the same for days: no process has to read it again.
    if (isDeepStrictEqual(fresh, same)) return;
    await ctx.files.put(torKey, Buffer.from(JSON.stringify(fresh)), { replace: true });
    ctx.live.publish({ type: 'countries' });
  } catch (error) {
    ctx.log.warn('The list of exits of Tor could not be read', { source: sourceName(source), error });
  }
}
