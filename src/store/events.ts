import { createAction } from '@reduxjs/toolkit';
import type { StartUp } from '@contract/sites/schemas';

/** Replaces the whole start-up data locally, without another request. */
export const startUpReplaced = createAction<StartUp>('startUp/replaced');
/** The person signed out, here or in another tab: every slice starts again. */
export const signedOut = createAction('session/signedOut');
/** Another person signed in through another tab: what belongs to the former one goes, the page stays. */
export const otherPersonSeen = createAction('session/otherPersonSeen');
/** A call was answered 401 although a session had been present. */
export const sessionExpired = createAction('session/expired');
/** The server answered with another build than the one that runs here. */
export const newBuildSeen = createAction<string>('build/newSeen');
