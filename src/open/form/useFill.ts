import { useRef, useState } from 'react';
import { textOf } from '@contract/tables/formText';
import type { FormResult, OpenField, OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { FieldErrors, Link } from '../call';
import { fill } from '../useMessages';
import { storeDraft, storedDraft } from './draft';
import { fillState } from './fillState';
import { sendAnswer } from './send';
import { blankInput, fieldsOf, filesIn, prefilled, readTyped, typedOf } from './typed';
import type { AllTyped, Typed } from './typed';

export type SubmitProblem = 'uploading' | 'offline' | 'failed' | 'tooMany' | 'tooLarge' | 'changed' | 'refused' | 'uncertain';
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

const troubles: Readonly<Record<number, SubmitProblem>> = { 0: 'offline', 403: 'refused', 413: 'tooLarge', 429: 'tooMany' };
/** Errors by field id; other errors are not for the visitor to correct. */
const fieldErrorsOf = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, error]) => {
      const [of, id = ''] = path.split('.');
      return of === 'values' && id !== '' ? [[id, error]] : [];
    }),
  );

export type Filling = {
  readonly link: Link;
  readonly form: OpenForm;
  readonly locale: UiLocale;
  readonly onTaken: (result: FormResult) => void;
  /** Refetches the form; null where it no longer accepts answers. */
  readonly onAsk: () => Promise<OpenForm | null>;
};

/** The visitor's input, stored as a draft. It begins with the draft or, where there is none, with the URL and the defaults of the fields. */
function useInput({ link, form }: Pick<Filling, 'link' | 'form'>, lineTemplate: string) {
  const { timeZone } = form;
  const fields = fieldsOf(form);
  const [filled] = useState(() => prefilled(form, location.search));
  const [draft] = useState(() => storedDraft(link.name));
  const [typed, setTyped] = useState<AllTyped>(() => ({
    ...Object.fromEntries(fields.map((field) => [field.id, typedOf(field, field.start, timeZone)])),
    ...filled.typed,
    ...draft?.typed,
    // Hidden fields take the values of the current URL, not those of an earlier one.
    ...Object.fromEntries(filled.hidden.flatMap((id) => (filled.typed[id] === undefined ? [] : [[id, filled.typed[id]]]))),
  }));
  /** The current input, for a send that began before it changed. */
  const latest = useRef(typed);
  /** Key of a send with an unknown result. */
  const pending = useRef<string | null>(draft?.key ?? null);

  const keep = (): void => {
    const next = latest.current;
    const lines = fields.flatMap((field) => {
      const input = next[field.id] ?? blankInput(field);
      const read = readTyped(field, input, timeZone);
      const names = filesIn(input).map(({ name }) => name);
      const text =
        names.length > 0
          ? names.join(', ')
          : 'value' in read && !field.files
            ? textOf(field, read.value, { timeZone })
            : typeof input === 'string'
              ? input
              : '';
      return text === '' || field.type === 'switch' ? [] : [fill(lineTemplate, { title: field.title, text })];
    });
    storeDraft(link.name, { typed: next, key: pending.current, text: lines.join('\n') });
  };
  const put = (field: OpenField, value: Typed): void => {
    const next = { ...typed, [field.id]: value };
    latest.current = next;
    setTyped(next);
    keep();
  };
  const keepKey = (key: string | null): void => {
    pending.current = key;
    keep();
  };
  return { fields, hidden: filled.hidden, typed, put, pendingKey: () => pending.current, keepKey };
}

/** The errors of the last attempt. `reveal` counts the attempts that found some. */
function useErrors(hidden: readonly string[]) {
  const [unhidden, setUnhidden] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<FieldErrors>({});
  const [reveal, setReveal] = useState(0);
  const show = (found: FieldErrors): void => {
    setErrors(found);
    // Fields hidden by the URL must become visible to be corrected.
    setUnhidden(new Set([...unhidden, ...Object.keys(found)]));
    setReveal((before) => before + 1);
  };
  return {
    errors,
    reveal,
    show,
    hiddenByLink: new Set(hidden.filter((id) => !unhidden.has(id))),
    clear: () => setErrors({}),
    clearField: (field: OpenField) => setErrors(({ [field.id]: _gone, ...rest }) => rest),
  };
}

/** A form being filled in: its input, visible fields and errors, and sending it without creating two records. */
export function useFill(
  props: Filling & {
    /** The content of the honeypot field. */ readonly trap: () => string;
    /** Template of a line with a field's label and input. */ readonly lineTemplate: string;
    /** Whether files are under way. */ readonly isUploading: () => boolean;
  },
) {
  const { link, form, locale, trap, lineTemplate, isUploading, onTaken, onAsk } = props;
  const { fields, hidden, typed, put, pendingKey, keepKey } = useInput(props, lineTemplate);
  const { errors, reveal, show, hiddenByLink, clear, clearField } = useErrors(hidden);
  const [trouble, setTrouble] = useState<SubmitProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  // Conditions relative to “now” use the time when the form was opened.
  const [now] = useState(() => Date.now());
  const { present, isRequired, missing, values } = fillState(fields, typed, { now, timeZone: form.timeZone });

  const change = (field: OpenField, value: Typed): void => {
    put(field, value);
    if (trouble !== null && trouble !== 'uncertain') setTrouble(null);
    clearField(field);
  };
  /** `before`: a send with this key has been made already, and its result is unknown. */
  async function send(key: string, before: boolean): Promise<void> {
    const body = (stamp: string) => ({ values: values(), stamp, trap: trap() });
    const result = await sendAnswer({ link, locale, key, stamp: form.stamp, body, onAsk });
    if (result.ok) return onTaken(result.data);
    const { status } = result;
    const found = status === 422 ? fieldErrorsOf(result.fields) : {};
    // These checks come after the lookup of the key, so the key is unknown and nothing was stored. All other refusals come before the lookup.
    const unknownKey = status === 403 || Object.keys(found).length > 0;
    const unsure = status === 0 || status >= 500;
    keepKey(unsure || (before && !unknownKey) ? key : null);
    if (Object.keys(found).length > 0) return show(found);
    // Where the form has ended or is locked, the page reports this instead of the error here.
    if (status === 401 || status === 404 || status === 410 || (status === 409 && !before)) await onAsk();
    return setTrouble(status === 409 ? (before ? 'uncertain' : 'changed') : (troubles[status] ?? 'failed'));
  }
  /** `anew`: as a new answer, whatever the result of the previous one. */
  const submit = async (anew = false): Promise<void> => {
    if (sending.current) return;
    if (isUploading()) return setTrouble('uploading');
    setTrouble(null);
    const wrong = missing();
    if (Object.keys(wrong).length > 0) return show(wrong);
    sending.current = true;
    clear();
    setBusy(true);
    const before = anew ? null : pendingKey();
    const key = before ?? newKey();
    // Stored before sending: after a reload in the meantime, the same answer is sent again.
    keepKey(key);
    try {
      await send(key, before !== null);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const typedIn = (field: OpenField): Typed => typed[field.id] ?? blankInput(field);
  return { fields, present, hiddenByLink, typedIn, isRequired, errors, trouble, busy, reveal, change, submit };
}
