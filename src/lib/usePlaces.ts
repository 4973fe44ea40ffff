import type * as contractPlaces from '@contract/places';
import { useSyncExternalStore } from 'react';

type Places = typeof contractPlaces;

let places: Places | null = null;
let requested = false;
const listeners = new Set<() => void>();

const subscribe = (onChange: () => void): (() => void) => {
  listeners.add(onChange);
  if (!requested) {
    requested = true;
    import(/* webpackChunkName: "places" */ '@contract/places').then(
      (found) => {
        places = found;
        for (const one of listeners) one();
      },
      // Codes remain readable without their names; the next screen retries.
      () => {
        requested = false;
      },
    );
  }
  return () => listeners.delete(onChange);
};

/** Names of countries, provinces, cities, search engines, browsers and systems, loaded on first use; null until then. */
export const usePlaces = (): Places | null => useSyncExternalStore(subscribe, () => places);
