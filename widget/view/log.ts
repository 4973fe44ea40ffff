import type { VisitorMessage } from '../../contract/support/visitors';
import type { Chat } from '../chat';
import { createList, h, icon } from '../dom';
import type { Child, Entry } from '../dom';
import { linkify } from '../linkify';
import type { OutboxItem } from '../outbox';
import { isOtherDay } from '../timeline';
import { createRating } from './rating';

/** How far from the end, in pixels, somebody still follows the conversation. */
const nearEnd = 80;

const textNodes = (text: string): Child[] =>
  linkify(text).map((part) =>
    part.url === null ? part.text : h('a', { href: part.url, target: '_blank', rel: 'noopener noreferrer nofollow ugc' }, part.text),
  );

const sizeOf = (bytes: number, locale: string): string => {
  const inMegabytes = bytes >= 1_000_000;
  const format = { style: 'unit', unit: inMegabytes ? 'megabyte' : 'kilobyte', maximumFractionDigits: inMegabytes ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, format).format(Math.max(1, bytes / (inMegabytes ? 1_000_000 : 1000)));
};

export type Log = { readonly element: HTMLElement; readonly update: () => void; readonly toEnd: () => void };

/** Entries of the conversation, as data for the list. */
class LogEntries {
  private readonly chat: Chat;
  private readonly time: Intl.DateTimeFormat;
  private readonly day: Intl.DateTimeFormat;
  private readonly rating: HTMLElement;

  constructor(chat: Chat) {
    const { locale } = chat.config;
    this.chat = chat;
    this.time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
    this.day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', weekday: 'short' });
    this.rating = createRating(chat);
  }

  all(): Entry[] {
    const { config, messages, conversation, isTyping, isLoading, hasEarlier } = this.chat;
    const entries: Entry[] = [];
    if (hasEarlier) entries.push(this.earlier());
    else if (config.texts.greeting !== '') entries.push(this.bubble('greeting', { text: config.texts.greeting, author: config.name }));
    if (config.availability !== 'open' && config.awayPolicy === 'notice') entries.push(this.line('notice', config.texts.awayNotice));
    if (isLoading && messages.length === 0) entries.push(this.line('loading', '…'));
    entries.push(...this.messages());
    entries.push(...this.chat.unsent.map((item) => this.unsent(item)));
    if (isTyping) entries.push(this.typing());
    if (conversation?.isResolved && config.rating && conversation.rating === null) entries.push({ key: 'rating', signature: '', build: () => this.rating });
    return entries;
  }

  private messages(): Entry[] {
    const { messages, conversation, config } = this.chat;
    const ownLast = messages.findLast(({ from }) => from === 'visitor')?.seq;
    return messages.flatMap((message, index) => {
      const previous = messages[index - 1];
      const isNewDay = isOtherDay(previous?.at, message.at);
      const day = isNewDay ? [this.line(`day ${message.at.slice(0, 10)} ${String(message.seq)}`, this.dayOf(message.at))] : [];
      if (message.event !== null) return [...day, ...this.event(message)];
      const isRead = message.seq === ownLast && (conversation?.agentReadSeq ?? 0) >= message.seq;
      const hasAuthor = message.from === 'agent' && (isNewDay || previous?.from !== 'agent');
      const next = messages[index + 1];
      const isLastOfGroup = next === undefined || next.from !== message.from || Date.parse(next.at) - Date.parse(message.at) > 300_000;
      const state = [isLastOfGroup || isRead ? this.time.format(new Date(message.at)) : '', isRead ? config.texts.read : '']
        .filter((part) => part !== '')
        .join(' · ');
      return [...day, this.message(message, hasAuthor, state)];
    });
  }

  private dayOf(at: string): string {
    return new Date(at).toDateString() === new Date().toDateString() ? this.chat.config.texts.today : this.day.format(new Date(at));
  }

  private event({ seq, event }: VisitorMessage): Entry[] {
    const { texts } = this.chat.config;
    if (event === 'resolved') return [this.line(`event ${String(seq)}`, texts.resolved)];
    return event === 'rated' ? [this.line(`event ${String(seq)}`, texts.rated)] : [];
  }

  private message(message: VisitorMessage, hasAuthor: boolean, state: string): Entry {
    const { texts, name } = this.chat.config;
    return {
      key: message.clientId ?? `seq ${String(message.seq)}`,
      signature: JSON.stringify([message, hasAuthor, state]),
      build: () => {
        const isOwn = message.from === 'visitor';
        return h(
          'div',
          { class: isOwn ? 'message own' : 'message' },
          hasAuthor ? h('span', { class: 'author' }, name) : h('span', { class: 'hidden' }, isOwn ? texts.you : name),
          this.content(message),
          state !== '' && h('span', { class: 'state' }, state),
        );
      },
    };
  }

