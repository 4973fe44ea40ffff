/** A list of things by id, in an order: the shape of RTK's entity adapter, of which a few lines are enough for the first load. */
export type Entities<T> = { ids: string[]; entities: Record<string, T> };

export const noEntities = <T>(): Entities<T> => ({ ids: [], entities: {} });

export const setAll = <T extends { readonly id: string }>(state: Entities<T>, list: readonly T[]): void => {
  state.ids = [...new Set(list.map(({ id }) => id))];
  state.entities = Object.fromEntries(list.map((one) => [one.id, one]));
};

/** Takes the place of the one with its id, or comes last. */
export const setOne = <T extends { readonly id: string }>(state: Entities<T>, one: T): void => {
  if (!(one.id in state.entities)) state.ids.push(one.id);
  state.entities[one.id] = one;
};

export const removeOne = <T>(state: Entities<T>, id: string): void => {
  state.ids = state.ids.filter((other) => other !== id);
  delete state.entities[id];
};

export const listOf = <T>({ ids, entities }: Entities<T>): T[] => ids.flatMap((id) => entities[id] ?? []);
