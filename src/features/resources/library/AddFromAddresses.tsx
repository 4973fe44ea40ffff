import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Resource } from '@contract/resources/schemas';
import type { AddressProblem } from '@contract/resources/terms';
import { isFailure } from '@/lib/failure';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { itemAddress } from '../kinds';
import { useAddResourceFromMutation } from '../libraryApi';
import './library.css';

type Result = { readonly url: string; readonly status: 'waiting' | 'fetching' } | { readonly url: string; readonly resource: Resource } | Problem;
type Problem = { readonly url: string; readonly problem: AddressProblem | 'invalid' | 'stopped' } | { readonly url: string; readonly failed: string };

/** Addresses that one run fetches at most. */
const most = 50;
/** A line as an address; one without a scheme is one of the web. */
function addressIn(line: string): string | null {
  const text = /^[a-z][\w+.-]*:/i.test(line) ? line : `https://${line}`;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
}

function Outcome({ siteId, result, onOpen }: { readonly siteId: string; readonly result: Result; readonly onOpen: () => void }): ReactElement {
  const { t } = useTranslation('resources');
  if ('status' in result) return <small role="status">{t(`fromAddress.${result.status}`)}</small>;
  if ('resource' in result) {
    return (
      <Link to={itemAddress(siteId, result.resource)} onClick={onOpen}>
        {result.resource.name}
      </Link>
    );
  }
  return (
    <small data-bad="">
      {'failed' in result ? result.failed : result.problem === 'stopped' ? t('addressRun.stopped') : t(`fromAddress.${result.problem}`)}
    </small>
  );
}

/** Adds the files of addresses one after the other. What is there already is not fetched again when it runs once more. */
function useAddressRun(siteId: string, folderId: string | null) {
  const messageOf = useFailureMessage();
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const [stopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const [add] = useAddResourceFromMutation();
  const fetchOne = async (line: string): Promise<Result> => {
    const url = addressIn(line);
    if (url === null) return { url: line, problem: 'invalid' };
    const { data, error } = await add({ siteId, body: { url, folderId } });
    // The server is stricter than browsers about what an address is.
    if (isFailure(error) && error.code === 'invalid_fields') return { url: line, problem: 'invalid' };
    if (!data) return { url: line, failed: isFailure(error) ? messageOf(error) : '' };
    return data.resource ? { url: line, resource: data.resource } : { url: line, problem: data.problem ?? 'unreachable' };
  };
  const run = async (before: readonly Result[]): Promise<void> => {
    setStopping(false);
    stopped.current = false;
    const state: Result[] = before.map((one) => ('resource' in one ? one : { url: one.url, status: 'waiting' }));
    for (const [at, one] of state.entries()) {
      if ('resource' in one) continue;
      state[at] = stopped.current ? { url: one.url, problem: 'stopped' } : { url: one.url, status: 'fetching' };
      setResults([...state]);
      if (!stopped.current) state[at] = await fetchOne(one.url);
    }
    setResults([...state]);
  };
  const stop = (): void => {
    stopped.current = true;
    setStopping(true);
  };
  return { results, isRunning: results?.some((one) => 'status' in one) === true, stopping, run, stop };
}

/** Fetches files from addresses, one a line, and says of each what became of it. It can be stopped, and failed ones can be tried again. */
export default function AddFromAddresses({
  siteId,
  folderId,
  onClose,
}: {
  readonly siteId: string;
  readonly folderId: string | null;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation(['resources', 'ui']);
  const titleId = useId();
  const [text, setText] = useState('');
  const { results, isRunning, stopping, run, stop } = useAddressRun(siteId, folderId);
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const hasFailed = results?.some((one) => !('resource' in one)) === true;
  return (
    <Dialog open onClose={isRunning ? () => undefined : onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('fromAddress.title')}</DialogTitle>
      <DialogContent>
        {results === null ? (
          <label className="resource-lines">
            <span>{t('fromAddress.label')}</span>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the dialog */}
            <textarea autoFocus rows={6} value={text} onChange={(event) => setText(event.target.value)} spellCheck={false} placeholder="https://" />
            <small className="resource-note">{t(lines.length > most ? 'fromAddress.tooMany' : 'fromAddress.help', { count: most })}</small>
          </label>
        ) : (
          <ol className="resource-results">
            {results.map((result) => (
              <li key={result.url}>
                <span title={result.url}>{result.url}</span>
                <Outcome siteId={siteId} result={result} onOpen={onClose} />
              </li>
            ))}
          </ol>
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        {results === null ? (
          <>
            <Button onClick={onClose}>{t('ui:cancel')}</Button>
            <Button
              variant="contained"
              disabled={lines.length === 0 || lines.length > most}
              onClick={() => void run(lines.map((url) => ({ url, status: 'waiting' })))}
            >
              {t('fromAddress.do')}
            </Button>
          </>
        ) : (
          <>
            {isRunning && (
              <Button disabled={stopping} aria-busy={stopping} onClick={stop}>
                {t('addressRun.stop')}
              </Button>
            )}
            {!isRunning && hasFailed && <Button onClick={() => void run(results)}>{t('ui:retry')}</Button>}
            <Button variant="contained" disabled={isRunning} onClick={onClose}>
              {t('ui:close')}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
