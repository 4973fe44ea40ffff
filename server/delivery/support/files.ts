import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FileQuery, VisitorMessage } from '../../../contract/support/visitors';
import { supportLimits } from '../../../contract/support/terms';
import type { SupportFileKind } from '../../../contract/support/terms';
import { isUuid } from '../../../contract/uuid';
import type { IndexedSite } from '../../areas/sites';
import { effectiveSettings, findFile, findSent, openFile, storeFile } from '../../areas/support';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { expiryIn, isValid, sign } from '../../kit/challenge';
import type { KnownCall } from './calls';
import { sendMessage } from './write';
import { messageView } from './views';

/** Files of conversations, sent at signed addresses: pictures of a page cannot carry the token of the visitor. */

/** Bytes of a body, with some for what is above the limit of a site, so that the answer says so. */
export const mostFileBytes = supportLimits.fileMegabytes.most * 1_000_000 + 100_000;
/** Seconds for which an address is valid at least, and in which it does not change, so that browsers may cache pictures. */
const lifetime = 6 * 3600;
const step = 3600;

const types: Readonly<Record<SupportFileKind, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  pdf: ['application/pdf'],
  text: ['text/plain'],
};
/** What the dialog of a browser offers; files are accepted by their content. */
export const acceptedTypes = (kinds: readonly SupportFileKind[]): string[] => kinds.flatMap((kind) => types[kind]);

const signedFor = (id: string) => ({ purpose: 'support file', subject: id });

/** The address of a file, relative to the calls of visitors. */
export function filePath(ctx: Pick<Context, 'secrets' | 'now'>, id: string): string {
  const until = Math.ceil(Number(expiryIn(ctx, lifetime)) / step) * step;
  return `files/${id}/${sign(ctx, signedFor(id), String(until))}`;
}

export async function sendFile(ctx: Context, site: IndexedSite, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, key } = request.params as { readonly id: string; readonly key: string };
  if (!isUuid(id) || !isValid(ctx, signedFor(id), key)) return fail('not_found');
  const row = (await findFile(ctx, site.id, id)) ?? fail('not_found');
  const { file, headers } = openFile(ctx, row, false);
  // The page of a site elsewhere has another origin than the file.
  return reply.headers({ ...headers, 'cross-origin-resource-policy': 'cross-origin', 'content-length': String(row.size) }).send(file.read());
}

/** Stores a file as a message. Throws `unsupported_media_type` and `too_large`. */
export async function acceptFile(call: KnownCall, { clientId, name }: z.output<typeof FileQuery>, body: unknown): Promise<VisitorMessage> {
  const { ctx, site, conversation } = call;
  const sent = await findSent(ctx, conversation, clientId);
  if (sent) return messageView(ctx, sent) ?? fail('not_found');
  const { settings } = await effectiveSettings(ctx, site, conversation.language);
  if (!Buffer.isBuffer(body)) return fail('unsupported_media_type');
  const file = await storeFile(ctx, settings.files, { siteId: site.id, conversationId: conversation.id, author: 'visitor', name, bytes: body });
  return sendMessage(call, { clientId, text: file.name }, file.id);
}
