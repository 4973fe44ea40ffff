/** A set of positive integers below 2^53, as urlId makes them: open addressing in one typed array, eight bytes for each place. */
export function createSeenSet(expected = 1024) {
  let places = new Float64Array(2 ** Math.ceil(Math.log2(Math.max(16, expected * 2))));
  let size = 0;

  const slotOf = (id: number, mask: number): number => {
    // A remainder of floating-point numbers is a slow call.
    const high = Math.floor(id / 4_294_967_296);
    return Math.imul((id - high * 4_294_967_296) ^ high, 0x9e3779b1) & mask;
  };
  /** Whether the id is new; it is put into the table either way. */
  function place(table: Float64Array, id: number): boolean {
    const mask = table.length - 1;
    for (let slot = slotOf(id, mask); ; slot = (slot + 1) & mask) {
      if (table[slot] === id) return false;
      if (table[slot] === 0) {
        table[slot] = id;
        return true;
      }
    }
  }
  function grow(): void {
    const larger = new Float64Array(places.length * 2);
    for (const id of places) if (id !== 0) place(larger, id);
    places = larger;
  }

  return {
    /** Whether it was not in the set before. */
    add(id: number): boolean {
      // 0 marks a free place.
      const isNew = place(places, id === 0 ? 1 : id);
      if (isNew && ++size * 10 > places.length * 6) grow();
      return isNew;
    },
    has(id: number): boolean {
      const mask = places.length - 1;
      const value = id === 0 ? 1 : id;
      for (let slot = slotOf(value, mask); places[slot] !== 0; slot = (slot + 1) & mask) if (places[slot] === value) return true;
      return false;
    },
    size: (): number => size,
  };
}
