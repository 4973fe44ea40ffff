import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { sweepFactors } from './factorQueries';
import { registerFactors } from './factorRoutes';
import * as queries from './queries';
import { registerSessions } from './sessionRoutes';
import { deviceLifetime } from './sessions';
import { registerSignIn } from './signIn';

export { renameEvery } from './factorRoutes';
export { removeFactors } from './factors';
export { findLoginNameError } from './loginNames';
export { tellPerson } from './mails';
export { newPassword, findPasswordError } from './passwords';
export {
  announceEnd,
  clearSessionCookie,
  currentSession,
  deleteSessions,
  endSessionsOf,
  forgetDevices,
  knownDevice,
  readSession,
  rememberBrowser,
  replaceToken,
  rotateSessionsOf,
  rotateToken,
  startSession,
} from './sessions';
import type { Area } from '../area';
import { erasePerson, exportPerson } from './personalData';
import { sweepLinks } from './links';
import { createThrottle } from '../../kit/throttle';
export { enrolmentOf, policyOf } from './policy';
export { skeletonOf } from './skeleton';
export { endLinks, makeLink, readLink, useLink } from './links';
export { ensureSetUpToken } from './setup';
export { provePassword } from './sessionRoutes';
export { findUserToSignIn, openAmong } from './queries';

function register(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx);
  registerSessions(app, ctx, throttle);
  registerSignIn(app, ctx, throttle);
  registerFactors(app, ctx, throttle);
}

/** Deletes sessions, counters, tickets and challenges that ended a day ago, and browsers unused for a year. Runs on a schedule. */
async function sweepSessions(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const yesterday = new Date(ctx.now() - 24 * 3_600_000);
  await queries.sweep(db, yesterday);
  await sweepFactors(db, yesterday);
  await queries.sweepDevices(db, new Date(ctx.now() - deviceLifetime));
}

export const area: Area = {
  register,
  erasePerson,
  exportPerson,
  schedules: [
    { name: 'sessions.sweep', every: 3_600_000, run: sweepSessions },
    { name: 'links.sweep', every: 24 * 3_600_000, run: sweepLinks },
  ],
};
