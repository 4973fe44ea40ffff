import { createListenerMiddleware } from '@reduxjs/toolkit';
import type { TypedStartListening } from '@reduxjs/toolkit';
import type { AppDispatch } from './index';
import type { RootState } from './rootReducer';

export type StartListening = TypedStartListening<RootState, AppDispatch>;

/** One per store, so that tests are independent. */
export const makeListenerMiddleware = () => createListenerMiddleware();
