import type { FastifyInstance } from 'fastify';
import { resourceEndpoints as endpoints } from '../../../../contract/resources/schemas';
import { isBlocked, resourceLimits } from '../../../../contract/resources/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf, ResponseOf } from '../../../http/route';
import { ImagesBusy, UnreadableImage } from '../../../kit/images/imageProcess';
import { isConfidential } from '../confidential';
import * as queries from '../queries';
import type { ResourceWithBlob } from '../queries';
import { colorsOf, textOf, viewBoxOf, withCurrentColor, withText, withViewBox } from './edit';
import type { ViewBox } from './edit';
import { readCleanSvg } from './files';
import { UnsafeSvg, sanitiseSvg } from './sanitise';
import { spriteOf, symbolIds } from './sprite';
import { writeSvg } from './tree';
import type { SvgElement } from './tree';

async function findSvg(ctx: Context, siteId: string, id: string): Promise<ResourceWithBlob> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  return found?.blob.kind === 'svg' && !isBlocked(found.blob) && !isConfidential(found.row) ? found : fail('not_found');
}

/** The SVG, optimised in the image process and cleaned again; null if it exceeds the limits of either. Throws `unavailable` if too many are waiting. */
async function optimised(ctx: Context, root: SvgElement, prefix: string): Promise<SvgElement | null> {
  try {
    return sanitiseSvg(Buffer.from(await ctx.images.optimiseSvg(writeSvg(root), prefix))).root;
  } catch (error) {
    if (error instanceof ImagesBusy) return fail('unavailable', { retryAfter: 5 });
    if (error instanceof UnreadableImage || error instanceof UnsafeSvg) return null;
    throw error;
  }
}

async function readSource(ctx: Context, { site, params, query }: CallOf<typeof endpoints.resourceSvg>): Promise<ResponseOf<typeof endpoints.resourceSvg>> {
  const { row, blob } = await findSvg(ctx, site.id, params.id);
  const clean = await readCleanSvg(ctx, site.id, blob.sha256);
  let { root } = clean;
  if (query.viewBox !== undefined) root = withViewBox(root, query.viewBox.split(' ').map(Number) as unknown as ViewBox);
  if (query.title !== undefined) root = withText(root, 'title', query.title);
  if (query.description !== undefined) root = withText(root, 'desc', query.description);
  if (query.currentColor) root = withCurrentColor(root);
  if (query.optimise) root = (await optimised(ctx, root, symbolIds([row.name])[0] ?? '')) ?? root;
  const source = writeSvg(root);
  return {
    source,
    removed: [...clean.removed],
    removedCount: clean.removedCount,
    bytesBefore: blob.bytes,
    bytesAfter: Buffer.byteLength(source),
    viewBox: viewBoxOf(root)?.join(' ') ?? null,
    title: textOf(root, 'title'),
    description: textOf(root, 'desc'),
    colors: colorsOf(root),
  };
}

async function buildSprite(ctx: Context, { site, body }: CallOf<typeof endpoints.resourceSprite>): Promise<ResponseOf<typeof endpoints.resourceSprite>> {
  const found: ResourceWithBlob[] = [];
  for (const id of new Set(body.ids)) found.push(await findSvg(ctx, site.id, id));
  if (found.reduce((sum, { blob }) => sum + blob.bytes, 0) > resourceLimits.spriteBytes) fail('too_large');
  const ids = symbolIds(found.map(({ row }) => row.name));
  const icons: { id: string; root: SvgElement }[] = [];
  for (const [index, { blob }] of found.entries()) {
    const id = ids[index] ?? '';
    const { root } = await readCleanSvg(ctx, site.id, blob.sha256);
    // Without the optimiser the ids of one icon could be those of another.
    const prefixed = (await optimised(ctx, body.currentColor ? withCurrentColor(root) : root, id)) ?? fail('too_large');
    icons.push({ id, root: prefixed });
  }
  return { source: writeSvg(spriteOf(icons)), symbols: found.map(({ row }, index) => ({ id: row.id, symbol: ids[index] ?? '' })) };
}

/** Sources of SVGs for the screen, and sprites. */
export function registerSvgs(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.resourceSvg, (call) => readSource(ctx, call));
  route(app, ctx, endpoints.resourceSprite, (call) => buildSprite(ctx, call));
}
