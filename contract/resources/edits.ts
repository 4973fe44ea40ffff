import { cropSteps } from './editName';
import type { ImageEdit } from './editName';
import type { Crop } from './terms';

export type { ImageEdit } from './editName';

/** Width and height in pixels. */
export type Size = { readonly width: number; readonly height: number };

export const rotations = [0, 90, 180, 270] as const;
/** Smallest width and height of a crop, as a share. */
export const smallestCrop = 0.01;

const rounded = (share: number): number => Math.round(share * cropSteps) / cropSteps;

/** Moves a crop inside the image and rounds it to ten-thousandths; null if it covers the whole image. */
export function storedCrop(crop: Crop): Crop | null {
  const [x, y] = [rounded(crop.x), rounded(crop.y)];
  const [width, height] = [rounded(Math.min(crop.width, 1 - x)), rounded(Math.min(crop.height, 1 - y))];
  return x === 0 && y === 0 && width === 1 && height === 1 ? null : { x, y, width, height };
}

/** The size of a turned image before it is cropped. */
export const turnedSize = ({ width, height }: Size, rotation: number): Size => (rotation % 180 === 0 ? { width, height } : { width: height, height: width });

/** The size of an image after rotation and crop. `size`: that of the upright file. */
export function editedSize(size: Size, { rotation, crop }: ImageEdit): Size {
  const turned = turnedSize(size, rotation);
  if (!crop) return turned;
  return { width: Math.max(1, Math.round(turned.width * crop.width)), height: Math.max(1, Math.round(turned.height * crop.height)) };
}
