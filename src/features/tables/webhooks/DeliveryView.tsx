import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook, WebhookDeliveryDetails } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useFailureNotice } from '@/features/tables/useFailureNotice';
import { prettyJson } from '@/features/tables/prettyJson';
import { SideSheet } from '@/ui/SideSheet';
import { CodeBlock } from './CodeBlock';
import { useHookDeliveryQuery, useReplayDeliveryMutation } from './webhooksApi';
import { useWebhookLabels } from './useWebhookLabels';

type Props = { readonly siteId: string; readonly tables: readonly ContentTable[]; readonly hook: Webhook };
type WithRow = { readonly row: WebhookDeliveryDetails };
/** Maximum characters of a body shown; copying includes all of it. */
const shownLength = 60_000;

/** Time, event and attempts of a delivery. */
const Facts = ({ tables, row }: Pick<Props, 'tables'> & WithRow): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const format = useFormat();
  return (
    <dl className="hook-facts">
      <dt>{t('log.result')}</dt>
      <dd>
        <span className="hook-result" data-state={row.state}>
          {labels.result(row)}
        </span>
      </dd>
      <dt>{t('log.what')}</dt>
      <dd>
        {labels.event(row.event)}
        {row.records > 0 && ` · ${t('log.records', { count: row.records })}`}
      </dd>
      {row.tableId !== null && (
        <>
          <dt>{t('delivery.table')}</dt>
          <dd>{labels.tableName(tables, row.tableId)}</dd>
        </>
      )}
      <dt>{t('log.when')}</dt>
      <dd>{format.dateTime(row.at, { seconds: true })}</dd>
      {row.triedAt !== null && (
        <>
          <dt>{t('delivery.tried')}</dt>
          <dd>
            {format.dateTime(row.triedAt, { seconds: true })}
            {row.ms !== null && ` · ${t('log.ms', { n: format.number(row.ms) })}`}
          </dd>
        </>
      )}
      <dt>{t('log.attempts')}</dt>
      <dd>
        {format.number(row.attempts)}
        {row.nextAt !== null && row.attempts > 0 && ` · ${t('log.next', { when: format.dateTime(row.nextAt, { seconds: true }) })}`}
      </dd>
      <dt>{t('delivery.id')}</dt>
      <dd>
        <code>{row.request.headers['webhook-id']}</code>
      </dd>
    </dl>
  );
};

/** Sends the message again. */
const Replay = ({ siteId, hook, row }: Omit<Props, 'tables'> & WithRow): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const dispatch = useAppDispatch();
  const notifyFailure = useFailureNotice();
  const [replay, { isLoading }] = useReplayDeliveryMutation();
  const send = async () => {
    const { error } = await replay({ siteId, hook: hook.id, delivery: row.id });
    if (isFailure(error)) notifyFailure(error);
    else dispatch(noticeShown({ message: { key: 'tableHooks:log.replayed' } }));
  };
  return (
    <div>
      <Button variant="outlined" disabled={!hook.enabled} aria-busy={isLoading} onClick={() => void send()}>
        {t(row.state === 'waiting' ? 'act.replayNow' : 'act.replay')}
      </Button>
      {!hook.enabled && <p className="hook-quiet">{t('log.offHint')}</p>}
    </div>
  );
};

/** The request: headers, and the body as far as it is retained. */
const Request = ({ row }: WithRow): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const format = useFormat();
  const { body, headers, url, rebuilt } = row.request;
  const text = body === null ? '' : prettyJson(body);
  return (
    <section>
      <h3>{t('delivery.request')}</h3>
      <CodeBlock label={t('delivery.headers')} text={[`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')} />
      <p className="hook-quiet">{t('delivery.signature')}</p>
      {body === null ? (
        <p className="hook-quiet">{t('delivery.noBody')}</p>
      ) : (
        <>
          {rebuilt && row.attempts > 0 && <p className="hook-quiet">{t('delivery.rebuilt')}</p>}
          {text.length > shownLength && <p className="hook-quiet">{t('delivery.long', { size: bytesText(body.length, format) })}</p>}
          <CodeBlock label={t('delivery.body')} text={body} displayedText={text.slice(0, shownLength)} />
        </>
      )}
    </section>
  );
};

const Delivery = ({ siteId, tables, hook, row }: Props & WithRow): ReactElement => {
  const { t } = useTranslation('tableHooks');
  return (
    <div className="hook-parts">
      <section aria-label={t('log.result')}>
        <Facts tables={tables} row={row} />
        {row.event !== 'test' && <Replay siteId={siteId} hook={hook} row={row} />}
      </section>
      <section>
        <h3>{t('delivery.response')}</h3>
        {row.reply === null || row.reply === '' ? (
          <p className="hook-quiet">{t('delivery.noReply')}</p>
        ) : (
          <CodeBlock label={t('delivery.reply')} text={row.reply} />
        )}
      </section>
      <Request row={row} />
    </div>
  );
};

/** One delivery in the drawer: request, response, and sending it again. */
export const DeliveryView = ({ id, onClose, ...props }: Props & { /** '' is closed. */ readonly id: string; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const { siteId, hook } = props;
  const result = useHookDeliveryQuery({ siteId, hook: hook.id, delivery: id }, { skip: id === '' });
  // While the delivery is waiting, its result appears automatically.
  const waits = result.currentData?.state === 'waiting';
  useHookDeliveryQuery({ siteId, hook: hook.id, delivery: id }, { skip: id === '' || !waits, pollingInterval: 3000, skipPollingIfUnfocused: true });
  return (
    <SideSheet title={t('delivery.title')} open={id !== ''} width={720} className="hook-sheet" onClose={onClose}>
      {id !== '' && (
        <ResultState
          result={result}
          skeleton={<RowsSkeleton rows={8} />}
          failed={(error, retry, retrying) => (
            <div className="hook-parts">
              {isFailure(error) && (error.status === 404 || error.status === 422) ? (
                <p className="hook-quiet">{t('delivery.missing')}</p>
              ) : (
                <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />
              )}
            </div>
          )}
        >
          {(row) => <Delivery {...props} row={row} />}
        </ResultState>
      )}
    </SideSheet>
  );
};
