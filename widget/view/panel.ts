import type { Chat } from '../chat';
import { fill, h, icon } from '../dom';
import type { Store } from '../storage';
import { createComposer } from './composer';
import { createOfflineForm, createPrechatForm } from './form';
import { createLog } from './log';

type Mode = 'chat' | 'prechat' | 'offline' | 'sent';
export type Panel = { readonly element: HTMLElement; readonly update: () => void; readonly focus: () => void; readonly toEnd: () => void };

function modeOf({ config, conversation, unsent, isFormSent }: Chat): Mode {
  if (conversation !== null || unsent.length > 0) return 'chat';
  if (isFormSent) return 'sent';
  if (config.availability !== 'open' && config.awayPolicy !== 'notice') return 'offline';
  return config.prechat.length > 0 ? 'prechat' : 'chat';
}

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function statusOf({ config }: Chat): string {
  const { texts, availability, opensAt, locale } = config;
  if (availability === 'open') return `${texts.title} · ${texts.open}`;
  if (opensAt === null) return texts.away;
  // Separately: together, Chinese has no space between them.
  const write = (form: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(locale, form).format(new Date(opensAt));
  return texts.opensAt.replace('{time}', `${write({ weekday: 'short' })} ${write({ hour: 'numeric', minute: '2-digit' })}`);
}

function createHeader(chat: Chat, close: () => void) {
  const { texts, name, availability } = chat.config;
  const transcript = h(
    'button',
    { type: 'button', 'aria-label': texts.transcript, title: texts.transcript, hidden: true, onclick: () => void download() },
    icon('download'),
  );
  async function download(): Promise<void> {
    transcript.disabled = true;
    await chat.transcript().then(
      (blob) => saveAs(blob, `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, '') || 'chat'}.txt`),
      () => undefined,
    );
    transcript.disabled = false;
  }
  const element = h(
    'header',
    {},
    h('div', { class: 'names' }, h('h2', { id: 'title' }, name), h('p', {}, availability === 'open' && h('span', { class: 'dot' }), statusOf(chat))),
    transcript,
    h('button', { type: 'button', 'aria-label': texts.close, title: texts.close, onclick: close }, icon('close')),
  );
  return { element, update: () => void (transcript.hidden = chat.conversation === null) };
}

/** The dialog: a header, and the conversation or a form. */
export function createPanel(chat: Chat, store: Store, close: () => void): Panel {
  const { texts } = chat.config;
  const header = createHeader(chat, close);
  const banner = h('p', { class: 'banner', role: 'status' });
  const body = h('div', { class: 'body' });
  const log = createLog(chat);
  const composer = createComposer(chat, store);
  let mode: Mode | null = null;

  const bodies: Readonly<Record<Mode, () => HTMLElement[]>> = {
    chat: () => [log.element, composer.element],
    prechat: () => [createPrechatForm(chat)],
    offline: () => [createOfflineForm(chat)],
    sent: () => [
      h(
        'div',
        { class: 'sent', role: 'status' },
        h('span', { class: 'mark' }, icon('done')),
        h('p', {}, texts.sent),
        h('button', { type: 'button', class: 'plain', onclick: close }, texts.close),
      ),
    ],
  };
  const focus = (): void => {
    if (mode === 'chat') composer.focus();
    else body.querySelector<HTMLElement>('input, textarea, button')?.focus();
  };
  return {
    element: h('section', { class: 'panel', role: 'dialog', 'aria-labelledby': 'title' }, header.element, banner, body),
    focus,
    toEnd: log.toEnd,
    update() {
      const next = modeOf(chat);
      if (next !== mode) {
        const hadFocus = mode !== null;
        mode = next;
        fill(body, ...bodies[next]());
        if (hadFocus && chat.isOpen) focus();
      }
      header.update();
      const message = chat.isConnected || chat.conversation === null ? '' : texts.reconnecting;
      banner.hidden = message === '';
      if (banner.textContent !== message) banner.textContent = message;
      if (mode !== 'chat') return;
      log.update();
      composer.update();
    },
  };
}
