import { drawing, palettes } from '../../../kit/pictures/drawing';
import type { Motif } from '../../../kit/pictures/drawing';
import { randomFrom } from '../../../kit/random';
import type { StarterPicture } from './types';

/** Pixels of the width: sharp on the pages of the shipped themes, and quickly drawn. */
const pixels = 1200;

/** A picture whose details follow from its name. */
export const paint = (motif: Motif, palette: keyof typeof palettes, name: string, alt: string): StarterPicture => ({
  name: `${name}.jpg`,
  alt,
  svg: () => drawing(motif(palettes[palette], randomFrom(name)), pixels),
});
