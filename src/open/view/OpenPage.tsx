import { useCallback, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { openViewCalls } from '@contract/tables/calls';
import type { OpenView } from '@contract/tables/publicLinks';
import type { UiLocale } from '@/lib/preferences';
import type { Link } from '../call';
import { Frame, Password } from '../gate';
import { ViewPage } from './ViewPage';
import { useMessages } from '../useMessages';

type State = { readonly kind: 'loading' | 'ended' | 'failed' | 'locked' } | { readonly kind: 'open'; readonly view: OpenView };

const Gate = ({ link, locale }: { readonly link: Link; readonly locale: UiLocale }): ReactElement => {
  const messages = useMessages();
  const [state, setState] = useState<State>({ kind: 'loading' });
  const open = useCallback(async () => {
    const result = await link.get<OpenView>(openViewCalls.openView.path, locale);
    if (!result.ok) return setState({ kind: result.status === 404 || result.status === 410 ? 'ended' : 'failed' });
    return setState(result.data.needsPassword ? { kind: 'locked' } : { kind: 'open', view: result.data });
  }, [link, locale]);
  useEffect(() => void open(), [open]);
  const lost = useCallback(() => void open(), [open]);
  const title = state.kind === 'open' ? state.view.title : '';
  useEffect(() => {
    document.title = title === '' ? messages.product : title;
  }, [title, messages]);
  switch (state.kind) {
    case 'open':
      return <ViewPage link={link} view={state.view} onLost={lost} />;
    case 'locked':
      return (
        <main className="middle">
          <Password link={link} onOpen={lost} />
        </main>
      );
    case 'ended':
      return (
        <main className="middle">
          <div className="gate">
            <h1>{messages.endedTitle}</h1>
            <p>{messages.endedText}</p>
          </div>
        </main>
      );
    case 'failed':
      return (
        <main className="middle">
          <div className="gate">
            <p role="alert">{messages.failed}</p>
            <button type="button" className="main" onClick={lost}>
              {messages.retry}
            </button>
          </div>
        </main>
      );
    case 'loading':
      return (
        <main className="middle">
          <p role="status">{messages.loading}</p>
        </main>
      );
  }
};

/** The page of a link to a view, in the reader's language. */
export const OpenPage = ({ link }: { readonly link: Link }): ReactElement => <Frame>{(locale) => <Gate link={link} locale={locale} />}</Frame>;
