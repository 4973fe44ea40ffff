/** A `:nth-of-type(5)` for css-select that counts siblings once: its own counts them again for each of thousands of elements. For trees that do not change. */
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
