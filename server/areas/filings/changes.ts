import type { Context } from '../../context';
import type { Actor } from '../audit';
import type { FilingRow } from './queries';

/** What every change of a filing does. */

/** Delivered pages follow, and open consoles fetch it. */
export const announce = (ctx: Pick<Context, 'live'>, siteId: string): void => ctx.live.publish({ type: 'filings', siteId });

/** The filing in the audit log. */
export const about = ({ id, siteId, number, serviceName, kind }: FilingRow) => ({
  siteId,
  target: { kind: 'filing', id, name: number === '' ? (serviceName === '' ? kind : serviceName) : number },
});
export const authorOf = (actor: Actor): string | null => (actor.kind === 'person' || actor.kind === 'token' ? actor.id : null);
