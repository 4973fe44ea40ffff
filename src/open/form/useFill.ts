import { useMemo, useRef, useState } from 'react';
import { tableFormCalls } from '@contract/tables/calls';
import { formStates, isNothing } from '@contract/tables/formTerms';
import { textOf } from '@contract/tables/formText';
import type { FormTaken, OpenField, OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { Faults, Link } from '../call';
import { fill } from '../useMessages';
import { keepDraft, keptDraft } from './draft';
import { blank, fieldsOf, prefilled, readTyped, typedOf } from './typed';
import type { AllTyped, Typed } from './typed';

export type Trouble = 'offline' | 'failed' | 'tooMany' | 'tooLarge' | 'changed' | 'refused' | 'uncertain';
/** Maximum number of seconds that the page waits before it retries on its own. */
const longestWait = 5;
/** Maximum number of attempts per press of the button. */
const mostTries = 3;
const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

const troubles: Readonly<Record<number, Trouble>> = { 0: 'offline', 403: 'refused', 413: 'tooLarge', 429: 'tooMany' };
/** Errors by field id; other errors are not for the visitor to correct. */
const faultsOf = (fields: Faults): Faults =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, fault]) => {
      const [of, id = ''] = path.split('.');
      return of === 'values' && id !== '' ? [[id, fault]] : [];
    }),
  );

export type Filling = {
  readonly link: Link;
  readonly form: OpenForm;
  readonly locale: UiLocale;
  readonly onTaken: (taken: FormTaken) => void;
  /** Refetches the form; null where it no longer accepts answers. */
  readonly onAsk: () => Promise<OpenForm | null>;
};

