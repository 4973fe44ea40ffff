import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { tableFormCalls } from '@contract/tables/calls';
import type { FormTaken, OpenForm } from '@contract/tables/forms';
import type { UiLocale } from '@/lib/preferences';
import type { Link } from '../call';
import { Password } from '../gate';
import { useWords } from '../words';
import { dropDraft, keptDraft, noteSent, wasSent } from './draft';
import { FormFill } from './FormFill';
import { useFormWords } from './words';

type State =
  | { readonly kind: 'loading' | 'ended' | 'failed' | 'locked' }
  | { readonly kind: 'form'; readonly form: OpenForm }
  | { readonly kind: 'done'; readonly form: OpenForm; readonly taken: FormTaken };

/** Text of the form's maker stands in lines as they were typed. */
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

/** What was typed before the form ended is not lost: it can be taken along. */
const Kept = ({ name }: { readonly name: string }): ReactElement | null => {
  const words = useFormWords();
  const [text] = useState(() => keptDraft(name)?.text ?? '');
  const [told, setTold] = useState<'copied' | 'notCopied' | null>(null);
  if (text === '') return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setTold('copied');
    } catch {
      setTold('notCopied');
    }
  };
  return (
    <div className="kept">
      <p>{words.keptText}</p>
      <pre>{text}</pre>
      <button type="button" className="plain" onClick={() => void copy()}>
        {words.copy}
      </button>
      <span role="status">{told === null ? '' : words[told]}</span>
    </div>
  );
};

/** The page of a link to a form: filled in, sent, and filled in again where that is wanted. */
export const FormPage = ({ link, locale }: { readonly link: Link; readonly locale: UiLocale }): ReactElement => {
  const common = useWords();
  const words = useFormWords();
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const asked = useRef(locale);
  useEffect(() => {
    asked.current = locale;
  }, [locale]);
  /** Asks for the form as it is now; null where it does not take answers any more, which the page then says. */
  const open = useCallback(async (): Promise<OpenForm | null> => {
    const answer = await link.get<OpenForm>(tableFormCalls.sharedForm.path, asked.current);
    if (!answer.ok) {
      const ended = answer.status === 404 || answer.status === 410;
      // Whoever is filling it in keeps it before their eyes while there is no connection.
      setState((now) => (ended || now.kind !== 'form' ? { kind: ended ? 'ended' : 'failed' } : now));
      return null;
    }
    setState(answer.data.needsPassword ? { kind: 'locked' } : { kind: 'form', form: answer.data });
    return answer.data.needsPassword || answer.data.standing !== 'open' ? null : answer.data;
  }, [link]);
  useEffect(() => void open(), [open]);

  const title = state.kind === 'form' || state.kind === 'done' ? state.form.title : '';
  useEffect(() => {
    document.title = title === '' ? common.product : title;
  }, [title, common]);

  const taken = (form: OpenForm, answer: FormTaken) => {
    dropDraft(link.name);
    if (form.once) noteSent(link.name);
    setState({ kind: 'done', form, taken: answer });
    if (answer.redirect !== null) location.assign(answer.redirect);
  };
  const again = () => {
    setRound((now) => now + 1);
    setState({ kind: 'loading' });
    void open();
  };

  switch (state.kind) {
    case 'loading':
      return (
        <main className="middle">
          <p role="status">{common.loading}</p>
        </main>
      );
    case 'locked':
      return (
        <main className="middle">
          <Password link={link} onOpen={() => void open()} />
        </main>
      );
    case 'failed':
      return (
        <main className="middle">
          <div className="gate">
            <p role="alert">{common.failed}</p>
            <button type="button" className="main" onClick={() => void open()}>
              {common.retry}
            </button>
          </div>
        </main>
      );
    case 'ended':
      return (
        <Message title={words.endedTitle} text={words.endedText}>
          <Kept name={link.name} />
        </Message>
      );
    case 'done': {
      const { form, taken: answer } = state;
      const leaves = answer.redirect !== null;
      return (
        <Message title={words.thanksTitle} text={leaves ? words.leading : answer.thanks === '' ? words.thanks : answer.thanks}>
          {leaves ? (
            <a className="plain" href={answer.redirect ?? ''}>
              {answer.redirect}
            </a>
          ) : form.once ? null : (
            <button type="button" className="main" onClick={again}>
              {words.another}
            </button>
          )}
        </Message>
      );
    }
    case 'form': {
      const { form } = state;
      if (form.standing === 'full')
        return (
          <Message title={words.fullTitle} text={form.closedText === '' ? words.fullText : form.closedText}>
            <Kept name={link.name} />
          </Message>
        );
      if (form.standing === 'unfit')
        return (
          <Message title={words.unfitTitle} text={words.unfitText}>
            <Kept name={link.name} />
          </Message>
        );
      if (form.once && wasSent(link.name)) return <Message title={words.sentTitle} text={words.sentText} />;
      return <FormFill key={round} link={link} form={form} locale={locale} onTaken={(answer) => taken(form, answer)} onAsk={open} />;
    }
  }
};
