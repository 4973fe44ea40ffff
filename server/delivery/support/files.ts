import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FileQuery, VisitorMessage } from '../../../contract/support/visitors';
import { isUuid } from '../../../contract/uuid';
import type { IndexedSite } from '../../areas/sites';
import { fileKey, findFile, findSent, storeFile } from '../../areas/support';
import type { Context } from '../../context';
import { asDownload } from '../../http/download';
import { fail } from '../../http/failure';
import type { KnownCall } from './call';
import { isFileKey } from './fileAddress';
import { sendMessage } from './write';
import { messageView } from './views';

/** Files of conversations. */

export async function sendFile(ctx: Context, site: IndexedSite, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id, key } = request.params as { readonly id: string; readonly key: string };
  if (!isUuid(id) || !isFileKey(ctx, id, key)) return fail('not_found');
  const row = (await findFile(ctx, site.id, id)) ?? fail('not_found');
  const type = row.contentType === 'text/plain' ? 'text/plain; charset=utf-8' : row.contentType;
  return asDownload(reply, row.name, type)
    .headers({
      'content-length': String(row.size),
      'content-security-policy': "default-src 'none'; sandbox",
      // The page of a site elsewhere has another origin than the file.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=3600',
    })
    .send(ctx.files.read(fileKey(row)));
}

/** Stores a file as a message. Throws `unsupported_media_type` and `too_large`. */
export async function acceptFile(call: KnownCall, { clientId, name }: z.output<typeof FileQuery>, body: unknown): Promise<VisitorMessage> {
  const { ctx, site, conversation } = call;
  const sent = await findSent(ctx, conversation, clientId);
  if (sent) return messageView(ctx, sent) ?? fail('not_found');
  const { settings } = await call.settings();
  if (!Buffer.isBuffer(body)) return fail('unsupported_media_type');
  const file = await storeFile(ctx, settings.files, { siteId: site.id, conversationId: conversation.id, author: 'visitor', name, bytes: body });
  return sendMessage(call, { clientId, text: file.name }, file.id);
}
