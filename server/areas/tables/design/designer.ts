import type { FastifyRequest } from 'fastify';
import type { Locale } from '../../../http/access';
import { actorOf } from '../../audit';
import { readerOf } from '../access';
import type { Caller } from '../access';
import type { Designer } from './design';

/** A call of somebody who designs tables. */
export type DesignCall = Caller & { readonly request: FastifyRequest; readonly locale: Locale };

export const designerOf = (call: DesignCall): Designer => ({
  siteId: call.site.id,
  lang: call.site.row.defaultLang,
  actor: actorOf(call),
  userId: call.session.userId,
  reader: readerOf(call),
  locale: call.locale,
});
