import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Hook, HookDeliveryWhole, HookMade } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useSearchState, writeSearch } from '@/lib/searchState';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { address, nowhere } from './address';
import { Code } from './Code';
import { DeliveryLog } from './DeliveryLog';
import { DeliveryView } from './DeliveryView';
import { useChangeHookMutation, useRemoveHookMutation, useTestHookMutation } from './hooksApi';
import { HookFigures, HookState } from './HookList';
import { RotateDialog } from './SecretDialog';
import { useHookWords } from './words';

type Tested = { readonly row: HookDeliveryWhole } | { readonly failure: ApiFailure } | null;

/** What came of a test, where it was asked for. */
const TestResult = ({ tested, onSee }: { readonly tested: NonNullable<Tested>; readonly onSee: (id: string) => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const words = useHookWords();
  const format = useFormat();
  if ('failure' in tested) return <ErrorPanel failure={tested.failure} title={t('failed')} />;
  const { row } = tested;
  const good = row.state === 'sent';
  return (
    <div className="hook-result" role="status" {...(good ? { 'data-good': true } : { 'data-bad': true })}>
      <p>{good ? t('test.good', { status: row.status ?? '', ms: format.number(row.ms ?? 0) }) : t('test.bad', { reason: words.fault(row) })}</p>
      {row.reply !== null && row.reply !== '' ? (
        <Code label={t('test.reply')} text={row.reply} />
      ) : (
        row.status !== null && <p className="hook-quiet">{t('test.noReply')}</p>
      )}
      <p>
        <Button size="small" onClick={() => onSee(row.id)}>
          {t('test.see')}
        </Button>
      </p>
    </div>
  );
};

/** One webhook: what it is, what can be done with it, and what became of its messages. */
export const HookView = ({
  siteId,
  tables,
  hook,
  onMade,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly hook: Hook;
  readonly onMade: (made: HookMade) => void;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const words = useHookWords();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const location = useLocation();
  const [at, go] = useSearchState(address);
  const [tested, setTested] = useState<Tested>(null);
  const [rotating, setRotating] = useState(false);
  const [change, changing] = useChangeHookMutation();
  const [remove] = useRemoveHookMutation();
  const [test, testing] = useTestHookMutation();
  const { id, name } = hook;

  const say = (error: unknown, key: 'turnedOn' | 'turnedOff' | 'removed'): void => {
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    else dispatch(noticeShown({ words: { key: `tableHooks:${key}`, values: { name } } }));
  };
  const turn = async (enabled: boolean) => {
    if (changing.isLoading) return;
    const { error } = await change({ siteId, hook: id, revision: hook.revision, body: { enabled } });
    say(error, enabled ? 'turnedOn' : 'turnedOff');
  };
  const drop = async () => {
    if (!(await confirm({ title: t('removeTitle', { name }), body: t('removeText'), confirm: t('act.remove'), danger: true }))) return;
    const { error } = await remove({ siteId, hook: id });
    // Somebody else was quicker: it is gone all the same.
    const gone = isFailure(error) && error.status === 404;
    say(gone ? undefined : error, 'removed');
    if (!isFailure(error) || gone) go(nowhere);
  };
  const tryIt = async () => {
    if (testing.isLoading) return;
    setTested(null);
    const { data, error } = await test({ siteId, hook: id });
    if (data) setTested({ row: data });
    else if (isFailure(error)) setTested({ failure: error });
  };
  const testButton = (
    <Button variant="outlined" aria-busy={testing.isLoading} onClick={() => void tryIt()}>
      {t(testing.isLoading ? 'act.testing' : 'act.test')}
    </Button>
  );
  return (
    <>
      <p className="hook-back">
        <Link className="text-link" to={`?${writeSearch(address, new URLSearchParams(location.search), nowhere).toString()}`}>
          {t('back')}
        </Link>
      </p>
      <div className="hook-head">
        <h2>{name}</h2>
        <HookState hook={hook} />
        <p className="hook-url">{hook.url}</p>
        <p className="hook-about">{[words.tables(hook, tables), words.events(hook), ...(hook.filter === null ? [] : [t('filtered')])].join(' · ')}</p>
        {hook.oldSecretUntil !== null && <p className="hook-about">{t('secret.old', { when: format.dateTime(hook.oldSecretUntil) })}</p>}
        <div className="hook-acts">
          {testButton}
          <Button variant="outlined" onClick={() => go({ edit: true })}>
            {t('act.edit')}
          </Button>
          <Button variant="outlined" aria-busy={changing.isLoading} onClick={() => void turn(!hook.enabled)}>
            {t(hook.enabled ? 'act.turnOff' : 'act.turnOn')}
          </Button>
          <Button onClick={() => setRotating(true)}>{t('act.rotate')}</Button>
          <Button color="error" onClick={() => void drop()}>
            {t('act.remove')}
          </Button>
        </div>
        <HookFigures hook={hook} />
      </div>
      {tested && <TestResult tested={tested} onSee={(delivery) => go({ delivery })} />}
      <DeliveryLog siteId={siteId} hook={hook} test={testButton} />
      <DeliveryView siteId={siteId} tables={tables} hook={hook} id={at.delivery} onClose={() => go({ delivery: '' })} />
      {rotating && (
        <RotateDialog
          siteId={siteId}
          hook={hook}
          onClose={() => setRotating(false)}
          onMade={(made) => {
            setRotating(false);
            onMade(made);
          }}
        />
      )}
    </>
  );
};
