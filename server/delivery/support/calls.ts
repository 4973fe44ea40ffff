import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  FileQuery,
  HelloBody,
  NewConversation,
  NewMessage,
  OfflineForm,
  RatingBody,
  ReadBody,
  visitorSizes,
  VisitedPage,
} from '../../../contract/support/visitors';
import type { HelloResponse } from '../../../contract/support/visitors';
import { isUuid } from '../../../contract/uuid';
import { findConversationOf, findVisitor, latestConversationOf, markVisitorRead, rateConversation, seeVisitor, visitorTypes } from '../../areas/support';
import type { IndexedSite } from '../../areas/sites';
import type { Context } from '../../context';
import { downloadPlaces } from '../../http/download';
import { fail, Failure, fieldsOf } from '../../http/failure';
import { hashToken, makeToken } from '../../kit/tokens';
import type { KnownCall, VisitorCall } from './call';
import { languageOf, widgetConfig } from './config';
import type { PageTexts } from './config';
import { acceptFile, sendFile } from './files';
import type { VisitorLimits } from './limits';
import { makeStamp } from './stamp';
import type { VisitorSettings } from './settings';
import type { VisitorStreams } from './streams';
import { transcriptOf } from './transcript';
import { conversationView, messagesAfter, messagesBefore, responseOf } from './views';
import { begin, leaveForm, sendMessage, visitedPage } from './write';

export type VisitorServices = {
  readonly streams: VisitorStreams;
  readonly limits: VisitorLimits;
  readonly settings: VisitorSettings;
  /** What the texts on a page in this language depend on. */
  readonly pageOf: (site: IndexedSite, language: string) => Promise<PageTexts>;
};

const siteOf = (request: FastifyRequest): IndexedSite => request.supportSite ?? fail('not_found');

/** Throws `invalid_fields`. */
function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw new Failure('invalid_fields', { fields: fieldsOf(parsed.error, input) });
}

const tokenPattern = /^[\w-]{43}$/;
const tokenOf = ({ headers }: FastifyRequest): string | null => {
  const value = headers['x-visitor'];
  return typeof value === 'string' && tokenPattern.test(value) ? value : null;
};
const answer = (reply: FastifyReply, data: unknown): FastifyReply => reply.send({ data });

async function callOf(ctx: Context, request: FastifyRequest, { limits, settings }: VisitorServices): Promise<VisitorCall> {
  const site = siteOf(request);
  const token = tokenOf(request) ?? fail('unauthorized');
  await limits.count(request, 'calls', { siteId: site.id, token: null });
  const caller = { siteId: site.id, token: hashToken(token) };
  const visitor = await findVisitor(ctx, site.id, token);
  return { ctx, request, site, token, visitor, settings: () => settings.of(site.id), count: (call) => limits.count(request, call, caller) };
}

/** Throws `not_found` for conversations of others. */
async function knownCallOf(ctx: Context, request: FastifyRequest, services: VisitorServices): Promise<KnownCall> {
  const call = await callOf(ctx, request, services);
  const { id } = request.params as { readonly id: string };
  const conversation = call.visitor && isUuid(id) ? await findConversationOf(ctx, call.visitor, id.toLowerCase()) : null;
  if (call.visitor === null || conversation === null) return fail('not_found');
  return { ...call, visitor: call.visitor, conversation };
}

async function hello(ctx: Context, request: FastifyRequest, { limits, settings, pageOf }: VisitorServices): Promise<HelloResponse | { readonly config: null }> {
  const site = siteOf(request);
  const token = tokenOf(request);
  await limits.count(request, 'hello', { siteId: site.id, token: token === null ? null : hashToken(token) });
  const { language, url } = parse(HelloBody, request.body);
  const config = widgetConfig(await settings.of(site.id), await pageOf(site, languageOf(language, site)), url);
  if (config === null) return { config };
  const visitor = token === null ? null : await findVisitor(ctx, site.id, token);
  const latest = visitor && (await latestConversationOf(ctx, visitor));
  return {
    config,
    token: token ?? makeToken(),
    stamp: makeStamp(ctx, site.id),
    conversation: latest && { ...conversationView(latest.row), unread: latest.unread },
  };
}

