import { createAction } from '@reduxjs/toolkit';
import type { StartUp } from '@contract/sites/schemas';

/** Replaces the whole start-up data locally, without a request. */
export const startUpReplaced = createAction<StartUp>('startUp/replaced');
/** The person signed out, here or, at a time in epoch ms, in another tab: every slice is reset. */
export const signedOut = createAction<number | undefined>('session/signedOut');
/** Another person signed in through another tab: the former person's data is removed, the page stays. */
export const personReplaced = createAction('session/personReplaced');
/** A call returned 401 although there had been a session. */
export const sessionExpired = createAction('session/expired');
/** The server runs another build than this page. */
export const newBuildDetected = createAction<string>('build/newDetected');