  private content({ text, file, isDeleted }: VisitorMessage): HTMLElement {
    if (isDeleted) return h('div', { class: 'bubble gone' }, this.chat.config.texts.deleted);
    if (file === null) return h('div', { class: 'bubble' }, ...textNodes(text));
    const href = this.chat.urlOfFile(file.path);
    if (file.contentType.startsWith('image/'))
      return h(
        'a',
        { class: 'picture', href, download: file.name },
        h('img', { src: href, alt: file.name, width: file.width, height: file.height, loading: 'lazy' }),
      );
    const size = sizeOf(file.size, this.chat.config.locale);
    return h('div', { class: 'bubble' }, h('a', { class: 'file', href, download: file.name }, icon('file'), h('span', {}, file.name, h('small', {}, size))));
  }

  private unsent(item: OutboxItem): Entry {
    const { texts } = this.chat.config;
    const { sender, isConnected } = this.chat;
    const refusals: Readonly<Record<string, string>> = {
      too_large: texts.tooLarge,
      unsupported_media_type: texts.wrongType,
      too_long: texts.tooLong,
      too_many_requests: texts.tooMany,
    };
    const isSending = sender.sending() === item.clientId && !sender.isStuck();
    const state =
      item.refused !== undefined ? (refusals[item.refused] ?? texts.notSent) : isSending || (isConnected && !sender.isStuck()) ? texts.sending : texts.waiting;
    return {
      key: item.clientId,
      signature: `unsent ${state}`,
      build: () =>
        h(
          'div',
          { class: 'message own pending' },
          h('span', { class: 'hidden' }, texts.you),
          h('div', { class: 'bubble' }, ...textNodes(item.text)),
          h(
            'span',
            { class: item.refused === undefined ? 'state' : 'state bad' },
            state,
            item.refused !== undefined && h('button', { type: 'button', onclick: () => sender.retry(item.clientId) }, texts.retry),
            item.refused !== undefined && h('button', { type: 'button', onclick: () => this.chat.drop(item.clientId) }, texts.discard),
          ),
        ),
    };
  }

  private bubble(key: string, { text, author }: { readonly text: string; readonly author: string }): Entry {
    return {
      key,
      signature: text,
      build: () => h('div', { class: 'message' }, h('span', { class: 'author' }, author), h('div', { class: 'bubble' }, ...textNodes(text))),
    };
  }

  private line(key: string, text: string): Entry {
    return { key, signature: text, build: () => h('p', { class: 'line' }, text) };
  }

  private typing(): Entry {
    return {
      key: 'typing',
      signature: '',
      build: () =>
        h('div', { class: 'message' }, h('div', { class: 'bubble typing', role: 'img', 'aria-label': this.chat.config.texts.typing }, h('i'), h('i'), h('i'))),
    };
  }

  private earlier(): Entry {
    return {
      key: 'earlier',
      signature: '',
      build: () =>
        h(
          'button',
          { type: 'button', class: 'plain earlier', onclick: () => void this.chat.loadEarlier().catch(() => undefined) },
          this.chat.config.texts.earlier,
        ),
    };
  }
}

export function createLog(chat: Chat): Log {
  const { texts } = chat.config;
  const log = h('div', { class: 'log', role: 'log', tabindex: 0, 'aria-label': texts.title, 'aria-live': 'off' });
  const jump = h('button', { type: 'button', class: 'jump', hidden: true, onclick: () => toEnd() }, texts.newMessages);
  const element = h('div', { class: 'place' }, log, jump);
  const show = createList(log);
  const entries = new LogEntries(chat);
  let last = 0;
  const toEnd = (): void => {
    log.scrollTop = log.scrollHeight;
    jump.hidden = true;
  };
  log.addEventListener('scroll', () => {
    if (log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd) jump.hidden = true;
  });
  // Pictures arrive after the messages that contain them.
  log.addEventListener('load', () => jump.hidden && toEnd(), true);
  return {
    element,
    toEnd,
    update() {
      const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd;
      const height = log.scrollHeight;
      const first = chat.messages[0]?.seq;
      show(entries.all());
      const newest = chat.messages.at(-1)?.seq ?? 0;
      const hasNew = newest > last && chat.messages.at(-1)?.from !== 'visitor';
      if (wasAtEnd) toEnd();
      else if (first !== undefined && log.dataset['first'] !== undefined && first < Number(log.dataset['first'])) log.scrollTop += log.scrollHeight - height;
      else if (hasNew && last > 0) jump.hidden = false;
      if (chat.unsent.length > 0 && !wasAtEnd) toEnd();
      if (first !== undefined) log.dataset['first'] = String(first);
      last = Math.max(last, newest);
      // What was there before is not read aloud, what arrives is.
      if (!chat.isLoading) setTimeout(() => log.setAttribute('aria-live', 'polite'), 500);
    },
  };
}