const integer = (value: unknown, most: number): number | null => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Math.min(Number(value), most) : null);
const largest = 2_147_483_647;

async function readMessages({ ctx, visitor, conversation, request }: KnownCall) {
  const query = request.query as Readonly<Record<string, unknown>>;
  const after = integer(query['after'], largest);
  if (after !== null) {
    const found = await messagesAfter(ctx, visitor, conversation.id, after);
    return found ? responseOf(found) : fail('not_found');
  }
  const size = Math.max(1, integer(query['size'], visitorSizes.page) ?? 50);
  return (await messagesBefore(ctx, visitor, conversation.id, integer(query['before'], largest), size)) ?? fail('not_found');
}

function registerReading(app: FastifyInstance, ctx: Context, services: VisitorServices): void {
  const at = '/_cs/conversations/:id';
  app.get(`${at}/messages`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('reads');
    return answer(reply, await readMessages(call));
  });
  app.get(`${at}/events`, { compress: false }, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('streams');
    await seeVisitor(ctx, call.visitor);
    const after = integer(request.headers['last-event-id'], largest) ?? 0;
    return services.streams.open(request, reply, { visitor: call.visitor, conversationId: call.conversation.id, after });
  });
  app.get(`${at}/transcript`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('transcripts');
    return transcriptOf(ctx, reply, call);
  });
  app.get('/_cs/files/:id/:key', (request, reply) => sendFile(ctx, siteOf(request), request, reply));
}

function registerMarks(app: FastifyInstance, ctx: Context, services: VisitorServices): void {
  const at = '/_cs/conversations/:id';
  app.post(`${at}/typing`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('typing');
    visitorTypes(ctx, call.conversation);
    return answer(reply, null);
  });
  app.post(`${at}/read`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('reads');
    await markVisitorRead(ctx, call.conversation, parse(ReadBody, request.body).seq);
    const changed = await findConversationOf(ctx, call.visitor, call.conversation.id);
    return answer(reply, conversationView(changed ?? fail('not_found')));
  });
  app.post(`${at}/rating`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('reads');
    const { rating, comment } = parse(RatingBody, request.body);
    await rateConversation(ctx, call.conversation, rating, comment);
    const changed = await findConversationOf(ctx, call.visitor, call.conversation.id);
    return answer(reply, conversationView(changed ?? fail('not_found')));
  });
  app.post(`${at}/page`, async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('reads');
    await seeVisitor(ctx, call.visitor, { page: visitedPage(parse(VisitedPage, request.body)) });
    return answer(reply, null);
  });
}

/** The calls of visitors. Each counts against a limit before it reads anything, and against its own before it writes. */
export function createVisitorCalls(app: FastifyInstance, ctx: Context, services: VisitorServices): void {
  // A file is in memory until it is stored.
  const receivingPlace = downloadPlaces({ all: 20, each: 2 });
  app.post('/_cs/hello', async (request, reply) => answer(reply, await hello(ctx, request, services)));
  app.post('/_cs/conversations', async (request, reply) =>
    answer(reply, await begin(await callOf(ctx, request, services), parse(NewConversation, request.body))),
  );
  app.post('/_cs/form', async (request, reply) => {
    await leaveForm(await callOf(ctx, request, services), parse(OfflineForm, request.body));
    return answer(reply, null);
  });
  app.post('/_cs/conversations/:id/messages', async (request, reply) => {
    const call = await knownCallOf(ctx, request, services);
    await call.count('messages');
    return answer(reply, await sendMessage(call, parse(NewMessage, request.body)));
  });
  app.post('/_cs/conversations/:id/files', {
    // Before the body is read: a visitor who may send no more files sends no bytes either.
    onRequest: async (request, reply) => {
      const call = await knownCallOf(ctx, request, services);
      receivingPlace(reply, call.visitor.id);
      await call.count('files');
      request.supportCall = call;
    },
    handler: async (request, reply) => answer(reply, await acceptFile(request.supportCall ?? fail('not_found'), parse(FileQuery, request.query), request.body)),
  });
  registerReading(app, ctx, services);
  registerMarks(app, ctx, services);
}
