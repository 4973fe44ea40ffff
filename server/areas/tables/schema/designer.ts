import type { FastifyRequest } from 'fastify';
import { mayOnSite } from '../../../../contract/permissions';
import type { SiteRole } from '../../../../contract/permissions';
import type { Locale } from '../../../http/access';
import { actorOf } from '../../audit';
import { readerOf } from '../core/access';
import type { Caller } from '../core/access';
import type { Designer } from './design';

/** A call of a person who designs tables. */
export type DesignCall = Caller & { readonly request: FastifyRequest; readonly locale: Locale };

export const designs = ({ site, session }: Caller): boolean =>
  mayOnSite(site.role, 'tables.design') && (session.token === null || session.token.scopes.includes('tables:design'));

/** Who started a job, from its input. */
type Starter = Pick<Designer, 'lang' | 'actor' | 'userId' | 'locale'>;
/** The person who started a job, with their current role. */
export const designerBy = (siteId: string, { lang, actor, userId, locale }: Starter & { readonly userId: string }, role: SiteRole): Designer => ({
  siteId,
  lang,
  actor,
  userId,
  reader: { role, userId },
  locale,
});

export const designerOf = (call: DesignCall): Designer => ({
  siteId: call.site.id,
  lang: call.site.row.defaultLang,
  actor: actorOf(call),
  userId: call.session.userId,
  reader: readerOf(call),
  locale: call.locale,
});
