import type { FormField } from '../../contract/support/visitors';
import { CallFailure } from '../api';
import { newId } from '../chat';
import type { Chat } from '../chat';
import { h } from '../dom';
import { consentLine } from './consent';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Row = { readonly element: HTMLElement; readonly input: Input; readonly check: () => boolean };

const isEmail = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]{1,185}\.[^\s@.]{2,63}$/.test(text);
const autocomplete: Readonly<Record<string, string>> = { name: 'name', email: 'email', phone: 'tel', company: 'organization' };

/** A field with its label and the reason why its value is refused. */
function createRow(chat: Chat, field: FormField | null): Row {
  const { texts } = chat.config;
  const error = h('span', { class: 'error', id: `error-${field?.key ?? 'message'}`, hidden: true });
  const isRequired = field === null || field.required;
  const common = { 'aria-required': isRequired ? 'true' : 'false', 'aria-describedby': error.id };
  const input: Input =
    field === null
      ? h('textarea', { ...common, maxlength: 4000, rows: 4 })
      : field.options.length > 0
        ? h('select', { ...common, name: field.key }, h('option', { value: '' }, '—'), ...field.options.map((option) => h('option', {}, option)))
        : h('input', { ...common, type: field.type, maxlength: 254, autocomplete: autocomplete[field.key] ?? 'off', name: field.key });
  const label = field === null ? texts.message : field.label;
  const check = (): boolean => {
    const value = input.value.trim();
    const problem = value === '' ? (isRequired ? texts.required : '') : field?.type === 'email' && !isEmail(value) ? texts.badEmail : '';
    error.textContent = problem;
    error.hidden = problem === '';
    if (problem === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    return problem === '';
  };
  input.addEventListener('input', () => input.hasAttribute('aria-invalid') && check());
  const name = isRequired ? label : `${label}${texts.optional}`;
  return { input, check, element: h('label', { class: 'field' }, h('span', { class: 'name' }, name), input, error) };
}

type Options = {
  readonly title: string;
  readonly help: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  readonly submit: (text: string, fields: Readonly<Record<string, string>>, website: string) => Promise<void>;
};

/** A form with the fields that the site chose, and a message. */
export function createForm(chat: Chat, { title, help, fields, button, submit }: Options): HTMLElement {
  const { texts } = chat.config;
  const rows = fields.map((field) => createRow(chat, field));
  const message = createRow(chat, null);
  // People neither see nor reach it; programs fill in everything.
  const website = h('input', { type: 'text', name: 'website', tabindex: -1, autocomplete: 'off' });
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true });
  const send = h('button', { type: 'submit', class: 'main' }, button);
  const all = [...rows, message];
  const onsubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const wrong = all.filter((row) => !row.check());
    if (wrong[0] !== undefined) return wrong[0].input.focus();
    send.disabled = true;
    send.textContent = texts.sending;
    alert.hidden = true;
    try {
      const values = rows.map(({ input }, index) => [fields[index]?.key ?? '', input.value.trim()] as const).filter(([, value]) => value !== '');
      await submit(message.input.value.trim(), Object.fromEntries(values), website.value);
    } catch (error) {
      alert.textContent = error instanceof CallFailure && error.status === 429 ? texts.tooMany : texts.failed;
      alert.hidden = false;
    } finally {
      send.disabled = false;
      send.textContent = button;
    }
  };
  return h(
    'form',
    { class: 'form', novalidate: true, onsubmit: (event) => void onsubmit(event) },
    h('h3', {}, title),
    help !== '' && h('p', {}, help),
    ...rows.map(({ element }) => element),
    message.element,
    h('div', { class: 'trap', 'aria-hidden': 'true' }, h('label', {}, 'Website', website)),
    consentLine(chat.config),
    alert,
    send,
  );
}

/** The form that stands for a conversation while nobody is there. */
export function createOfflineForm(chat: Chat): HTMLElement {
  const { texts, formFields } = chat.config;
  const clientId = newId();
  return createForm(chat, {
    title: texts.offlineTitle,
    help: texts.offlineHelp,
    fields: formFields,
    button: texts.sendForm,
    submit: (text, fields, website) => chat.leaveForm(clientId, text, fields, website),
  });
}

/** The form before a conversation. */
export function createPrechatForm(chat: Chat): HTMLElement {
  const { texts, prechat } = chat.config;
  return createForm(chat, {
    title: texts.title,
    help: texts.greeting,
    fields: prechat,
    button: texts.startChat,
    submit: async (text, fields) => chat.begin(text, fields),
  });
}
