import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hook, HookDeliveryWhole } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { Code } from './Code';
import { useHookDeliveryQuery, useReplayDeliveryMutation } from './hooksApi';
import { SideSheet } from './SideSheet';
import { useHookWords } from './words';

type Props = { readonly siteId: string; readonly tables: readonly ContentTable[]; readonly hook: Hook };
/** Characters of a body on the screen; all of it can be copied. */
const shownLength = 60_000;

/** JSON as people read it; what is none stays as it is. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const Whole = ({ siteId, tables, hook, row }: Props & { readonly row: HookDeliveryWhole }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const words = useHookWords();
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [replay, { isLoading }] = useReplayDeliveryMutation();
  const again = async () => {
    const { error } = await replay({ siteId, hook: hook.id, delivery: row.id });
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    else dispatch(noticeShown({ words: { key: 'tableHooks:log.replayed' } }));
  };
  const { body, headers, url, rebuilt } = row.request;
  const text = body === null ? '' : laidOut(body);
  return (
    <div className="hook-parts">
      <section aria-label={t('log.answer')}>
        <dl className="hook-facts">
          <dt>{t('log.answer')}</dt>
          <dd>
            <span className="hook-answer" data-state={row.state}>
              {row.fault === null ? `${t(`log.states.${row.state}`)}${row.status === null ? '' : ` · ${row.status}`}` : words.fault(row)}
            </span>
          </dd>
          <dt>{t('log.what')}</dt>
          <dd>
            {words.event(row.event)}
            {row.records > 0 && ` · ${t('log.records', { count: row.records })}`}
          </dd>
          {row.tableId !== null && (
            <>
              <dt>{t('delivery.table')}</dt>
              <dd>{words.tableName(tables, row.tableId)}</dd>
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
            <code>{headers['webhook-id']}</code>
          </dd>
        </dl>
        {row.event !== 'test' && (
          <div>
            <Button variant="outlined" disabled={!hook.enabled} aria-busy={isLoading} onClick={() => void again()}>
              {t(row.state === 'waiting' ? 'act.replayNow' : 'act.replay')}
            </Button>
            {!hook.enabled && <p className="hook-quiet">{t('log.offHint')}</p>}
          </div>
        )}
      </section>
      <section>
        <h3>{t('delivery.answer')}</h3>
        {row.reply === null || row.reply === '' ? <p className="hook-quiet">{t('delivery.noReply')}</p> : <Code label={t('delivery.reply')} text={row.reply} />}
      </section>
      <section>
        <h3>{t('delivery.request')}</h3>
        <Code label={t('delivery.headers')} text={[`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')} />
        <p className="hook-quiet">{t('delivery.signature')}</p>
        {body === null ? (
          <p className="hook-quiet">{t('delivery.noBody')}</p>
        ) : (
          <>
            {rebuilt && row.attempts > 0 && <p className="hook-quiet">{t('delivery.rebuilt')}</p>}
            {text.length > shownLength && <p className="hook-quiet">{t('delivery.long', { size: bytesText(body.length, format) })}</p>}
            <Code label={t('delivery.body')} text={body} shown={text.slice(0, shownLength)} />
          </>
        )}
      </section>
    </div>
  );
};

/** One delivery in the drawer: what was sent, what came back, and sending it again. */
export const DeliveryView = ({ id, onClose, ...props }: Props & { /** '' is closed. */ readonly id: string; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const { siteId, hook } = props;
  const answer = useHookDeliveryQuery({ siteId, hook: hook.id, delivery: id }, { skip: id === '' });
  // While it waits, what comes of it shows by itself.
  const waits = answer.currentData?.state === 'waiting';
  useHookDeliveryQuery({ siteId, hook: hook.id, delivery: id }, { skip: id === '' || !waits, pollingInterval: 3000, skipPollingIfUnfocused: true });
  return (
    <SideSheet title={t('delivery.title')} open={id !== ''} width={720} onClose={onClose}>
      {id !== '' && (
        <AnswerState
          answer={answer}
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
          {(row) => <Whole {...props} row={row} />}
        </AnswerState>
      )}
    </SideSheet>
  );
};
