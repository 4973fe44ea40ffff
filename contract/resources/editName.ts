import type { Crop } from './terms';

/** How an image is displayed; its file does not change. */
export type ImageEdit = {
  /** Clockwise quarter turns in degrees, before the crop. */
  readonly rotation: number;
  /** The visible part of the turned image; null for all of it. */
  readonly crop: Crop | null;
};

/** Shares of a crop are stored in steps of a ten-thousandth, in which addresses spell them. */
export const cropSteps = 10_000;

/** An edit in addresses and file names, such as `-r90-c1250-0-7500-10000`; empty without one. */
export function editName({ rotation = 0, crop = null }: Partial<ImageEdit>): string {
  const turn = rotation === 0 ? '' : `-r${rotation}`;
  return crop ? `${turn}-c${[crop.x, crop.y, crop.width, crop.height].map((share) => Math.round(share * cropSteps)).join('-')}` : turn;
}
