import { createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import type { EntityState, PayloadAction } from '@reduxjs/toolkit';
import type { Site } from '@contract/sites/schemas';
import { startUpReplaced } from '@/store/events';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { sitesApi } from './sitesApi';

/** `load` is the state of the start-up load: its data is kept while a refresh runs or fails. */
type Load = { status: 'loading' | 'ready' | 'failed'; refreshing: boolean; failure: ApiFailure | null };
type State = EntityState<Site, string> & { load: Load };
const sitesAdapter = createEntityAdapter<Site>();
const initialState: State = sitesAdapter.getInitialState({ load: { status: 'loading', refreshing: false, failure: null } });

/** A site in the bin is removed from the list; any other replaces the one with its id, or is appended. */
function take(state: State, site: Site): void {
  if (site.state === 'deleted') sitesAdapter.removeOne(state, site.id);
  else sitesAdapter.setOne(state, site);
}

const { load, site, createSite, changeSite, setSiteState, deleteSite, pinSite } = sitesApi.endpoints;

export const sitesSlice = createSlice({
  name: 'sites',
  initialState,
  reducers: {
    added: (state, { payload }: PayloadAction<Site>) => {
      sitesAdapter.addOne(state, payload);
    },
    /** Replaces the site with the same id; an unknown id has no effect. */
    replacedById: (state, { payload }: PayloadAction<Site>) => {
      if (payload.id in state.entities) sitesAdapter.setOne(state, payload);
    },
    /** The person can no longer see the site. */
    removed: (state, { payload }: PayloadAction<string>) => {
      sitesAdapter.removeOne(state, payload);
    },
  },
  extraReducers: (b) => {
    b.addCase(startUpReplaced, (state, { payload }) => {
      sitesAdapter.setAll(state, payload.sites);
      state.load = { status: 'ready', refreshing: false, failure: null };
    })
      // Optimistic: a pin is personal and harmless.
      .addMatcher(pinSite.matchPending, (state, { meta }) => {
        const { siteId, body } = meta.arg.originalArgs;
        const before = state.entities[siteId];
        if (before) before.pinned = body.pinned;
      })
      .addMatcher(pinSite.matchRejected, (state, { meta }) => {
        const { siteId, body } = meta.arg.originalArgs;
        const before = state.entities[siteId];
        if (before) before.pinned = !body.pinned;
      })
      .addMatcher(load.matchPending, (state) => {
        if (state.load.status === 'ready') state.load.refreshing = true;
        else state.load = { status: 'loading', refreshing: false, failure: null };
      })
      .addMatcher(load.matchFulfilled, (state, { payload }) => {
        sitesAdapter.setAll(state, payload.sites);
        state.load = { status: 'ready', refreshing: false, failure: null };
      })
      .addMatcher(load.matchRejected, (state, { payload, meta }) => {
        if (meta.condition) return;
        state.load.refreshing = false;
        state.load.failure = isFailure(payload) ? payload : null;
        if (state.load.status !== 'ready') state.load.status = 'failed';
      });
    for (const endpoint of [site, createSite, changeSite, setSiteState, deleteSite, pinSite]) {
      b.addMatcher(endpoint.matchFulfilled, (state, { payload }: { payload: Site }) => {
        take(state, payload);
      });
    }
  },
  selectors: { selectLoad: (state) => state.load },
});

export const { added, replacedById, removed } = sitesSlice.actions;
export const { selectLoad } = sitesSlice.selectors;

type Root = { sites: State };
export const { selectAll: selectSites } = sitesAdapter.getSelectors((root: Root) => root.sites);
/** undefined if it does not exist or the person may not see it. */
export const selectSite = (root: Root, id: string | undefined): Site | undefined => (id === undefined ? undefined : root.sites.entities[id]);
/** Pinned first, then in server order. */
export const selectSitesPinnedFirst = createSelector([selectSites], (sites) => [...sites.filter((s) => s.pinned), ...sites.filter((s) => !s.pinned)]);
