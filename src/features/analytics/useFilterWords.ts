import { parseFilter } from './filters';
import { useWords } from './useWords';

/** Filters of the contract in the reader's words; those that mean nothing are left out. For other features. */
export function useFilterWords(): (texts: readonly string[]) => string[] {
  const words = useWords();
  return (texts) =>
    texts.flatMap((text) => {
      const filter = parseFilter(text);
      return filter === null ? [] : [words.filter(filter)];
    });
}
