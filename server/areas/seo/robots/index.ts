import type { FastifyInstance } from 'fastify';
import { robotsEndpoints as endpoints } from '../../../../contract/seo/robotsSchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { changeRobots, readRobots, restoreRobots, robotsVersions, whatIf } from './robots';

export { robotsTextOf } from './queries';
export { installRobots, removeInstalledRobots } from './robots';
export { closedRobots, robotsText } from './text';

/** robots.txt: what it says, what another one would change, and its versions. */
export function registerRobots(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.robots, (call) => readRobots(ctx, call));
  route(app, ctx, endpoints.changeRobots, (call) => changeRobots(ctx, call));
  route(app, ctx, endpoints.robotsVersions, (call) => robotsVersions(ctx, call));
  route(app, ctx, endpoints.restoreRobots, (call) => restoreRobots(ctx, call));
  route(app, ctx, endpoints.robotsWhatIf, (call) => whatIf(ctx, call));
}
