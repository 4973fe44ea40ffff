import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pingEvery, streamLimits } from '../../../contract/support/visitors';
import type { VisitorEvent } from '../../../contract/support/visitors';
import { conversationVersions, openWakeups, seeVisitors } from '../../areas/support';
import type { VisitorRow } from '../../areas/support';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { conversationView, messagesAfter } from './views';

/** Groups of streams that are pinged one after the other: all at once would delay the messages of that moment. */
const groupCount = 20;
/** Milliseconds after which a browser that reads the stream by itself reconnects. */
const retry = 2000;

type Opened = { readonly visitor: VisitorRow; readonly conversationId: string; readonly after: number };

/** The stream of one visitor about one conversation: rows after the last version that was sent, whatever woke it. */
class VisitorStream {
  readonly visitor: VisitorRow;
  readonly conversationId: string;
  version: number;
  private readonly ctx: Context;
  private readonly body = new Readable({ read() {} });
  private isReading = false;
  private isAwoken = false;
  private state = '';
  private response: FastifyReply['raw'] | null = null;

  constructor(ctx: Context, { visitor, conversationId, after }: Opened) {
    this.ctx = ctx;
    this.visitor = visitor;
    this.conversationId = conversationId;
    this.version = after;
    // Destroying the stream aborts the response; without a listener Node would end the process.
    this.body.on('error', () => undefined);
    this.write(`retry: ${String(retry)}\n\n`);
  }

  /** `closed` is called once. */
  answer(request: FastifyRequest, reply: FastifyReply, closed: () => void): FastifyReply {
    this.body.once('close', closed);
    this.response = reply.raw;
    request.raw.once('close', () => this.body.destroy());
    return reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }).send(this.body);
  }

  write(text: string): void {
    if (this.body.destroyed) return;
    this.body.push(text);
    // A reader that is too slow resumes by its last version.
    if (this.body.readableLength > streamLimits.bytes) this.body.destroy();
  }

  send(event: VisitorEvent, id?: number): void {
    this.write(`${id === undefined ? '' : `id: ${String(id)}\n`}data: ${JSON.stringify(event)}\n\n`);
  }

  end(): void {
    if (!this.body.destroyed) this.body.push(null);
  }

  /** Sends what is stored and was not sent. Wakeups while it reads lead to one more reading. */
  async wake(): Promise<void> {
    this.isAwoken = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isAwoken && !this.body.destroyed) {
        await this.drained();
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

  /** Waits until the reader has received what was sent: only then are further rows read. */
  private async drained(): Promise<void> {
    const { response } = this;
    if (!response?.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        response.off('drain', end).off('close', end);
        resolve();
      };
      response.on('drain', end).on('close', end);
    });
  }

  private async read(): Promise<void> {
    const found = await messagesAfter(this.ctx, this.visitor, this.conversationId, this.version, streamLimits.messages);
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

export type VisitorStreams = {
  /** Throws `too_many_requests` if the visitor, or this process, has too many. */
  readonly open: (request: FastifyRequest, reply: FastifyReply, opened: Opened) => FastifyReply;
  readonly count: () => number;
  readonly close: () => void;
};

/** All streams of this process. One timer pings them in groups, says that their visitors are there, and finds what a lost event would have announced. */
export function openVisitorStreams(ctx: Context): VisitorStreams {
  const wakeups = openWakeups(ctx);
  const groups = Array.from({ length: groupCount }, () => new Set<VisitorStream>());
  const streams = new Set<VisitorStream>();
  let [openedBefore, checked] = [0, 0];
  const byVisitor = new Map<string, number>();
  const count = (id: string, by: 1 | -1): void => {
    const left = (byVisitor.get(id) ?? 0) + by;
    if (left === 0) byVisitor.delete(id);
    else byVisitor.set(id, left);
  };

  async function check(group: readonly VisitorStream[]): Promise<void> {
    for (const stream of group) stream.write(': ping\n\n');
    if (group.length === 0) return;
    await seeVisitors(ctx, [...new Set(group.map(({ visitor }) => visitor.id))]);
    const versions = await conversationVersions(ctx, [...new Set(group.map(({ conversationId }) => conversationId))]);
    for (const stream of group) if ((versions.get(stream.conversationId) ?? 0) > stream.version) void stream.wake();
  }
  const timer = setInterval(() => {
    const group = [...(groups[checked++ % groupCount] ?? [])];
    check(group).catch((error: unknown) => ctx.log.warn('Streams of visitors could not be checked', { error }));
  }, pingEvery / groupCount);
  timer.unref();

  return {
    count: () => streams.size,
    open(request, reply, opened) {
      const { id } = opened.visitor;
      if (streams.size >= streamLimits.inTotal || (byVisitor.get(id) ?? 0) >= streamLimits.perVisitor) fail('too_many_requests', { retryAfter: 5 });
      const stream = new VisitorStream(ctx, opened);
      const group = groups[openedBefore++ % groupCount];
      streams.add(stream);
      group?.add(stream);
      count(id, 1);
      const stop = wakeups.watch(opened.conversationId, (event) => {
        if (event.type === 'support') void stream.wake();
        else if (event.userId !== null) stream.send({ type: 'typing' });
      });
      stream.answer(request, reply, () => {
        stop();
        group?.delete(stream);
        if (streams.delete(stream)) count(id, -1);
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
