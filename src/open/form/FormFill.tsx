import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import type { OpenField, OpenForm } from '@contract/tables/forms';
import { fill } from '../words';
import { FieldInput } from './FieldInput';
import { useFill } from './useFill';
import type { Filling } from './useFill';
import { faultWords, useFormWords } from './words';

type Section = OpenForm['sections'][number];
const inputId = (id: string): string => `field-${id}`;
/** Parts that are folded show what of them is to be mended. */
const unfold = (field: Element): void => {
  const part = field.closest('details');
  if (part) part.open = true;
};
const inputIn = (field: Element | null | undefined): HTMLElement | null | undefined =>
  field?.querySelector<HTMLElement>(':is(input, textarea, select):not([tabindex="-1"])');

/** The form itself: its parts in the order of its layout, what is wrong beside each field and, all together, above them. */
export const FormFill = (given: Filling): ReactElement => {
  const { form } = given;
  const words = useFormWords();
  const box = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  const filling = useFill({ ...given, trap: () => trap.current?.value ?? '', lineWords: words.line });
  const { asked, hiddenByLink, faults, trouble, busy, reveal, isRequired, typedIn, change, submit } = filling;
  const isShown = (field: OpenField): boolean => asked.includes(field) && !hiddenByLink.has(field.id);
  const wrong = asked.filter(({ id }) => faults[id] !== undefined);
  // What is wrong with a field that is not here any more.
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
                fault={fault === undefined ? null : faultWords(words, field, fault)}
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
            <p>{fill(words.faults, { n: wrong.length + elsewhere.length })}</p>
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
                    {fill(words.line, { title: field.title, text: faultWords(words, field, faults[field.id] ?? { code: '' }) })}
                  </a>
                </li>
              ))}
              {elsewhere.map((id) => {
                const field = filling.fields.find((one) => one.id === id);
                return (
                  <li key={id}>
                    {field
                      ? fill(words.line, { title: field.title, text: faultWords(words, field, faults[id] ?? { code: '' }) })
                      : faultWords(words, field, faults[id] ?? { code: '' })}
                  </li>
                );
              })}
            </ul>
          </div>
        )}
        {shown.map((section) => {
          const key = section.fields[0]?.field.id;
          const title = section.title ?? words.other;
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
        {/* People neither see nor reach it, and what fills in forms for them is told to leave it; programs that fill in everything do not ask. */}
        <div className="trap" aria-hidden="true">
          <label htmlFor="left-blank">{words.trap}</label>
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
              {words[trouble]}
            </p>
          )}
          {trouble === 'uncertain' ? (
            <button type="button" className="main" aria-busy={busy} onClick={() => void submit(true)}>
              {busy ? words.submitting : words.sendNew}
            </button>
          ) : (
            <button type="submit" className="main" aria-busy={busy}>
              {busy ? words.submitting : words.submit}
            </button>
          )}
        </div>
      </form>
    </main>
  );
};
