import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Webhook, WebhookDeliveryDetails, CreatedWebhook } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { useFormat } from '@/lib/format';
import { useSearchState, writeSearch } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFailureNotice } from '@/features/tables/useFailureNotice';
import { address, listAddress } from './address';
import { CodeBlock } from './CodeBlock';
import { DeliveryLog } from './DeliveryLog';
import { DeliveryView } from './DeliveryView';
import { useChangeHookMutation, useRemoveHookMutation, useTestHookMutation, webhooksApi } from './webhooksApi';
import { WebhookFigures, WebhookState } from './WebhookList';
import { RotateDialog } from './SecretDialog';
import { useWebhookLabels } from './useWebhookLabels';

type TestOutcome = { readonly row: WebhookDeliveryDetails } | { readonly failure: ApiFailure } | null;

/** The result of a test, beside the button that ran it. */
const TestResult = ({ result, onSee }: { readonly result: NonNullable<TestOutcome>; readonly onSee: (id: string) => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const format = useFormat();
  if ('failure' in result) return <ErrorPanel failure={result.failure} title={t('failed')} />;
  const { row } = result;
  const good = row.state === 'sent';
  return (
    <div className="hook-result" role="status" {...(good ? { 'data-good': true } : { 'data-bad': true })}>
      <p>{good ? t('test.good', { status: row.status ?? '', ms: format.number(row.ms ?? 0) }) : t('test.bad', { reason: labels.error(row) })}</p>
      {row.reply !== null && row.reply !== '' ? (
        <CodeBlock label={t('test.reply')} text={row.reply} />
      ) : (
        row.status !== null && <p className="hook-quiet">{t('test.noReply')}</p>
      )}
      <p>
        <Button onClick={() => onSee(row.id)}>{t('test.see')}</Button>
      </p>
    </div>
  );
};

type Props = { readonly siteId: string; readonly hook: Webhook };

/** Tests a webhook; `result` is that of the latest test. */
function useWebhookTest({ siteId, hook }: Props) {
  const [result, setResult] = useState<TestOutcome>(null);
  const [test, { isLoading }] = useTestHookMutation();
  const run = async () => {
    if (isLoading) return;
    setResult(null);
    const { data, error } = await test({ siteId, hook: hook.id });
    if (data) setResult({ row: data });
    else if (isFailure(error)) setResult({ failure: error });
  };
  return { result, running: isLoading, run };
}

const notifyWebhookRemoved = defineUndo<{ readonly siteId: string; readonly hook: string }>('tables/webhookRemovalUndone', (dispatch, hook) =>
  dispatch(webhooksApi.endpoints.restoreHook.initiate(hook)),
);

/** Switches a webhook on or off, and removes it after confirmation. */
const WebhookActions = ({ siteId, hook, onRotate }: Props & { readonly onRotate: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [, go] = useSearchState(address);
  const [change, changing] = useChangeHookMutation();
  const [remove] = useRemoveHookMutation();
  const notifyFailure = useFailureNotice();
  const { id, name } = hook;
  const notify = (error: unknown, key: 'turnedOn' | 'turnedOff' | 'removed'): void => {
    if (isFailure(error)) notifyFailure(error);
    else dispatch(noticeShown({ message: { key: `tableHooks:${key}`, values: { name } } }));
  };
  const turn = async (enabled: boolean) => {
    if (changing.isLoading) return;
    const { error } = await change({ siteId, hook: id, revision: hook.revision, body: { enabled } });
    notify(error, enabled ? 'turnedOn' : 'turnedOff');
  };
  const drop = async () => {
    if (!(await confirm({ title: t('removeTitle', { name }), body: t('removeText'), confirm: t('act.remove'), danger: true }))) return;
    const { error } = await remove({ siteId, hook: id });
    // Somebody else has removed it already, which has the same effect.
    const gone = isFailure(error) && error.status === 404;
    if (isFailure(error)) notify(gone ? undefined : error, 'removed');
    else notifyWebhookRemoved(dispatch, { key: 'tableHooks:removed', values: { name } }, { siteId, hook: id });
    if (!isFailure(error) || gone) go(listAddress);
  };
  return (
    <>
      <Button variant="outlined" aria-busy={changing.isLoading} onClick={() => void turn(!hook.enabled)}>
        {t(hook.enabled ? 'act.turnOff' : 'act.turnOn')}
      </Button>
      <Button onClick={onRotate}>{t('act.rotate')}</Button>
      <Button color="error" onClick={() => void drop()}>
        {t('act.remove')}
      </Button>
    </>
  );
};

/** One webhook: its definition, actions, and deliveries. */
export const WebhookView = ({
  siteId,
  tables,
  hook,
  onMade,
}: Props & { readonly tables: readonly ContentTable[]; readonly onMade: (createdHook: CreatedWebhook) => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const format = useFormat();
  const location = useLocation();
  const [at, go] = useSearchState(address);
  const [rotating, setRotating] = useState(false);
  const { result, running, run } = useWebhookTest({ siteId, hook });
  const testButton = (
    <Button variant="outlined" aria-busy={running} onClick={() => void run()}>
      {t(running ? 'act.testing' : 'act.test')}
    </Button>
  );
  return (
    <>
      <p className="hook-back">
        <Link className="text-link" to={`?${writeSearch(address, new URLSearchParams(location.search), listAddress).toString()}`}>
          {t('back')}
        </Link>
      </p>
      <div className="hook-head">
        <h2>{hook.name}</h2>
        <WebhookState hook={hook} />
        <p className="hook-url">{hook.url}</p>
        <p className="hook-about">{labels.scope(hook, tables)}</p>
        {hook.oldSecretUntil !== null && <p className="hook-about">{t('secret.old', { when: format.dateTime(hook.oldSecretUntil) })}</p>}
        <div className="hook-acts">
          {testButton}
          <Button variant="outlined" onClick={() => go({ edit: true })}>
            {t('act.edit')}
          </Button>
          <WebhookActions siteId={siteId} hook={hook} onRotate={() => setRotating(true)} />
        </div>
        <WebhookFigures hook={hook} />
      </div>
      {result && <TestResult result={result} onSee={(delivery) => go({ delivery })} />}
      <DeliveryLog siteId={siteId} hook={hook} test={testButton} />
      <DeliveryView siteId={siteId} tables={tables} hook={hook} id={at.delivery} onClose={() => go({ delivery: '' })} />
      {rotating && (
        <RotateDialog
          siteId={siteId}
          hook={hook}
          onClose={() => setRotating(false)}
          onMade={(createdHook) => {
            setRotating(false);
            onMade(createdHook);
          }}
        />
      )}
    </>
  );
};
