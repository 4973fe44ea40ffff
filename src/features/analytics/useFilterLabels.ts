import { parseFilter } from './filters';
import { useLabels } from './useLabels';

/** Filters of the contract as text; unknown ones are omitted. For other features. */
export function useFilterLabels(): (texts: readonly string[]) => string[] {
  const labels = useLabels();
  return (texts) =>
    texts.flatMap((text) => {
      const filter = parseFilter(text);
      return filter === null ? [] : [labels.filter(filter)];
    });
}
