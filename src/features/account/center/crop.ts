/**
 * The crop of a picture. `zoom` 1 shows the largest square, larger values show less; `x` and `y` are the centre of the square in pixels of the
 * picture. All functions are pure; sizes are pixels of the picture.
 */
export type Size = { readonly width: number; readonly height: number };
export type Crop = { readonly x: number; readonly y: number; readonly zoom: number };

export const mostZoom = 8;
/** Size of the uploaded picture in pixels: the server stores 256, twice that leaves space for resampling. */
export const sentSize = 512;

/** Side of the cropped square. */
export const sideOf = ({ width, height }: Size, zoom: number): number => Math.min(width, height) / zoom;

const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), Math.max(low, high));

/** The nearest crop inside the picture. */
export function clampCrop(size: Size, crop: Crop): Crop {
  const zoom = within(Number.isFinite(crop.zoom) ? crop.zoom : 1, 1, mostZoom);
  const half = sideOf(size, zoom) / 2;
  return { zoom, x: within(crop.x, half, size.width - half), y: within(crop.y, half, size.height - half) };
}

/** The centred crop of the largest size. */
export const firstCrop = (size: Size): Crop => ({ x: size.width / 2, y: size.height / 2, zoom: 1 });

/** Moves by fractions of the visible square: (0.1, 0) is a tenth of it to the right. */
export const moveCrop = (size: Size, crop: Crop, dx: number, dy: number): Crop => {
  const side = sideOf(size, crop.zoom);
  return clampCrop(size, { ...crop, x: crop.x + dx * side, y: crop.y + dy * side });
};

export const zoomCrop = (size: Size, crop: Crop, zoom: number): Crop => clampCrop(size, { ...crop, zoom });

/** Draws the crop over a whole square canvas. */
export function drawCrop(context: CanvasRenderingContext2D, picture: CanvasImageSource, size: Size, crop: Crop, edge: number): void {
  const side = sideOf(size, crop.zoom);
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, edge, edge);
  context.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, edge, edge);
}

/** The crop as the base64 of a PNG, at most `sentSize` wide and never larger than the source. */
export async function pngOf(picture: CanvasImageSource, size: Size, crop: Crop): Promise<string> {
  const edge = Math.max(1, Math.min(sentSize, Math.round(sideOf(size, crop.zoom))));
  const canvas = document.createElement('canvas');
  canvas.width = edge;
  canvas.height = edge;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  drawCrop(context, picture, size, crop, edge);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}
