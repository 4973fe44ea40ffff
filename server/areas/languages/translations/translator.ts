import { mayOnSite } from '../../../../contract/permissions';
import type { SiteRole } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import type { SessionInfo, SiteAccess } from '../../../http/access';
import { fail } from '../../../http/failure';
import type { FastifyRequest } from 'fastify';
import { actorOf } from '../../audit';
import type { Actor } from '../../audit';
import { findSite } from '../../sites';
import { workingParts } from '../../publishing';
import { roleNow } from '../../tables';
import type { TextReader } from '../../tables';

type Site = { readonly id: string; readonly name: string; readonly defaultLang: string; readonly timeZone: string };

/** Who reads or writes translations, of which site. A token reads and writes records only with the scopes of content tables. */
export type Translator = {
  readonly site: Site;
  /** The default one first. */
  readonly languages: readonly string[];
  /** Beginnings of the addresses of the languages. */
  readonly prefixes: readonly string[];
  readonly userId: string;
  readonly actor: Actor;
  readonly reader: TextReader;
  readonly records: 'none' | 'read' | 'write';
  /** Whether they may see how many people visit the site. */
  readonly visitors: boolean;
};
/** What a job stores about the person who started it. */
export type StoredTranslator = Pick<Translator, 'userId' | 'actor' | 'records' | 'visitors'>;

const translator = async (
  ctx: Context,
  { id, name, defaultLang, timeZone }: Site,
  role: SiteRole,
  { userId, actor, records, visitors }: StoredTranslator,
): Promise<Translator> => {
  const { languages } = (await workingParts(ctx.postgres.db, { id, defaultLang })).languages.content;
  return {
    site: { id, name, defaultLang, timeZone },
    languages: languages.map(({ tag }) => tag),
    prefixes: languages.map(({ path }) => path),
    userId,
    actor,
    records,
    visitors: visitors && mayOnSite(role, 'analytics.read'),
    reader: { siteId: id, reader: { role, userId }, timeZone },
  };
};

type Caller = { readonly site: SiteAccess; readonly session: SessionInfo; readonly request: FastifyRequest };

export function translatorOf(ctx: Context, call: Caller): Promise<Translator> {
  const scopes = call.session.token?.scopes;
  const records = scopes === undefined || scopes.includes('tables:write') ? 'write' : scopes.includes('tables:read') ? 'read' : 'none';
  return translator(ctx, call.site.row, call.site.role, {
    userId: call.session.userId,
    actor: actorOf(call),
    records,
    visitors: scopes === undefined || scopes.includes('analytics:read'),
  });
}

/** The person who started a job with their present role. Throws `forbidden` once they may not translate any more. */
export async function translatorNow(ctx: Context, siteId: string, stored: StoredTranslator): Promise<Translator> {
  const [site, role] = await Promise.all([findSite(ctx, siteId), roleNow(ctx.postgres.db, siteId, stored.userId)]);
  if (!site || role === null || !mayOnSite(role, 'site.publish')) return fail('forbidden');
  return translator(ctx, site, role, stored);
}

export const storedTranslator = ({ userId, actor, records, visitors }: Translator): StoredTranslator => ({ userId, actor, records, visitors });

/** Throws `invalid_fields` unless the site has the language. */
export function requireLanguage({ languages }: Translator, tag: string): void {
  if (!languages.includes(tag)) fail('invalid_fields', { fields: { tag: { code: 'unknown' } } });
}
