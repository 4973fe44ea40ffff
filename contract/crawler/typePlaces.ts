type Places<E> = { readonly pseudos?: { readonly 'nth-of-type': (element: E, place?: string | null) => boolean } };

/** A place other than a number, such as `2n+1`. */
const formula = /:nth-of-type\((?!\s*\d+\s*\))/i;

/**
 * Options of css-select for each selector, with which `:nth-of-type(5)` counts the siblings of an element once: its own counts them again for each of thousands of elements.
 * For trees that do not change. `siblingsOf`: with the element itself.
 */
export function typePlaces<E extends { readonly name: string }>(siblingsOf: (element: E) => readonly E[]): (selector: string) => Places<E> {
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
  const pseudos = { 'nth-of-type': (element: E, place?: string | null) => placeOf(element) === Number(place) };
  return (selector) => (formula.test(selector) ? {} : { pseudos });
}
