/**
 * `:nth-of-type(5)` for css-select, which counts the siblings of an element anew for each of thousands: which of its siblings of the same name an element is, from 1. For trees
 * that do not change.
 */
export function typePlaces<E extends { readonly name: string }>(
  siblingsOf: (element: E) => readonly E[],
): { readonly 'nth-of-type': (element: E, place?: string | null) => boolean } {
  const places = new WeakMap<E, number>();
  function placeOf(element: E): number | undefined {
    if (!places.has(element)) {
      const counts = new Map<string, number>();
      for (const one of siblingsOf(element)) {
        const place = (counts.get(one.name) ?? 0) + 1;
        counts.set(one.name, place);
        places.set(one, place);
      }
    }
    return places.get(element);
  }
  return { 'nth-of-type': (element, place) => placeOf(element) === Number(place) };
}

/** Whether a selector has a place other than a number, such as `2n+1`, which `typePlaces` does not understand. */
export const hasPlaceFormula = (selector: string): boolean => /:nth-of-type\((?!\s*\d+\s*\))/i.test(selector);
