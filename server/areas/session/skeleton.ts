import unhomoglyph from 'unhomoglyph';

/**
 * The visual form of a login name (UTS #39 §4, with the data of `confusables.txt`): two names with the same skeleton look alike, such as `rnary` and `mary`, or
 * `士` and `土`. Lower-cased, because the prototype of `0` is a capital O and names have no capitals. Not for display.
 */
export const skeletonOf = (name: string): string => unhomoglyph(name.normalize('NFD')).normalize('NFD').toLowerCase();
