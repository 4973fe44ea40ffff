import { setTimeout } from 'node:timers/promises';
import type { Cards } from '../../contract/dashboard/schemas';
import { cardIds } from '../../contract/dashboard/terms';
import type { Site } from '../../contract/sites/schemas';
import type { Person } from '../support/app';
import { read } from './analyticsSupport';

export type Dashboard = { readonly at: string; readonly timeZone: string; readonly cards: Cards };

/** Requests cards again while any has an error: on a busy machine a card may exceed its time limit, but it keeps loading and is ready later. A card that really fails keeps its error. */
export async function cardsOf(by: Person, site: Site, query = ''): Promise<Cards> {
  for (let attempt = 1; ; attempt++) {
    const { cards } = await read<Dashboard>(by, `/api/site/${site.id}/dashboard${query}`);
    if (attempt === 20 || cardIds.every((id) => cards[id]?.state !== 'error')) return cards;
    await setTimeout(500);
  }
}

export const dataOf = <K extends keyof Cards>(cards: Cards, id: K): NonNullable<NonNullable<Cards[K]>['data']> => {
  const card = cards[id];
  if (!card?.data) throw new Error(`no data of ${id}: ${card?.state}`);
  return card.data;
};
