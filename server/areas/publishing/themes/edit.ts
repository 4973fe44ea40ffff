import { themeLimits } from '../../../../contract/publishing/theme';
import type { ThemeProblem, themeEndpoints as endpoints } from '../../../../contract/publishing/themeFiles';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import type { FastifyRequest } from 'fastify';
import type { RenderPool } from '../../../kit/templates/renderPool';
import { actorOf } from '../../audit';
import { checkFile, checkTheme } from './check';
import { filesAfter, findChange, findVersion } from './queries';
import { contentOf } from './shipped';
import { changeTheme, ensureTheme, installShippedTheme, readThemeFile, replacing } from './store';
import type { CurrentTheme, ThemeChange, ThemeOwner, WrittenFile } from './store';
import { fileContentResponse, findFile, themeResponse, viewTheme } from './view';
import { unpackTheme } from './zip';

type Caller = { readonly site: SiteAccess; readonly session: SessionInfo; readonly request: FastifyRequest };
const ownerOf = (call: Caller): ThemeOwner => ({ site: { id: call.site.id, name: call.site.row.name }, userId: call.session.userId, actor: actorOf(call) });

const refuse = (name: string, problems: readonly ThemeProblem[]): never =>
  fail('invalid_fields', { fields: { [name]: { code: 'pattern' } }, current: { problems } });

/** Throws `stale_revision` unless the theme is the one that the caller has read. */
const checkRevision = (expected: number) => (current: CurrentTheme) => {
  const revision = current.last?.number ?? 0;
  if (revision !== expected) fail('stale_revision', { current: { revision } });
};
/** Throws `stale_revision` unless the file is the one that the caller has read; 0: there is none. */
function checkFileRevision(current: CurrentTheme, path: string, expected: number): void {
  const revision = current.files.get(path)?.revision ?? 0;
  if (revision !== expected) fail('stale_revision', { current: { revision } });
}
/** Two files whose paths differ by case only would be one on many computers. */
function checkNew(current: CurrentTheme, path: string, code: 'name_taken' | 'invalid_fields'): void {
  const folded = path.toLowerCase();
  const inUse = [...current.files.keys()].some((one) => one !== path && one.toLowerCase() === folded);
  if (inUse) fail(code, code === 'name_taken' ? {} : { fields: { path: { code: 'taken' } } });
}

const edited = (current: CurrentTheme, files: ThemeChange['files'], kind: ThemeChange['kind'] = 'edit'): ThemeChange => ({
  kind,
  base: current.last?.base ?? null,
  files,
});

async function readFile(ctx: Context, siteId: string, path: string): ReturnType<typeof fileContentResponse> {
  const view = await viewTheme(ctx, siteId);
  return fileContentResponse(ctx, siteId, view, await findFile(ctx, siteId, view, path));
}

export async function installTheme(ctx: Context, call: CallOf<typeof endpoints.installTheme>): Promise<ResponseOf<typeof endpoints.installTheme>> {
  await installShippedTheme(ctx, ownerOf(call), call.body.name, checkRevision(call.ifMatch()));
  return themeResponse(ctx, call.site.id);
}

/** Writes a file. Throws `invalid_fields` with its problems, `stale_revision` or `too_large`; the file then stays as it was. */
export async function writeFile(
  ctx: Context,
  pool: RenderPool,
  call: CallOf<typeof endpoints.writeThemeFile>,
): Promise<ResponseOf<typeof endpoints.writeThemeFile>> {
  const { site, query, body } = call;
  const { path } = query;
  const expected = call.ifMatch();
  const content = 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64');
  if (content.length > themeLimits.fileBytes) fail('too_large');
  const problems = await checkFile(pool, path, content);
  if (problems.length > 0) refuse('text', problems);
  await ensureTheme(ctx, ownerOf(call));
  const { sha256 } = contentOf(content);
  await changeTheme(ctx, ownerOf(call), (current) => {
    checkFileRevision(current, path, expected);
    checkNew(current, path, 'invalid_fields');
    return edited(current, new Map([[path, { sha256, bytes: content.length, content }]]));
  });
  return readFile(ctx, site.id, path);
}

/** Removes a file; `theme.json` stays, because a theme is none without it. */
export async function removeFile(ctx: Context, call: CallOf<typeof endpoints.removeThemeFile>): Promise<null> {
  const { path } = call.query;
  const expected = call.ifMatch();
  if (path === 'theme.json') fail('invalid_fields', { fields: { path: { code: 'reserved' } } });
  await ensureTheme(ctx, ownerOf(call));
  await changeTheme(ctx, ownerOf(call), (current) => {
    if (!current.files.has(path)) fail('not_found');
    checkFileRevision(current, path, expected);
    return edited(current, new Map([[path, null]]));
  });
  return null;
}

