import { sortedBy } from './data';
import { connectionCounts, said } from './measure';
import { startDirectus } from './peers/directus';
import { startPayload } from './peers/payload';
import { raced } from './peers/types';
import type { Peer, PeerSetting } from './peers/types';
import type { RaceLine } from './results';
import { send, shootMany } from './shots';
import type { Shot } from './shots';

type Contender = Omit<Peer, 'stop'>;
type Race = {
  readonly setting: PeerSetting;
  /** The program itself, whose answers are the right ones. */
  readonly self: Contender;
  /** Asked of a peer that has no list. */
  readonly fallback: () => Shot;
  readonly isIncluded: (name: string) => boolean;
  readonly database: () => number[];
};

/** Asks the program and its peers the same, one after the other. */
export async function raceAll(race: Race): Promise<{ readonly peers: string[]; readonly race: RaceLine[] }> {
  const peers: string[] = [];
  const lines: RaceLine[] = [];
  const expected = await sortedValues(race.self, race.fallback);
  for (const start of [null, startDirectus, startPayload]) {
    const peer: Peer = start ? await start(race.setting) : { ...race.self, stop: () => Promise.resolve() };
    try {
      if (String(await sortedValues(peer, race.fallback)) !== String(expected)) throw new Error(`${peer.version} answers with other records than we do`);
      peers.push(peer.version);
      lines.push(...(await run(peer, race)));
    } finally {
      await peer.stop();
    }
  }
  return { peers, race: lines };
}

/** The order of the first page, which must be the same for all. */
async function sortedValues(peer: Contender, fallback: () => Shot): Promise<number[]> {
  const answer: unknown = JSON.parse((await send(peer.target, peer.shots.list?.(3) ?? fallback())).toString());
  const found = peer.rowsOf(answer).map((values) => Number(values[`c${sortedBy}`]));
  if (found.length !== 50) throw new Error(`${peer.version} answers with ${found.length} records instead of 50`);
  return found;
}
async function run(peer: Peer, { isIncluded, database }: Race): Promise<RaceLine[]> {
  const all: RaceLine[] = [];
  const busy = { server: peer.pids, database };
  // Every request is warmed up, so that the order of the contenders does not matter.
  for (const what of raced) {
    const shotOf = peer.shots[what];
    if (shotOf && what !== 'bulk' && isIncluded(what)) await shootMany(peer.target, busy, 8, { times: 400, seconds: 2 }, shotOf);
  }
  for (const connections of connectionCounts)
    for (const what of raced) {
      const shotOf = peer.shots[what];
      if (!shotOf || !isIncluded(what) || (what === 'bulk' && connections > 1)) continue;
      const bound = { times: what === 'bulk' ? 5 : 1000, seconds: what === 'bulk' ? 15 : 3 };
      const line = {
        peer: peer.version,
        what,
        connections,
        ...(await shootMany(peer.target, busy, connections, bound, shotOf)),
      };
      all.push(line);
      console.log(`${peer.version}: ${said({ ...line, name: what })}`);
    }
  return all;
}
