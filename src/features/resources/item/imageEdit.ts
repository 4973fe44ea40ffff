import { editedSize, turnedSize } from '@contract/resources/edits';
import type { ImageEdit, Size } from '@contract/resources/edits';
import type { Crop } from '@contract/resources/terms';

/** How an image is shown: turned, cropped, and the point that crops keep visible, as shares of what is shown. */
export type Edit = ImageEdit & { readonly focalX: number; readonly focalY: number };

const whole: Crop = { x: 0, y: 0, width: 1, height: 1 };
const limited = (value: number, most = 1): number => Math.min(most, Math.max(0, value));
const share = (value: number): number => Math.round(limited(value) * 1000) / 1000;

/** The focal point as shares of the turned image. */
function focalInTurned({ crop, focalX, focalY }: Edit): { x: number; y: number } {
  const { x, y, width, height } = crop ?? whole;
  return { x: x + focalX * width, y: y + focalY * height };
}

/** The edit with another crop; the focal point stays where it is, or at the edge of the crop. */
export function withCrop(edit: Edit, crop: Crop | null): Edit {
  const { x, y } = focalInTurned(edit);
  const next = crop ?? whole;
  return { ...edit, crop, focalX: share((x - next.x) / next.width), focalY: share((y - next.y) / next.height) };
}

/** The edit after a quarter turn: clockwise (1) or back (-1). Crop and focal point turn with the image. */
export function turned(edit: Edit, direction: 1 | -1): Edit {
  const { crop, focalX, focalY } = edit;
  const turn = ({ x, y, width, height }: Crop): Crop =>
    direction === 1 ? { x: 1 - y - height, y: x, width: height, height: width } : { x: y, y: 1 - x - width, width: height, height: width };
  return {
    rotation: (edit.rotation + direction * 90 + 360) % 360,
    crop: crop && turn(crop),
    focalX: share(direction === 1 ? 1 - focalY : focalY),
    focalY: share(direction === 1 ? focalX : 1 - focalX),
  };
}

/** The largest part of a turned image with a ratio of width to height, around the middle of the present crop. `size`: of the file. */
export function cropWithRatio(size: Size, { rotation, crop }: ImageEdit, ratio: number): Crop {
  const image = turnedSize(size, rotation);
  const wide = image.width / image.height > ratio;
  const width = wide ? (image.height * ratio) / image.width : 1;
  const height = wide ? 1 : image.width / ratio / image.height;
  const { x, y, width: w, height: h } = crop ?? whole;
  return { x: limited(x + w / 2 - width / 2, 1 - width), y: limited(y + h / 2 - height / 2, 1 - height), width, height };
}

export const corners = ['nw', 'ne', 'sw', 'se'] as const;
export type Corner = (typeof corners)[number];

/** Smallest side of a crop, as a share. */
const least = 0.02;

/** A crop after a corner was moved by shares of the image; the opposite corner stays. `ratio`: of width to height in shares, if it must be kept. */
export function resizedCrop({ x, y, width, height }: Crop, corner: Corner, by: { x: number; y: number }, ratio: number | null): Crop {
  const [right, bottom] = [x + width, y + height];
  const [fromLeft, fromTop] = [corner.endsWith('w'), corner.startsWith('n')];
  const mostWidth = fromLeft ? right : 1 - x;
  const mostHeight = fromTop ? bottom : 1 - y;
  let w = Math.min(mostWidth, Math.max(least, width + (fromLeft ? -by.x : by.x)));
  let h = Math.min(mostHeight, Math.max(least, height + (fromTop ? -by.y : by.y)));
  if (ratio !== null) {
    h = Math.min(w / ratio, mostHeight);
    w = h * ratio;
  }
  return { x: fromLeft ? right - w : x, y: fromTop ? bottom - h : y, width: w, height: h };
}

export const movedCrop = (crop: Crop, by: { x: number; y: number }): Crop => ({
  ...crop,
  x: limited(crop.x + by.x, 1 - crop.width),
  y: limited(crop.y + by.y, 1 - crop.height),
});

/** The part of what is shown that fills a box, around the focal point as far as the edges allow, as a crop of the turned image. `size`: of the file. */
export function fillingCrop(size: Size, edit: Edit, box: Size): Crop {
  const edited = editedSize(size, edit);
  const scale = Math.min(edited.width / box.width, edited.height / box.height);
  const [width, height] = [(box.width * scale) / edited.width, (box.height * scale) / edited.height];
  const x = limited(edit.focalX - width / 2, 1 - width);
  const y = limited(edit.focalY - height / 2, 1 - height);
  const crop = edit.crop ?? whole;
  return { x: crop.x + x * crop.width, y: crop.y + y * crop.height, width: width * crop.width, height: height * crop.height };
}

const percent = (value: number): string => `${(value * 100).toFixed(3)}%`;

/** Style of an `img` of the whole file so that a part of it, turned, fills a box of any size with the proportions of the part. The box hides the rest. */
export function placed(size: Size, { rotation, crop }: ImageEdit): { width: string; height: string; transform: string } {
  const part = crop ?? whole;
  const image = turnedSize(size, rotation);
  const { width, height } = size;
  const [x = 0, y = 0] = { 90: [height, 0], 180: [width, height], 270: [0, width] }[rotation] ?? [];
  // Sizes are shares of the box, movements shares of the image itself.
  const moved = `translate(${percent((x - part.x * image.width) / width)}, ${percent((y - part.y * image.height) / height)})`;
  return {
    width: percent(width / (part.width * image.width)),
    height: percent(height / (part.height * image.height)),
    transform: `${moved} rotate(${String(rotation)}deg)`,
  };
}
