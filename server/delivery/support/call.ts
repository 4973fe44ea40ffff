import type { FastifyRequest } from 'fastify';
import type { LimitedCall } from '../../../contract/support/visitors';
import type { IndexedSite } from '../../areas/sites';
import type { ConversationRow, VisitorRow } from '../../areas/support';
import type { Context } from '../../context';
import type { SettingsNow } from './settings';

declare module 'fastify' {
  interface FastifyRequest {
    /** A call that was admitted before its body is read. */
    supportCall: KnownCall | null;
  }
}

/** A call of a visitor whose token was sent. `visitor` null: nothing is stored about the visitor yet. */
export type VisitorCall = {
  readonly ctx: Context;
  readonly request: FastifyRequest;
  readonly site: IndexedSite;
  readonly token: string;
  readonly visitor: VisitorRow | null;
  /** What applies to visitors of the site now. */
  readonly settings: () => Promise<SettingsNow>;
  /** Counts the call against the limits. */
  readonly count: (call: LimitedCall) => Promise<void>;
};
export type KnownCall = VisitorCall & { readonly visitor: VisitorRow; readonly conversation: ConversationRow };
