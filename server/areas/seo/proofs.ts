import type { Context } from '../../context';
import { findSettings } from './push/queries';
import { listVerifications } from './verification/queries';

/** What a site answers to services that look for a proof of ownership, the key of IndexNow included. `files`: contents by name, without a slash. */
export type SiteProofs = {
  readonly files: ReadonlyMap<string, string>;
  readonly metas: readonly { readonly name: string; readonly content: string }[];
};

export async function readProofs(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<SiteProofs> {
  const { db } = ctx.postgres;
  const [found, push] = await Promise.all([listVerifications(db, siteId), findSettings(db, siteId)]);
  const rows = found.map(({ row }) => row);
  const key = push?.indexnow === true ? push.indexnowKey : null;
  const files = rows.flatMap(({ method, name, content }) => (method === 'file' ? [[name, content] as const] : []));
  return {
    files: new Map(key === null ? files : [...files, [`${key}.txt`, key]]),
    metas: rows.filter(({ method }) => method === 'meta').map(({ name, content }) => ({ name, content })),
  };
}