/** A form being filled in: its input, visible fields and errors, and sending it without creating two records. */
export function useFill({
  link,
  form,
  locale,
  trap,
  lineTemplate,
  onTaken,
  onAsk,
}: Filling & {
  /** The content of the honeypot field. */ readonly trap: () => string;
  /** Template of a line with a field's label and input. */ readonly lineTemplate: string;
}) {
  const { timeZone } = form;
  const fields = useMemo(() => fieldsOf(form), [form]);
  const [filled] = useState(() => prefilled(form, location.search));
  const [draft] = useState(() => keptDraft(link.name));
  const [typed, setTyped] = useState<AllTyped>(() => ({
    ...Object.fromEntries(fields.map((field) => [field.id, typedOf(field, field.start, timeZone)])),
    ...filled.typed,
    ...draft?.typed,
    // Hidden fields take the values of the current URL, not those of an earlier one.
    ...Object.fromEntries(filled.hidden.flatMap((id) => (filled.typed[id] === undefined ? [] : [[id, filled.typed[id]]]))),
  }));
  /** The current input, for a send that began before it changed. */
  const latest = useRef(typed);
  const [unhidden, setUnhidden] = useState<ReadonlySet<string>>(new Set());
  const [faults, setFaults] = useState<Faults>({});
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const [reveal, setReveal] = useState(0);
  const sending = useRef(false);
  /** Key of a send with an unknown result. */
  const pending = useRef<string | null>(draft?.key ?? null);
  // Conditions relative to “now” use the time when the form was opened.
  const [now] = useState(() => Date.now());

  const typedIn = (field: OpenField): Typed => typed[field.id] ?? blank(field);
  const reads = new Map(fields.map((field) => [field.id, readTyped(field, typedIn(field), timeZone)]));
  const valueOf = (id: string): unknown => {
    const read = reads.get(id);
    return read && 'value' in read ? read.value : null;
  };
  const states = formStates(fields, Object.fromEntries(fields.map(({ id }) => [id, valueOf(id)])), { now, zone: timeZone, userId: null });
  const hiddenByLink = new Set(filled.hidden.filter((id) => !unhidden.has(id)));
  const asked = fields.filter(({ id }) => states.get(id)?.visible !== false);
  const isRequired = ({ id }: OpenField): boolean => states.get(id)?.required === true;
  /** The current value of a field: a required check box has none until it is checked. */
  const saidOf = (field: OpenField): unknown => (field.type === 'switch' && isRequired(field) && valueOf(field.id) === false ? null : valueOf(field.id));

  const keep = (): void => {
    const next = latest.current;
    const lines = fields.flatMap((field) => {
      const read = readTyped(field, next[field.id] ?? blank(field), timeZone);
      const text = 'value' in read ? textOf(field, read.value, { timeZone }) : String(next[field.id]);
      return text === '' || field.type === 'switch' ? [] : [fill(lineTemplate, { title: field.title, text })];
    });
    keepDraft(link.name, { typed: next, key: pending.current, text: lines.join('\n') });
  };
  const change = (field: OpenField, value: Typed): void => {
    const next = { ...typed, [field.id]: value };
    latest.current = next;
    setTyped(next);
    keep();
    if (trouble !== null && trouble !== 'uncertain') setTrouble(null);
    setFaults(({ [field.id]: _gone, ...rest }) => rest);
  };
  const show = (found: Faults): void => {
    setFaults(found);
    // Fields hidden by the URL must become visible to be corrected.
    setUnhidden(new Set([...unhidden, ...Object.keys(found)]));
    setReveal((before) => before + 1);
  };

  function missing(): Faults {
    return Object.fromEntries(
      asked.flatMap((field): [string, Faults[string]][] => {
        const read = reads.get(field.id);
        if (read && 'fault' in read) return [[field.id, { code: read.fault }]];
        return isRequired(field) && isNothing(saidOf(field)) && !field.fills ? [[field.id, { code: 'required' }]] : [];
      }),
    );
  }
  /** The values to send: an empty field is omitted unless it had a default, in which case it is sent as empty. */
  const values = (): Record<string, unknown> =>
    Object.fromEntries(asked.flatMap((field) => (isNothing(saidOf(field)) && isNothing(field.start) ? [] : [[field.id, saidOf(field)] as const])));

  /** `before`: a send with this key has been made already, and its result is unknown. */
  async function send(key: string, before: boolean): Promise<void> {
    let stamp = form.stamp;
    for (let tries = 1; ; tries++) {
      const answer = await link.send<FormTaken>(tableFormCalls.sendForm.path, locale, key, { values: values(), stamp, trap: trap() });
      if (answer.ok) return onTaken(answer.data);
      const { status } = answer;
      if (status === 429 && answer.retryAfter <= longestWait && tries < mostTries) {
        await pause(answer.retryAfter);
        continue;
      }
      if (status === 422 && 'stamp' in answer.fields && tries < mostTries) {
        // The stamp is too old or has been used too often: the input is sent again with a new one.
        const fresh = await onAsk();
        if (fresh) {
          ({ stamp } = fresh);
          await pause(2);
          continue;
        }
      }
      const found = status === 422 ? faultsOf(answer.fields) : {};
      // These checks come after the lookup of the key, so the key is unknown and nothing was stored. All other refusals come before the lookup.
      const unknownKey = status === 403 || Object.keys(found).length > 0;
      const unsure = status === 0 || status >= 500;
      pending.current = unsure || (before && !unknownKey) ? key : null;
      keep();
      if (Object.keys(found).length > 0) return show(found);
      // Where the form has ended or is locked, the page reports this instead of the error here.
      if (status === 401 || status === 404 || status === 410 || (status === 409 && !before)) await onAsk();
      return setTrouble(status === 409 ? (before ? 'uncertain' : 'changed') : (troubles[status] ?? 'failed'));
    }
  }
  /** `anew`: as a new answer, whatever the result of the previous one. */
  const submit = async (anew = false): Promise<void> => {
    if (sending.current) return;
    setTrouble(null);
    const wrong = missing();
    if (Object.keys(wrong).length > 0) return show(wrong);
    sending.current = true;
    setFaults({});
    setBusy(true);
    if (anew) pending.current = null;
    const before = pending.current;
    const key = before ?? newKey();
    // Stored before sending: after a reload in the meantime, the same answer is sent again.
    pending.current = key;
    keep();
    try {
      await send(key, before !== null);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { fields, asked, hiddenByLink, typedIn, isRequired, faults, trouble, busy, reveal, change, submit };
}
