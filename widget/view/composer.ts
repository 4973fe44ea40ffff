import type { Chat } from '../chat';
import { h, icon } from '../dom';
import { stored } from '../storage';
import type { Store } from '../storage';
import { consentLine } from './consent';

const longest = 4000;

export type Composer = { readonly element: HTMLElement; readonly focus: () => void; readonly update: () => void };

/** Grows with its text up to the limit of the style sheet. */
const fit = (area: HTMLTextAreaElement): void => {
  area.style.height = 'auto';
  area.style.height = `${String(area.scrollHeight)}px`;
};

function fileInput(chat: Chat, alert: HTMLElement): HTMLInputElement | null {
  const { files, texts } = chat.config;
  if (files === null) return null;
  const input = h('input', { type: 'file', accept: files.accept.join(','), hidden: true, tabindex: -1, 'aria-label': texts.attach });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    alert.hidden = file.size <= files.maxBytes;
    alert.textContent = texts.tooLarge;
    if (file.size <= files.maxBytes) chat.addFile(file);
  });
  return input;
}

/** Where visitors write. The text survives a change of the page. */
export function createComposer(chat: Chat, store: Store): Composer {
  const { texts, files } = chat.config;
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true });
  const area = h('textarea', { rows: 1, 'aria-label': texts.message, placeholder: texts.message, enterkeyhint: 'send' });
  const go = h('button', { type: 'submit', class: 'go', 'aria-label': texts.send, title: texts.send }, icon('send'));
  const input = fileInput(chat, alert);
  const attach = h('button', { type: 'button', 'aria-label': texts.attach, title: texts.attach, onclick: () => input?.click() }, icon('attach'));
  area.value = store.get(stored.draft, 'session') ?? '';

  const update = (): void => {
    const { length } = area.value.trim();
    go.disabled = length === 0 || length > longest;
    attach.hidden = input === null || chat.conversation === null;
    consent.hidden = chat.conversation !== null;
    if (length > longest) alert.textContent = `${texts.tooLong} (${String(length)}/${String(longest)})`;
    if (length > longest || alert.textContent?.startsWith(texts.tooLong)) alert.hidden = length <= longest;
  };
  const consent = h('div', {}, consentLine(chat.config));
  const submit = (): void => {
    const text = area.value.trim();
    if (text === '' || text.length > longest) return;
    area.value = '';
    store.set(stored.draft, null, 'session');
    fit(area);
    update();
    chat.write(text);
  };
  area.addEventListener('input', () => {
    store.set(stored.draft, area.value === '' ? null : area.value, 'session');
    fit(area);
    update();
    if (area.value !== '') chat.type();
  });
  area.addEventListener('keydown', (event) => {
    // Enter also ends a composition of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  });
  const paste = (event: ClipboardEvent): void => {
    const file = [...(event.clipboardData?.files ?? [])][0];
    if (!file || files === null || chat.conversation === null) return;
    event.preventDefault();
    if (file.size <= files.maxBytes) chat.addFile(file);
  };
  area.addEventListener('paste', paste);
  const form = h(
    'form',
    {
      class: 'composer',
      onsubmit: (event) => {
        event.preventDefault();
        submit();
        area.focus();
      },
    },
    attach,
    input,
    area,
    go,
  );
  return { element: h('div', { class: 'foot' }, alert, form, consent), update, focus: () => (area.focus(), fit(area)) };
}
