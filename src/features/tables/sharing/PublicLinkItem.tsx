import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicLink } from '@contract/tables/publicLinks';
import { useLinkActions } from '@/features/sharing/useLinkActions';
import { useFormat } from '@/lib/format';
import { LinkRow } from '@/ui/links/LinkRow';
import { useRemoveViewShareMutation, useTakeOverViewShareMutation } from './publicLinksApi';
import { embedCode } from './publicLinkInput';

/** Facts about the answers to a form: whether it accepts any, their number and limit, and how many were refused. */
function useFormFacts(form: PublicLink['form']): string[] {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  if (form === null) return [];
  return [
    ...(form.status === 'open' || form.status === 'stopped' ? [] : [t(`share.form.status.${form.status}`)]),
    form.limit === null
      ? t('share.form.answers', { n: format.number(form.answers) })
      : t('share.form.answersOf', { n: format.number(form.answers), limit: format.number(form.limit) }),
    ...(form.refused === 0 ? [] : [t('share.form.refused', { n: format.number(form.refused) })]),
  ];
}

/** One public link: what it opens, its protection and usage, and its actions. */
export const PublicLinkItem = ({
  siteId,
  share,
  place,
  onEdit,
}: {
  readonly siteId: string;
  readonly share: PublicLink;
  /** Whether to show the table and view. */ readonly place: boolean;
  readonly onEdit: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const [now] = useState(() => Date.now());
  const [remove] = useRemoveViewShareMutation();
  const [takeOver] = useTakeOverViewShareMutation();
  const { id, name, form } = share;
  const actions = useLinkActions({
    name,
    endText: t('share.endText'),
    remove: () => remove({ siteId, id }),
    takeOver: () => takeOver({ siteId, id }),
  });
  return (
    <LinkRow
      link={share}
      now={now}
      marks={[...(share.drafts ? [t('share.withDrafts')] : []), ...(share.download ? [t('share.canDownload')] : [])]}
      lines={place ? [t('share.place', { table: share.tableTitle, view: share.viewTitle })] : []}
      facts={useFormFacts(form)}
      copies={form === null || form.embeds.length === 0 ? [] : [{ label: t('share.form.embedCode'), text: embedCode(share) }]}
      {...(form === null ? {} : { openLabel: t('share.form.open') })}
      busy={actions.busy}
      names={{ edit: t('share.editNamed', { name }), end: t('share.endNamed', { name }) }}
      onEdit={onEdit ?? undefined}
      onTakeOver={() => void actions.takeOver()}
      onEnd={() => void actions.end()}
    />
  );
};
