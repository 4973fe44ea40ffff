import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseUrl } from '../../contract/parseUrl';
import type { SiteIndex } from '../areas/sites';
import { packageRoot } from '../http/packageRoot';

export type Script = { readonly etag: string; readonly bodies: { readonly identity: Buffer; readonly gzip: Buffer | null; readonly br: Buffer | null } };

/** The two versions of the tracker: the basic one, and the one with additional events for sites that embed it. */
export const scriptNames = ['t.js', 't.more.js'] as const;

/** A built tracker, reloaded when the file changes; null if it is not built. */
export function openScript(name: string, folder: string = path.join(packageRoot(), 'dist', 'tracker')): () => Promise<Script | null> {
  const file = path.join(folder, name);
  let known: { readonly changed: number; readonly script: Script } | null = null;
  const readIfThere = (written: string): Promise<Buffer | null> => readFile(written).catch(() => null);
  return async () => {
    const changed = await stat(file).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (changed === null) return null;
    if (known?.changed !== changed) {
      const [identity, gzip, br] = await Promise.all([readFile(file), readIfThere(`${file}.gz`), readIfThere(`${file}.br`)]);
      const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
      known = { changed, script: { etag, bodies: { identity, gzip, br } } };
    }
    return known.script;
  };
}

/** The script of web vitals for a share of page loads (0–1), which it reads from `swRate`. */
export function openVitalsScript(folder?: string): (rate: number) => Promise<Script | null> {
  const whole = openScript('v.js', folder);
  /** By percent, so at most a hundred; of the version `source`. */
  let sampled = new Map<number, Script>();
  let source: Script | null = null;
  return async (rate) => {
    const found = await whole();
    if (found === null || rate >= 1) return found;
    if (found !== source) {
      sampled = new Map();
      source = found;
    }
    let script = sampled.get(rate);
    if (script === undefined) {
      const identity = Buffer.concat([Buffer.from(`self.swRate=${rate};`), found.bodies.identity]);
      script = { etag: `${found.etag.slice(0, -1)}-${rate}"`, bodies: { identity, gzip: gzipSync(identity), br: null } };
      sampled.set(rate, script);
    }
    return script;
  };
}

export type ScriptLoads = { readonly of: (siteId: string) => number; readonly add: (siteId: string | undefined, referrer: string | undefined) => void };

/** Counts requests of the tracker by site, for the installation check; nothing else about them is stored. */
export function countScriptLoads(sites: Pick<SiteIndex, 'get' | 'all'>): ScriptLoads {
  const counts = new Map<string, number>();
  const count = (siteId: string): void => void counts.set(siteId, (counts.get(siteId) ?? 0) + 1);
  return {
    of: (siteId) => counts.get(siteId) ?? 0,
    add(siteId, referrer) {
      if (siteId !== undefined) {
        if (sites.get(siteId) !== null) count(siteId);
        return;
      }
      const host = parseUrl(referrer ?? '')?.hostname;
      if (host === undefined) return;
      for (const site of sites.all()) if (site.hosts.includes(host)) count(site.id);
    },
  };
}
