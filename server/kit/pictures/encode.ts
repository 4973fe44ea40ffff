import type { Context } from '../../context';

/** A drawing, which is an SVG, as a picture at most 1 600 pixels wide. */
export async function encodeDrawing(ctx: Pick<Context, 'images'>, svg: string, format: 'jpeg' | 'webp'): Promise<Uint8Array> {
  const { data } = await ctx.images.variant(Buffer.from(svg), {
    width: 1600,
    height: 1600,
    fit: 'inside',
    isDrawing: true,
    focalX: 0.5,
    focalY: 0.5,
    format,
    rotation: 0,
    crop: null,
  });
  return data;
}
