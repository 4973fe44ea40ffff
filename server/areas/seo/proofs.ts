import type { Context } from '../../context';
import { listVerifications } from './verification/queries';

/** What a site answers to services that look for a proof of ownership. `files`: contents by name, without a slash. */
export type SiteProofs = {
  readonly files: ReadonlyMap<string, string>;
  readonly metas: readonly { readonly name: string; readonly content: string }[];
};

export async function readProofs(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<SiteProofs> {
  const rows = (await listVerifications(ctx.postgres.db, siteId)).map(({ row }) => row);
  return {
    files: new Map(rows.flatMap(({ method, name, content }) => (method === 'file' ? [[name, content] as const] : []))),
    metas: rows.filter(({ method }) => method === 'meta').map(({ name, content }) => ({ name, content })),
  };
}
