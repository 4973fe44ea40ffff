import { useEffect, useRef } from 'react';
import type { ReactElement, RefObject } from 'react';
import type { OpenField, OpenForm } from '@contract/tables/forms';
import { fill } from '../useMessages';
import { FieldInput } from './FieldInput';
import { FileUploadsProvider } from './FilesInput';
import type { FileUploads } from './FilesInput';
import { uploadFile } from './uploadFile';
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

type Fill = ReturnType<typeof useFill>;
const isVisible = ({ present, hiddenByLink }: Fill, field: OpenField): boolean => present.includes(field) && !hiddenByLink.has(field.id);

/** Focuses the first field with an error, or the summary, after each attempt that found some. */
function useReveal(box: RefObject<HTMLFormElement | null>, reveal: number): void {
  useEffect(() => {
    if (reveal === 0) return;
    const [...fields] = box.current?.querySelectorAll('[data-wrong="true"]') ?? [];
    for (const field of fields) unfold(field);
    const [first] = fields;
    (inputIn(first) ?? box.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus();
    first?.scrollIntoView({ block: 'center' });
  }, [box, reveal]);
}

/** All errors with links to their fields. Fields that are not visible any more have no link. */
const ErrorSummary = ({ filling, box }: { readonly filling: Fill; readonly box: RefObject<HTMLFormElement | null> }): ReactElement | null => {
  const messages = useFormMessages();
  const { present, errors } = filling;
  const wrong = present.filter(({ id }) => errors[id] !== undefined);
  const elsewhere = Object.keys(errors).filter((id) => !wrong.some((field) => field.id === id));
  const count = wrong.length + elsewhere.length;
  if (count === 0) return null;
  const messageOf = (field: OpenField | undefined, id: string): string => fieldErrorMessage(messages, field, errors[id] ?? { code: '' });
  const lineOf = (field: OpenField): string => fill(messages.line, { title: field.title, text: messageOf(field, field.id) });
  return (
    <div className="wrong" role="alert" tabIndex={-1}>
      <p>{fill(count === 1 ? messages.errorsOne : messages.errors, { n: count })}</p>
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
              {lineOf(field)}
            </a>
          </li>
        ))}
        {elsewhere.map((id) => {
          const field = filling.fields.find((one) => one.id === id);
          return <li key={id}>{field ? lineOf(field) : messageOf(field, id)}</li>;
        })}
      </ul>
    </div>
  );
};

type PartProps = { readonly section: Section; readonly filling: Fill; readonly form: OpenForm };

const SectionFields = ({ section, filling, form }: PartProps): ReactElement => {
  const messages = useFormMessages();
  const { errors, isRequired, typedIn, change } = filling;
  return (
    <>
      {section.note !== '' && <p className="lines soft-note">{section.note}</p>}
      <div className="fields">
        {section.fields
          .filter(({ field }) => isVisible(filling, field))
          .map(({ field, width }) => {
            const error = errors[field.id];
            return (
              <FieldInput
                key={field.id}
                id={inputId(field.id)}
                field={field}
                width={width}
                required={isRequired(field)}
                typed={typedIn(field)}
                error={error === undefined ? null : fieldErrorMessage(messages, field, error)}
                timeZone={form.timeZone}
                onChange={(value) => change(field, value)}
              />
            );
          })}
      </div>
    </>
  );
};

/** A section of the layout under its title, collapsible if the layout says so. */
const SectionPart = (props: PartProps): ReactElement => {
  const { section, form } = props;
  const messages = useFormMessages();
  const title = section.title ?? messages.other;
  const fields = <SectionFields {...props} />;
  if (title === '') return <div>{fields}</div>;
  return section.collapsed && form.style === 'groups' ? (
    <details className="part">
      <summary>
        <h2>{title}</h2>
      </summary>
      {fields}
    </details>
  ) : (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {fields}
    </section>
  );
};

/** A honeypot: people neither see nor reach it, and autofill is told to ignore it; bots fill it in. */
const Trap = ({ ref }: { readonly ref: RefObject<HTMLInputElement | null> }): ReactElement => {
  const messages = useFormMessages();
  return (
    <div className="trap" aria-hidden="true">
      <label htmlFor="left-blank">{messages.trap}</label>
      <input
        ref={ref}
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
  );
};

/** The button that sends the form, and why the last attempt failed. */
const SendRow = ({ filling: { trouble, busy, submit } }: { readonly filling: Fill }): ReactElement => {
  const messages = useFormMessages();
  const isUncertain = trouble === 'uncertain';
  return (
    <div className="send">
      {trouble !== null && (
        <p className="bad" role="alert">
          {messages[trouble]}
        </p>
      )}
      <button type={isUncertain ? 'button' : 'submit'} className="main" aria-busy={busy} onClick={() => void (isUncertain && submit(true))}>
        {busy ? messages.submitting : isUncertain ? messages.sendNew : messages.submit}
      </button>
    </div>
  );
};

/** The form itself: its sections in the order of the layout, with errors beside each field and summarised above. */
export const FormFill = (props: Filling): ReactElement => {
  const { form } = props;
  const messages = useFormMessages();
  const box = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  const underWay = useRef(0);
  const filling = useFill({ ...props, trap: () => trap.current?.value ?? '', lineTemplate: messages.line, isUploading: () => underWay.current > 0 });
  const { link, locale, onAsk } = props;
  const uploads: FileUploads = {
    upload: (field, file, onProgress) => uploadFile({ link, locale, stamp: form.stamp, field, file, onProgress, onAsk }),
    onCount: (change) => {
      underWay.current += change;
    },
  };
  useReveal(box, filling.reveal);
  return (
    <main className="form">
      <h1>{form.title}</h1>
      {form.note !== '' && <p className="lines">{form.note}</p>}
      <form
        ref={box}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void filling.submit();
        }}
      >
        <ErrorSummary filling={filling} box={box} />
        <FileUploadsProvider value={uploads}>
          {form.sections
            .filter((section) => section.fields.some(({ field }) => isVisible(filling, field)))
            .map((section) => (
              <SectionPart key={section.fields[0]?.field.id} section={section} filling={filling} form={form} />
            ))}
        </FileUploadsProvider>
        <Trap ref={trap} />
        <SendRow filling={filling} />
      </form>
    </main>
  );
};
