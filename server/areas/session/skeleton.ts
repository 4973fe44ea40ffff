import unhomoglyph from 'unhomoglyph';

/**
 * What a login name looks like (UTS #39 §4, over the data of `confusables.txt`): two names with one skeleton cannot be told apart by
 * eye, as `rnary` and `mary`, or `士` and `土`. Lower-cased, because the prototype of `0` is a capital O and names have no capitals.
 * Not for showing.
 */
export const skeletonOf = (name: string): string => unhomoglyph(name.normalize('NFD')).normalize('NFD').toLowerCase();
