import { configureStore } from '@reduxjs/toolkit';
import type { DevToolsEnhancerOptions } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { listenToSession } from '@/features/session/sessionListeners';
import { api } from './api';
import { makeListenerMiddleware } from './listeners';
import type { StartListening } from './listeners';
import { rootReducer } from './rootReducer';
import type { RootState } from './rootReducer';

/** A store with all its listeners. Tests create one each. */
export function makeStore({ preloadedState, devTools = false }: { preloadedState?: RootState | undefined; devTools?: DevToolsEnhancerOptions | false } = {}) {
  const listeners = makeListenerMiddleware();
  const store = configureStore({
    reducer: rootReducer,
    ...(preloadedState === undefined ? {} : { preloadedState }),
    middleware: (defaults) => defaults().prepend(listeners.middleware).concat(api.middleware),
    devTools,
  });
  const start = listeners.startListening as StartListening;
  listenToSession(start);
  setupListeners(store.dispatch);
  return store;
}

export type AppStore = ReturnType<typeof makeStore>;
export type AppDispatch = AppStore['dispatch'];
export type { RootState } from './rootReducer';
