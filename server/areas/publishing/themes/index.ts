import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { shippedThemes } from '../../../../contract/publishing/terms';
import { themeEndpoints as endpoints } from '../../../../contract/publishing/themeFiles';
import { isThemeText } from '../../../../contract/publishing/themePaths';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { openRenderPool } from '../../../kit/templates/renderPool';
import type { RenderPool } from '../../../kit/templates/renderPool';
import { checkFile, checkTheme, textOf } from './check';
import { importTheme, installTheme, removeFile, renameFile, restoreFile, restoreTheme, writeFile } from './edit';
import * as queries from './queries';
import { shippedManifest } from './shipped';
import { readThemeFile, themeFileStream } from './store';
import { fileContentResponse, findFile, themeResponse, viewTheme } from './view';
import { packTheme } from './zip';

/** Versions of a file that its history lists. */
const mostVersions = 200;
/** Milliseconds for parsing all templates of a theme. */
const checkTimeout = 15_000;

const authorOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

async function listChanges(ctx: Context, { site, query }: CallOf<typeof endpoints.themeChanges>): Promise<ResponseOf<typeof endpoints.themeChanges>> {
  const found = await queries.changesOf(ctx.postgres.db, site.id, query.before, query.size + 1);
  const rows = found.slice(0, query.size).map(({ row, name }) => ({
    revision: row.number,
    kind: row.kind,
    base: row.base,
    files: row.files,
    path: row.path,
    updatedBy: authorOf(row.updatedBy, name),
    updatedAt: row.updatedAt.toISOString(),
  }));
  return { rows, more: found.length > rows.length };
}

async function listVersions(
  ctx: Context,
  { site, query }: CallOf<typeof endpoints.themeFileVersions>,
): Promise<ResponseOf<typeof endpoints.themeFileVersions>> {
  const found = await queries.versionsOf(ctx.postgres.db, site.id, query.path, mostVersions);
  return found.map(({ row: { revision, bytes, removed, change, updatedBy, updatedAt }, name }) => ({
    revision,
    bytes,
    removed,
    change,
    updatedBy: authorOf(updatedBy, name),
    updatedAt: updatedAt.toISOString(),
  }));
}

async function checkCurrent(ctx: Context, pool: RenderPool, siteId: string): Promise<ResponseOf<typeof endpoints.checkTheme>> {
  const view = await viewTheme(ctx, siteId);
  const contents = new Map<string, Buffer>();
  for (const file of view.files.values()) contents.set(file.path, isThemeText(file.path) ? await readThemeFile(ctx, siteId, file.sha256) : Buffer.alloc(0));
  return { revision: view.revision, problems: await checkTheme(pool, contents) };
}

async function compareFile(
  ctx: Context,
  { site, query }: CallOf<typeof endpoints.themeFileDifference>,
): Promise<ResponseOf<typeof endpoints.themeFileDifference>> {
  const view = await viewTheme(ctx, site.id);
  const [shipped, own] = [view.shipped.get(query.path)?.content, view.files.get(query.path)];
  if (shipped === undefined && own === undefined) return fail('not_found');
  const asText = (content: Buffer): string | null => (isThemeText(query.path) ? textOf(content) : null);
  return {
    path: query.path,
    shipped: shipped === undefined ? null : asText(shipped),
    own: own === undefined ? null : asText(await readThemeFile(ctx, site.id, own.sha256)),
  };
}

async function sendContent(ctx: Context, { site, query, reply }: CallOf<typeof endpoints.themeFileContent>) {
  const view = await viewTheme(ctx, site.id);
  const file = await findFile(ctx, site.id, view, query.path, query.revision);
  return reply
    .type('application/octet-stream')
    .header('content-length', file.bytes)
    .header('content-disposition', `attachment; filename="${path.posix.basename(file.path)}"`)
    .send(themeFileStream(ctx, site.id, file.sha256));
}

async function sendZip(ctx: Context, { site, reply }: CallOf<typeof endpoints.exportTheme>) {
  const view = await viewTheme(ctx, site.id);
  const files = [...view.files.values()].map((file) => ({
    path: file.path,
    updatedAt: file.updatedAt ?? new Date(ctx.now()),
    open: () => themeFileStream(ctx, site.id, file.sha256),
  }));
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="theme-${site.row.slug}-${view.revision}.zip"`)
    .send(packTheme(files));
}

export function registerThemes(app: FastifyInstance, ctx: Context): void {
  const pool = openRenderPool({ threads: 1, timeout: checkTimeout, waiting: 50 });
  app.addHook('onClose', () => pool.close());
  route(app, ctx, endpoints.shippedThemes, () => Promise.all(shippedThemes.map(async (name) => ({ name, manifest: await shippedManifest(name) }))));
  route(app, ctx, endpoints.theme, ({ site }) => themeResponse(ctx, site.id));
  route(app, ctx, endpoints.installTheme, (call) => installTheme(ctx, call));
  route(app, ctx, endpoints.themeChanges, (call) => listChanges(ctx, call));
  route(app, ctx, endpoints.restoreTheme, (call) => restoreTheme(ctx, call));
  route(app, ctx, endpoints.checkTheme, ({ site }) => checkCurrent(ctx, pool, site.id));
  route(app, ctx, endpoints.exportTheme, (call) => sendZip(ctx, call));
  route(app, ctx, endpoints.importTheme, (call) => importTheme(ctx, pool, call));
  route(app, ctx, endpoints.themeFile, async ({ site, query }) => {
    const view = await viewTheme(ctx, site.id);
    return fileContentResponse(ctx, site.id, view, await findFile(ctx, site.id, view, query.path, query.revision));
  });
  route(app, ctx, endpoints.writeThemeFile, (call) => writeFile(ctx, pool, call));
  route(app, ctx, endpoints.removeThemeFile, (call) => removeFile(ctx, call));
  route(app, ctx, endpoints.checkThemeFile, async ({ body }) => ({ problems: await checkFile(pool, body.path, Buffer.from(body.text)) }));
  route(app, ctx, endpoints.renameThemeFile, (call) => renameFile(ctx, pool, call));
  route(app, ctx, endpoints.themeFileContent, (call) => sendContent(ctx, call));
  route(app, ctx, endpoints.themeFileVersions, (call) => listVersions(ctx, call));
  route(app, ctx, endpoints.restoreThemeFile, (call) => restoreFile(ctx, pool, call));
  route(app, ctx, endpoints.themeFileDifference, (call) => compareFile(ctx, call));
}
