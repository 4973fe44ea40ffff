import type * as contractPlaces from '@contract/places';
import { useSyncExternalStore } from 'react';

type Places = typeof contractPlaces;

let places: Places | null = null;
let asked = false;
const hearers = new Set<() => void>();

const subscribe = (hear: () => void): (() => void) => {
  hearers.add(hear);
  if (!asked) {
    asked = true;
    import(/* webpackChunkName: "places" */ '@contract/places').then(
      (found) => {
        places = found;
        for (const one of hearers) one();
      },
      // Codes remain readable without their names; the next screen retries.
      () => {
        asked = false;
      },
    );
  }
  return () => hearers.delete(hear);
};

/** Names of countries, provinces, cities, search engines, browsers and systems, loaded on first use; null until then. */
export const usePlaces = (): Places | null => useSyncExternalStore(subscribe, () => places);
