import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { tableFormCalls } from '@contract/tables/calls';
import type { FormResult, OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { Link } from '../call';
import { Password } from '../gate';
import { useMessages } from '../useMessages';
import { dropDraft, storedDraft, markSent, wasSent } from './draft';
import { FormFill } from './FormFill';
import { useFormMessages } from './useFormMessages';

type State =
  | { readonly kind: 'loading' | 'ended' | 'failed' | 'locked' }
  | { readonly kind: 'form'; readonly form: OpenForm }
  | { readonly kind: 'done'; readonly form: OpenForm; readonly result: FormResult };

/** Texts of the form's maker keep their line breaks. */
const Message = ({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactElement | null }): ReactElement => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="middle">
      <div className="gate said">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="lines">{text}</p>
        {children}
      </div>
    </main>
  );
};

/** Input from before the form ended, offered for copying. */
const StoredInput = ({ name }: { readonly name: string }): ReactElement | null => {
  const messages = useFormMessages();
  const [text] = useState(() => storedDraft(name)?.text ?? '');
  const [copied, setCopied] = useState<'copied' | 'notCopied' | null>(null);
  if (text === '') return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('copied');
    } catch {
      setCopied('notCopied');
    }
  };
  return (
    <div className="kept">
      <p>{messages.keptText}</p>
      <pre>{text}</pre>
      <button type="button" className="plain" onClick={() => void copy()}>
        {messages.copy}
      </button>
      <span role="status">{copied === null ? '' : messages[copied]}</span>
    </div>
  );
};

/** The state of the form behind a link, and the ways to change it. */
function useOpenForm(link: Link, locale: UiLocale) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const currentLocale = useRef(locale);
  useEffect(() => {
    currentLocale.current = locale;
  }, [locale]);
  /** Fetches the current form; null where it no longer accepts answers, which the page then reports. */
  const open = useCallback(async (): Promise<OpenForm | null> => {
    const result = await link.get<OpenForm>(tableFormCalls.openForm.path, currentLocale.current);
    if (!result.ok) {
      const ended = result.status === 404 || result.status === 410;
      // A form being filled in stays on screen while there is no connection.
      setState((now) => (ended || now.kind !== 'form' ? { kind: ended ? 'ended' : 'failed' } : now));
      return null;
    }
    setState(result.data.needsPassword ? { kind: 'locked' } : { kind: 'form', form: result.data });
    return result.data.needsPassword || result.data.status !== 'open' ? null : result.data;
  }, [link]);
  useEffect(() => void open(), [open]);

  const finish = (form: OpenForm, result: FormResult) => {
    dropDraft(link.name);
    if (form.once) markSent(link.name);
    setState({ kind: 'done', form, result });
    if (result.redirect !== null) location.assign(result.redirect);
  };
  const again = () => {
    setState({ kind: 'loading' });
    void open();
  };
  return { state, open, finish, again };
}

/** The thanks after sending, with the way on: to another page, or to another answer. */
const Thanks = ({ form, result, onAgain }: { readonly form: OpenForm; readonly result: FormResult; readonly onAgain: () => void }): ReactElement => {
  const messages = useFormMessages();
  const leaves = result.redirect !== null;
  return (
    <Message title={messages.thanksTitle} text={leaves ? messages.leading : result.thanks === '' ? messages.thanks : result.thanks}>
      {leaves ? (
        <a className="plain" href={result.redirect ?? ''}>
          {result.redirect}
        </a>
      ) : form.once ? null : (
        <button type="button" className="main" onClick={onAgain}>
          {messages.another}
        </button>
      )}
    </Message>
  );
};

/** Why a form cannot be filled in, with the input from before. */
const Closed = ({ title, text, name }: { readonly title: string; readonly text: string; readonly name: string }): ReactElement => (
  <Message title={title} text={text}>
    <StoredInput name={name} />
  </Message>
);

/** The page of a link to a form: filling it in, sending it, and filling it in again where this is enabled. */
export const FormPage = ({ link, locale }: { readonly link: Link; readonly locale: UiLocale }): ReactElement => {
  const common = useMessages();
  const messages = useFormMessages();
  const { state, open, finish, again } = useOpenForm(link, locale);
  const [round, setRound] = useState(0);
  const title = state.kind === 'form' || state.kind === 'done' ? state.form.title : '';
  useEffect(() => {
    document.title = title === '' ? common.product : title;
  }, [title, common]);
  const startAgain = () => {
    setRound((now) => now + 1);
    again();
  };

  switch (state.kind) {
    case 'loading':
    case 'locked':
    case 'failed':
      return (
        <main className="middle">
          {state.kind === 'loading' && <p role="status">{common.loading}</p>}
          {state.kind === 'locked' && <Password link={link} onOpen={() => void open()} />}
          {state.kind === 'failed' && (
            <div className="gate">
              <p role="alert">{common.failed}</p>
              <button type="button" className="main" onClick={() => void open()}>
                {common.retry}
              </button>
            </div>
          )}
        </main>
      );
    case 'ended':
      return <Closed title={messages.endedTitle} text={messages.endedText} name={link.name} />;
    case 'done':
      return <Thanks form={state.form} result={state.result} onAgain={startAgain} />;
    case 'form': {
      const { form } = state;
      if (form.status === 'full')
        return <Closed title={messages.fullTitle} text={form.closedText === '' ? messages.fullText : form.closedText} name={link.name} />;
      if (form.status === 'unfit') return <Closed title={messages.unfitTitle} text={messages.unfitText} name={link.name} />;
      if (form.once && wasSent(link.name)) return <Message title={messages.sentTitle} text={messages.sentText} />;
      return <FormFill key={round} link={link} form={form} locale={locale} onTaken={(result) => finish(form, result)} onAsk={open} />;
    }
  }
};
