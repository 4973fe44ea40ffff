import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicLink } from '@contract/tables/publicLinks';
import { defineUndo } from '@/features/notices/undoListeners';
import { useLinkActions } from '@/features/publicLinks/useLinkActions';
import { useFormat } from '@/lib/format';
import { LinkRow } from '@/ui/links/LinkRow';
import { publicLinksApi, useRemoveViewPublicLinkMutation, useTakeOverViewPublicLinkMutation } from './publicLinksApi';
import { embedCode } from './publicLinkInput';

/** Facts about the answers to a form: whether it accepts any, their number and limit, and how many were refused. */
function useFormFacts(form: PublicLink['form']): string[] {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  if (form === null) return [];
  return [
    ...(form.status === 'open' || form.status === 'stopped' ? [] : [t(`publicLink.form.status.${form.status}`)]),
    form.limit === null
      ? t('publicLink.form.answers', { n: format.number(form.answers) })
      : t('publicLink.form.answersOf', { n: format.number(form.answers), limit: format.number(form.limit) }),
    ...(form.refused === 0 ? [] : [t('publicLink.form.refused', { n: format.number(form.refused) })]),
  ];
}

const notifyLinkEnded = defineUndo<{ readonly siteId: string; readonly id: string }>('tables/publicLinkEndUndone', (dispatch, link) =>
  dispatch(publicLinksApi.endpoints.restoreViewPublicLink.initiate(link)),
);

/** One public link: what it opens, its protection and usage, and its actions. */
export const PublicLinkItem = ({
  siteId,
  publicLink,
  place,
  onEdit,
}: {
  readonly siteId: string;
  readonly publicLink: PublicLink;
  /** Whether to show the table and view. */ readonly place: boolean;
  readonly onEdit: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const [now] = useState(() => Date.now());
  const [remove] = useRemoveViewPublicLinkMutation();
  const [takeOver] = useTakeOverViewPublicLinkMutation();
  const { id, name, form } = publicLink;
  const actions = useLinkActions({
    name,
    endText: t('publicLink.endText'),
    remove: () => remove({ siteId, id }),
    takeOver: () => takeOver({ siteId, id }),
    notifyEnded: (dispatch, message) => notifyLinkEnded(dispatch, message, { siteId, id }),
  });
  return (
    <LinkRow
      link={publicLink}
      now={now}
      marks={[...(publicLink.drafts ? [t('publicLink.withDrafts')] : []), ...(publicLink.download ? [t('publicLink.canDownload')] : [])]}
      lines={place ? [t('publicLink.place', { table: publicLink.tableTitle, view: publicLink.viewTitle })] : []}
      facts={useFormFacts(form)}
      copies={form === null || form.embeds.length === 0 ? [] : [{ label: t('publicLink.form.embedCode'), text: embedCode(publicLink) }]}
      {...(form === null ? {} : { openLabel: t('publicLink.form.open') })}
      busy={actions.busy}
      names={{ edit: t('publicLink.editNamed', { name }), end: t('publicLink.endNamed', { name }) }}
      onEdit={onEdit ?? undefined}
      onTakeOver={() => void actions.takeOver()}
      onEnd={() => void actions.end()}
    />
  );
};
