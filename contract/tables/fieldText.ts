import { fieldTypeOf } from './fieldTypes';
import { textConversion } from './textConversion';

/**
 * Converts between values and plain text: how a cell is copied and exported, and how typed, pasted or imported text is parsed. Pure, shared by console
 * and server; text in both languages is understood, whatever the reader's language. Validation happens when the value is written.
 */
export const { textOf, readText } = textConversion(fieldTypeOf);
export type { ReadText, TextLookup, TextNames } from './fieldTypes/definition';
export { durationText, exactMomentText, momentText, readDate, readDuration, readMoment, readNumber, readTime, splitList } from './valueText';

/** Label of a choice that no longer exists, in the reader's language. */
export const removedChoice = (locale: string): string => (locale.startsWith('zh') ? '已删除的选项' : 'Removed choice');
