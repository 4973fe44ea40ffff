import type { Context } from '../../context';
import { acceptUpload } from './accept';
import { uploadFolder, uploadKey } from './files';
import * as queries from './queries';
import type { Texts } from './schema';

export type InstalledFile = {
  readonly siteId: string;
  readonly createdBy: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** By language. */
  readonly alt: Texts;
  /** The resource whose picture a video shows before it plays. */
  readonly posterOf?: string;
};

/** The folder of this name at the top level of the site, which is created if it does not exist; its id. */
export async function installFolder(ctx: Context, siteId: string, name: string): Promise<string> {
  const { db } = ctx.postgres;
  const existing = (await queries.foldersOf(db, siteId)).find((folder) => folder.parentId === null && folder.name === name);
  return existing?.id ?? (await queries.addFolder(db, { siteId, parentId: null, name, createdAt: new Date(ctx.now()) })).id;
}

/** Stores a file that the program created as a resource, as if a person had uploaded it; its id. */
export async function installFile(ctx: Context, { siteId, createdBy, name, bytes, folderId, tags, alt, posterOf }: InstalledFile): Promise<string> {
  const { db } = ctx.postgres;
  const upload = await queries.addUpload(db, {
    siteId,
    name,
    bytes: bytes.length,
    folderId,
    replaces: null,
    createdBy,
    createdAt: new Date(ctx.now()),
  });
  try {
    await ctx.files.put(uploadKey(upload.id), bytes);
    const poster = posterOf === undefined ? null : await queries.findResource(db, siteId, posterOf);
    const details = { tags: [...new Set(tags)].toSorted(), alt, posterSha256: poster?.row.sha256 ?? null };
    return await acceptUpload(ctx, upload, { details });
  } finally {
    await queries.removeUpload(db, upload.id);
    await ctx.files.removeAll(uploadFolder(upload.id));
  }
}

/** Paths of all folders of a site by id, each from the top level. */
export async function folderPaths(ctx: Context, siteId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map((await queries.foldersOf(ctx.postgres.db, siteId)).map((folder) => [folder.id, folder]));
  const pathOf = (id: string): readonly string[] => {
    const folder = all.get(id);
    return folder ? [...(folder.parentId === null ? [] : pathOf(folder.parentId)), folder.name] : [];
  };
  return new Map([...all.keys()].map((id) => [id, pathOf(id)]));
}

/** The folder at a path, which is created as far as it does not exist; its id, null for the top level. */
export async function folderAt(ctx: Context, siteId: string, path: readonly string[]): Promise<string | null> {
  const { db } = ctx.postgres;
  return ctx.postgres.withLock(`resource folders of ${siteId}`, async () => {
    const all = await queries.foldersOf(db, siteId);
    let parentId: string | null = null;
    for (const name of path) {
      const within: string | null = parentId;
      const existing: { readonly id: string } | undefined = all.find(
        (folder) => folder.parentId === within && folder.name.toLowerCase() === name.toLowerCase(),
      );
      parentId = existing?.id ?? (await queries.addFolder(db, { siteId, parentId: within, name, createdAt: new Date(ctx.now()) })).id;
    }
    return parentId;
  });
}