/** Renames a file, as one change: the old path is removed and the new one written. Throws `name_taken`. */
export async function renameFile(
  ctx: Context,
  pool: RenderPool,
  call: CallOf<typeof endpoints.renameThemeFile>,
): Promise<ResponseOf<typeof endpoints.renameThemeFile>> {
  const { from, to } = call.body;
  const expected = call.ifMatch();
  if (from === 'theme.json' || to === 'theme.json') fail('invalid_fields', { fields: { from: { code: 'reserved' } } });
  const view = await viewTheme(ctx, call.site.id);
  const { sha256 } = await findFile(ctx, call.site.id, view, from);
  await ensureTheme(ctx, ownerOf(call));
  const content = await readThemeFile(ctx, call.site.id, sha256);
  const problems = await checkFile(pool, to, content);
  if (problems.length > 0) refuse('to', problems);
  await changeTheme(ctx, ownerOf(call), (current) => {
    const file = current.files.get(from);
    if (file?.sha256 !== sha256) return fail('stale_revision', { current: { revision: file?.revision ?? 0 } });
    checkFileRevision(current, from, expected);
    if (current.files.has(to)) fail('name_taken');
    if (from.toLowerCase() !== to.toLowerCase()) checkNew(current, to, 'name_taken');
    return edited(
      current,
      new Map<string, WrittenFile | null>([
        [from, null],
        [to, { sha256, bytes: file.bytes }],
      ]),
    );
  });
  return readFile(ctx, call.site.id, to);
}

/** Returns a file to an earlier version. */
export async function restoreFile(
  ctx: Context,
  pool: RenderPool,
  call: CallOf<typeof endpoints.restoreThemeFile>,
): Promise<ResponseOf<typeof endpoints.restoreThemeFile>> {
  const { path, revision } = call.body;
  const expected = call.ifMatch();
  const version = (await findVersion(ctx.postgres.db, call.site.id, path, revision)) ?? fail('not_found');
  if (version.removed) fail('not_found');
  // An earlier version of the program may have accepted what this one does not.
  const problems = await checkFile(pool, path, await readThemeFile(ctx, call.site.id, version.sha256));
  if (problems.length > 0) refuse('revision', problems);
  await changeTheme(ctx, ownerOf(call), (current) => {
    checkFileRevision(current, path, expected);
    checkNew(current, path, 'invalid_fields');
    return edited(current, new Map([[path, { sha256: version.sha256, bytes: version.bytes }]]), 'restore');
  });
  return readFile(ctx, call.site.id, path);
}

/** Returns the whole theme to its state after an earlier change. */
export async function restoreTheme(ctx: Context, call: CallOf<typeof endpoints.restoreTheme>): Promise<ResponseOf<typeof endpoints.restoreTheme>> {
  const { site, body } = call;
  const check = checkRevision(call.ifMatch());
  const { db } = ctx.postgres;
  await changeTheme(ctx, ownerOf(call), async (current) => {
    check(current);
    const target = (await findChange(db, site.id, body.revision)) ?? fail('not_found');
    const versions = await filesAfter(db, site.id, target.number);
    const files = new Map(versions.map(({ path, sha256, bytes }) => [path, { sha256, bytes }]));
    return { kind: 'restore', base: target.base, files: replacing(current, files) };
  });
  return themeResponse(ctx, site.id);
}

/** Replaces the theme by that of an archive, if nothing is wrong with it. */
export async function importTheme(
  ctx: Context,
  pool: RenderPool,
  call: CallOf<typeof endpoints.importTheme>,
): Promise<ResponseOf<typeof endpoints.importTheme>> {
  const check = checkRevision(call.ifMatch());
  const unpacked = await unpackTheme(Buffer.from(call.body.zip, 'base64'));
  if ('problems' in unpacked) return refuse('zip', unpacked.problems);
  const problems = await checkTheme(pool, unpacked.files);
  if (problems.length > 0) refuse('zip', problems);
  const files = new Map(
    [...unpacked.files].map(([path, content]): [string, WrittenFile] => [path, { sha256: contentOf(content).sha256, bytes: content.length, content }]),
  );
  await changeTheme(ctx, ownerOf(call), (current) => {
    check(current);
    return { kind: 'import', base: null, files: replacing(current, files) };
  });
  return themeResponse(ctx, call.site.id);
}
