import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import type { OpenField, OpenForm } from '@contract/tables/forms';
import { fill } from '../useMessages';
import { FieldInput } from './FieldInput';
import { useFill } from './useFill';
import type { Filling } from './useFill';
import { fieldErrorMessage, useFormMessages } from './useFormMessages';

type Section = OpenForm['sections'][number];
const inputId = (id: string): string => `field-${id}`;
/** Opens the collapsed sections that contain a field with an error. */
const unfold = (field: Element): void => {
  const part = field.closest('details');
  if (part) part.open = true;
};
const inputIn = (field: Element | null | undefined): HTMLElement | null | undefined =>
  field?.querySelector<HTMLElement>(':is(input, textarea, select):not([tabindex="-1"])');

/** The form itself: its sections in the order of the layout, with errors beside each field and summarised above. */
export const FormFill = (given: Filling): ReactElement => {
  const { form } = given;
  const messages = useFormMessages();
  const box = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  const filling = useFill({ ...given, trap: () => trap.current?.value ?? '', lineTemplate: messages.line });
  const { asked, hiddenByLink, faults, trouble, busy, reveal, isRequired, typedIn, change, submit } = filling;
  const isShown = (field: OpenField): boolean => asked.includes(field) && !hiddenByLink.has(field.id);
  const wrong = asked.filter(({ id }) => faults[id] !== undefined);
  // Errors of fields that are not shown any more.
  const elsewhere = Object.keys(faults).filter((id) => !wrong.some((field) => field.id === id));

  useEffect(() => {
    if (reveal === 0) return;
    const [...fields] = box.current?.querySelectorAll('[data-wrong="true"]') ?? [];
    for (const field of fields) unfold(field);
    const [first] = fields;
    (inputIn(first) ?? box.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus();
    first?.scrollIntoView({ block: 'center' });
  }, [reveal]);

  const fieldsIn = (section: Section): ReactElement => (
    <>
      {section.note !== '' && <p className="lines soft-note">{section.note}</p>}
      <div className="fields">
        {section.fields
          .filter(({ field }) => isShown(field))
          .map(({ field, width }) => {
            const fault = faults[field.id];
            return (
              <FieldInput
                key={field.id}
                id={inputId(field.id)}
                field={field}
                width={width}
                required={isRequired(field)}
                typed={typedIn(field)}
                fault={fault === undefined ? null : fieldErrorMessage(messages, field, fault)}
                timeZone={form.timeZone}
                onChange={(value) => change(field, value)}
              />
            );
          })}
      </div>
    </>
  );
  const shown = form.sections.filter((section) => section.fields.some(({ field }) => isShown(field)));
  return (
    <main className="form">
      <h1>{form.title}</h1>
      {form.note !== '' && <p className="lines">{form.note}</p>}
      <form
        ref={box}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {(wrong.length > 0 || elsewhere.length > 0) && (
          <div className="wrong" role="alert" tabIndex={-1}>
            <p>{fill(messages.faults, { n: wrong.length + elsewhere.length })}</p>
            <ul>
              {wrong.map((field) => (
                <li key={field.id}>
                  <a
                    href={`#${inputId(field.id)}`}
                    onClick={(event) => {
                      event.preventDefault();
                      const place = box.current?.querySelector(`[data-field="${field.id}"]`);
                      if (place) unfold(place);
                      inputIn(place)?.focus();
                    }}
                  >
                    {fill(messages.line, { title: field.title, text: fieldErrorMessage(messages, field, faults[field.id] ?? { code: '' }) })}
                  </a>
                </li>
              ))}
              {elsewhere.map((id) => {
                const field = filling.fields.find((one) => one.id === id);
                return (
                  <li key={id}>
                    {field
                      ? fill(messages.line, { title: field.title, text: fieldErrorMessage(messages, field, faults[id] ?? { code: '' }) })
                      : fieldErrorMessage(messages, field, faults[id] ?? { code: '' })}
                  </li>
                );
              })}
            </ul>
          </div>
        )}
        {shown.map((section) => {
          const key = section.fields[0]?.field.id;
          const title = section.title ?? messages.other;
          if (title === '') return <div key={key}>{fieldsIn(section)}</div>;
          return section.collapsed && form.style === 'groups' ? (
            <details key={key} className="part">
              <summary>
                <h2>{title}</h2>
              </summary>
              {fieldsIn(section)}
            </details>
          ) : (
            <section key={key} className="part" aria-label={title}>
              <h2>{title}</h2>
              {fieldsIn(section)}
            </section>
          );
        })}
        {/* A honeypot: people neither see nor reach it, and autofill is told to ignore it; bots fill it in. */}
        <div className="trap" aria-hidden="true">
          <label htmlFor="left-blank">{messages.trap}</label>
          <input
            ref={trap}
            id="left-blank"
            name="left-blank"
            type="text"
            tabIndex={-1}
            autoComplete="off"
            data-1p-ignore="true"
            data-bwignore="true"
            data-lpignore="true"
            data-form-type="other"
          />
        </div>
        <div className="send">
          {trouble !== null && (
            <p className="bad" role="alert">
              {messages[trouble]}
            </p>
          )}
          {trouble === 'uncertain' ? (
            <button type="button" className="main" aria-busy={busy} onClick={() => void submit(true)}>
              {busy ? messages.submitting : messages.sendNew}
            </button>
          ) : (
            <button type="submit" className="main" aria-busy={busy}>
              {busy ? messages.submitting : messages.submit}
            </button>
          )}
        </div>
      </form>
    </main>
  );
};
