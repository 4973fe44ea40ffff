import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { registerAvatar } from './avatar';
import { registerClosing } from './closing';
import { registerEmail } from './email';
import { erasePerson, exportPerson } from './personalData';
import { registerPassword } from './password';
import { registerProfile } from './profile';
import * as queries from './queries';
import { registerRecovery } from './recovery';
import { registerRename } from './rename';
import type { Area } from '../area';

export { assertNotLastOwner, deletePerson } from './deletion';
export { askToConfirm } from './email';
export { claimLoginName } from './names';
export { originOf } from './notify';
export { rescue } from './rescue';

function register(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  registerProfile(app, ctx);
  registerAvatar(app, ctx);
  registerRename(app, ctx);
  registerPassword(app, ctx);
  registerRecovery(app, ctx);
  registerEmail(app, ctx);
  registerClosing(app, ctx, areas);
}

/** Releases reserved names after 90 days. Runs on a schedule. */
const releaseNames = async (ctx: Context): Promise<void> => void (await queries.releaseNamesBefore(ctx.postgres.db, new Date(ctx.now())));

export const area: Area = {
  register,
  erasePerson,
  exportPerson,
  schedules: [{ name: 'names.release', every: 24 * 3_600_000, run: releaseNames }],
};
