import type { FastifyRequest } from 'fastify';
import type { Need } from '../../../contract/dashboard/terms';
import { may, mayOnSite } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { Locale, SessionInfo, SiteAccess } from '../../http/access';
import type { Arrivals } from '../analytics';
import type { SupportState } from './support';

/** What every card is read with. */
export type CardCall = {
  readonly ctx: Context;
  readonly site: SiteAccess;
  readonly session: SessionInfo;
  readonly locale: Locale;
  readonly request: FastifyRequest;
  /** What the collector of this process has seen. */
  readonly arrivals: () => Arrivals;
  /** Customer service, read once for all cards. */
  readonly support: () => Promise<SupportState>;
};

/** Whether a caller may see what needs this: their role, and the scopes of their token. */
export const isAllowed = ({ action, scope }: Need, { site, session }: Pick<CardCall, 'site' | 'session'>): boolean =>
  ('site' in action ? mayOnSite(site.role, action.site) : may(session.role, action.instance)) &&
  (session.token === null || session.token.scopes.includes(scope));
