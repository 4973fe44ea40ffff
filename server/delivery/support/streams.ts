import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamLimits } from '../../../contract/support/visitors';
import type { VisitorEvent } from '../../../contract/support/visitors';
import { conversationVersions, openWakeups, seeVisitors } from '../../areas/support';
import type { VisitorRow } from '../../areas/support';
import type { Context } from '../../context';
import { addressGroup, clientAddress } from '../../http/address';
import { fail } from '../../http/failure';
import { openEventStream } from '../../http/sse';
import type { EventStream } from '../../http/sse';
import { conversationView, messagesAfter } from './views';

/** Milliseconds in which every stream is looked at once for what a lost event would have announced. */
const checkEvery = 20_000;
/** Groups of streams that are looked at one after the other: all at once would delay the messages of that moment. */
const groupCount = 20;

type Opened = { readonly visitor: VisitorRow; readonly conversationId: string; readonly after: number };

/** The stream of one visitor about one conversation: rows after the last version that was sent, whatever woke it. */
class VisitorStream {
  readonly conversationId: string;
  version: number;
  private readonly ctx: Context;
  readonly visitor: VisitorRow;
  private readonly stream: EventStream;
  private isReading = false;
  private isAwoken = false;
  private state = '';

  constructor(ctx: Context, stream: EventStream, { visitor, conversationId, after }: Opened) {
    this.ctx = ctx;
    this.stream = stream;
    this.visitor = visitor;
    this.conversationId = conversationId;
    this.version = after;
  }

  send(event: VisitorEvent, id?: number): void {
    this.stream.send(event, id);
  }

  end(): void {
    this.stream.close();
  }

  /** Sends what is stored and was not sent. Wakeups while it reads lead to one more reading. */
  async wake(): Promise<void> {
    this.isAwoken = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isAwoken && !this.stream.isClosed()) {
        await this.stream.drained();
        this.isAwoken = false;
        await this.read();
      }
    } catch (error) {
      this.ctx.log.warn('A stream of a visitor could not be read; it ends and resumes', { error });
      this.end();
    } finally {
      this.isReading = false;
    }
  }

  private async read(): Promise<void> {
    const found = await messagesAfter(this.ctx, this.visitor, this.conversationId, this.version, streamLimits.event);
    if (found === null) return this.end();
    const { row, page, messages } = found;
    const conversation = conversationView(row);
    const state = JSON.stringify({ ...conversation, version: 0 });
    this.version = page.version;
    if (page.more) this.isAwoken = true;
    if (messages.length > 0) this.send({ type: 'messages', messages, version: page.version, conversation }, page.version);
    else if (state !== this.state) this.send({ type: 'conversation', conversation });
    this.state = state;
  }
}

/** Numbers by key, of which only those above zero are in memory. */
function createTally() {
  const numbers = new Map<string, number>();
  return {
    of: (key: string): number => numbers.get(key) ?? 0,
    add(key: string, by: 1 | -1): void {
      const left = (numbers.get(key) ?? 0) + by;
      if (left === 0) numbers.delete(key);
      else numbers.set(key, left);
    },
  };
}

export type VisitorStreams = {
  /** Throws `too_many_requests` if the visitor, the address or this process has too many: those who have none poll. */
  readonly open: (request: FastifyRequest, reply: FastifyReply, opened: Opened) => FastifyReply;
  readonly close: () => void;
};

/** All streams of this process. One timer says in groups that their visitors are there, and finds what a lost event would have announced. */
export function openVisitorStreams(ctx: Context): VisitorStreams {
  const wakeups = openWakeups(ctx);
  const groups = Array.from({ length: groupCount }, () => new Set<VisitorStream>());
  const streams = new Set<VisitorStream>();
  const [byVisitor, byAddress] = [createTally(), createTally()];
  let [openedBefore, checked] = [0, 0];

  async function check(group: readonly VisitorStream[]): Promise<void> {
    if (group.length === 0) return;
    await seeVisitors(ctx, [...new Set(group.map(({ visitor }) => visitor.id))]);
    const versions = await conversationVersions(ctx, [...new Set(group.map(({ conversationId }) => conversationId))]);
    for (const stream of group) if ((versions.get(stream.conversationId) ?? 0) > stream.version) void stream.wake();
  }
  const timer = setInterval(() => {
    const group = [...(groups[checked++ % groupCount] ?? [])];
    check(group).catch((error: unknown) => ctx.log.warn('Streams of visitors could not be checked', { error }));
  }, checkEvery / groupCount);
  timer.unref();

  return {
    open(request, reply, opened) {
      const { id } = opened.visitor;
      const address = addressGroup(clientAddress(request));
      const isFull = streams.size >= streamLimits.inTotal || byAddress.of(address) >= streamLimits.perAddress || byVisitor.of(id) >= streamLimits.perVisitor;
      if (isFull) fail('too_many_requests', { retryAfter: streamLimits.retryAfter });
      const events = openEventStream(request, reply, { mostWaiting: streamLimits.bytes });
      const stream = new VisitorStream(ctx, events, opened);
      const group = groups[openedBefore++ % groupCount];
      streams.add(stream);
      group?.add(stream);
      byVisitor.add(id, 1);
      byAddress.add(address, 1);
      const stop = wakeups.watch(opened.conversationId, (event) => {
        if (event.type === 'support') void stream.wake();
        else if (event.userId !== null) stream.send({ type: 'typing' });
      });
      void events.closed.then(() => {
        stop();
        streams.delete(stream);
        group?.delete(stream);
        byVisitor.add(id, -1);
        byAddress.add(address, -1);
      });
      void stream.wake();
      return reply;
    },
    close() {
      clearInterval(timer);
      wakeups.close();
      for (const stream of streams) stream.end();
    },
  };
}
