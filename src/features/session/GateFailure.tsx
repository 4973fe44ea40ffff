import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';

export type GateFailureProps = { readonly title: string; readonly failure: ApiFailure | null | undefined; readonly onRetry: () => void };

/** The server's own error page, unchanged, in a sandboxed frame (the page `/frame` and its policy). */
const ErrorPage = ({ html, onRetry }: { html: string; onRetry: () => void }) => {
  const { t } = useTranslation('shell');
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const postPage = (event: MessageEvent) => {
      // Its origin is opaque, so messages are matched by the window itself.
      if (event.source === frame.current?.contentWindow && event.data === 'ready') frame.current?.contentWindow?.postMessage(html, '*');
    };
    addEventListener('message', postPage);
    return () => removeEventListener('message', postPage);
  }, [html]);
  return (
    <>
      <iframe ref={frame} title={t('errorPage')} sandbox="allow-scripts" src="/frame" className="gate-page" />
      <div className="gate-retry">
        <PlainButton onClick={onRetry}>{t('retry')}</PlainButton>
      </div>
    </>
  );
};

/** Replaces the console if neither the session nor the start-up data could be loaded. */
export const GateFailure = ({ title, failure, onRetry }: GateFailureProps) => {
  if (failure?.kind === 'html') return <ErrorPage html={failure.body ?? ''} onRetry={onRetry} />;
  return (
    <main className="gate">
      <ErrorPanel title={title} failure={failure} onRetry={onRetry}>
        {failure?.kind === 'http' && (
          <p>
            <code>{failure.message}</code>
          </p>
        )}
      </ErrorPanel>
    </main>
  );
};
