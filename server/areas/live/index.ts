import type { FastifyInstance } from 'fastify';
import { liveEndpoints as endpoints } from '../../../contract/live/schemas';
import type { LiveEvent } from '../../../contract/live/schemas';
import { may, mayOnSite } from '../../../contract/permissions';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { openEventStream } from '../../http/sse';
import type { EventStream } from '../../http/sse';
import { maySeeJob } from '../jobs';
import { currentSession, openAmong } from '../session';
import type { Area, SiteTopic } from '../area';

/** Tabs share one stream; a few more are for browsers that are closing theirs. */
const mostStreams = 6;
/** A session that ends without a word (idle, absolute limit, a lost notification) closes its streams within this time. */
const sweepEvery = 4000;

type Reader = {
  /** As it was when last looked at; a change of the person has it read again. */
  session: SessionInfo;
  readonly topics: ReadonlySet<string>;
  readonly stream: EventStream;
  /** With what the reader is on the site. */ allowedTopics: Map<string, SiteRole>;
  /** The last event being looked at: one after the other, so that a right that was lost counts for everything after. */ tail: Promise<void>;
};

/** Live changes, the topics of other areas among them. */
export const area: Area = {
  register: (app, ctx, areas) =>
    register(
      app,
      ctx,
      areas.flatMap(({ siteTopics }) => siteTopics ?? []),
    ),
};

/** Who may know what: the topics that a reader is let into, and what they see of an event. */
function topicsOfSites(app: FastifyInstance, ctx: Context, siteTopics: readonly SiteTopic[]) {
  const topicOf = new Map(siteTopics.map((topic) => [topic.kind, topic]));
  const topicOfEvent = new Map(siteTopics.flatMap((topic) => topic.events.map((type) => [type, topic] as const)));

  /** Those of the topics about a site (`als:<id>`, `table:<id>`) that this reader may know about. */
  async function allowedOf(session: SessionInfo, topics: ReadonlySet<string>): Promise<Map<string, SiteRole>> {
    const allowed = new Map<string, SiteRole>();
    for (const topic of topics) {
      const [kind = '', siteId = ''] = topic.split(':');
      const known = topicOf.get(kind);
      if (known === undefined) continue;
      const site = await app.accessSource.site(session, siteId);
      if (site && site.row.state !== 'deleted' && mayOnSite(site.role, known.action)) allowed.set(topic, site.role);
    }
    return allowed;
  }

  /** What this reader may see of an event: all, a part, or nothing. */
  async function visibleTo(reader: Reader, event: LiveEvent): Promise<LiveEvent | null> {
    const topic = topicOfEvent.get(event.type);
    if (topic === undefined || !('siteId' in event)) return (await isVisible(reader, event)) ? event : null;
    const role = reader.allowedTopics.get(`${topic.kind}:${event.siteId}`);
    if (role === undefined) return null;
    return topic.visibleTo ? topic.visibleTo(ctx, role, event) : event;
  }

  /** Events that are about no area of a site. */
  async function isVisible(reader: Reader, event: LiveEvent): Promise<boolean> {
    switch (event.type) {
      case 'sessionEnded':
        return event.sessionId === reader.session.id;
      case 'user':
        if (reader.topics.has('people') && may(reader.session.role, 'people.read')) return true;
        return reader.topics.has('user') && event.userId === reader.session.userId;
      case 'notice':
        return reader.topics.has('user') && event.userId === reader.session.userId;
      case 'site':
        // The access to an erased site cannot be checked any more; that a name is gone reveals nothing.
        return reader.topics.has('sites') && (event.change === 'removed' || (await app.accessSource.site(reader.session, event.siteId)) !== null);
      case 'job':
        return reader.topics.has('jobs') && (await maySeeJob(ctx, reader.session, event.jobId));
      default:
        return false;
    }
  }

  return { allowedOf, visibleTo };
}

/** `GET /api/core/stream`: changes by topic. Topics that the reader may not see are omitted silently. */
function register(app: FastifyInstance, ctx: Context, siteTopics: readonly SiteTopic[]): void {
  const readers = new Set<Reader>();
  const { allowedOf, visibleTo } = topicsOfSites(app, ctx, siteTopics);

  /** A stream lives longer than a role: what the reader may hear follows the person. False when the session has ended. */
  async function refresh(reader: Reader): Promise<boolean> {
    const session = await currentSession(ctx, reader.session.id);
    if (session) reader.session = session;
    else end(reader);
    return session !== null;
  }

  function end({ session, stream }: Reader): void {
    stream.send({ type: 'sessionEnded', sessionId: session.id } satisfies LiveEvent);
    stream.close();
  }

  async function pass(reader: Reader, event: LiveEvent): Promise<void> {
    const own = event.type === 'user' && event.userId === reader.session.userId;
    if (own && !(await refresh(reader))) return;
    if (own || event.type === 'site') reader.allowedTopics = await allowedOf(reader.session, reader.topics);
    const visible = await visibleTo(reader, event);
    if (!visible) return;
    reader.stream.send(visible);
    if (event.type === 'sessionEnded') reader.stream.close();
  }

  const unsubscribe = ctx.live.subscribe((event) => {
    for (const reader of readers) {
      reader.tail = reader.tail
        .then(() => pass(reader, event))
        .catch((error: unknown) => ctx.log.warn('A live event could not be passed on', { type: event.type, error }));
    }
  });

  async function closeEnded(): Promise<void> {
    if (readers.size === 0) return;
    const open = await openAmong(ctx.postgres.db, [...new Set([...readers].map((reader) => reader.session.id))], new Date(ctx.now()));
    for (const reader of readers) if (!open.has(reader.session.id)) end(reader);
  }
  const sweep = setInterval(
    () => void closeEnded().catch((error: unknown) => ctx.log.warn('Streams could not be checked for ended sessions', { error })),
    sweepEvery,
  );

  app.addHook('preClose', async () => {
    clearInterval(sweep);
    unsubscribe();
    for (const { stream } of readers) stream.close();
  });

  route(app, ctx, endpoints.stream, async ({ session, query, request, reply }) => {
    const mine = [...readers].filter((reader) => reader.session.id === session.id);
    if (mine.length >= mostStreams) fail('too_many_requests', { retryAfter: 10 });
    const topics = new Set([query.topic ?? []].flat());
    const allowedTopics = await allowedOf(session, topics);
    const reader: Reader = { session, topics, allowedTopics, stream: openEventStream(request, reply), tail: Promise.resolve() };
    readers.add(reader);
    void reader.stream.closed.then(() => readers.delete(reader));
    return reply;
  });
}
