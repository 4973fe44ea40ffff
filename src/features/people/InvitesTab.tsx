import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invite } from '@contract/people/schemas';
import { mayAssign } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { LinkDialog } from './LinkDialog';
import { useInvitesQuery, useResendInviteMutation, useRevokeInviteMutation } from './peopleApi';
import type { CreatedInvite } from './peopleApi';
import { usePeopleFailure } from './usePeopleFailure';

/** Maximum number of new links after the first. */
const mostResent = 5;
const tone = { open: 'text.primary', accepted: 'success.main', expired: 'text.secondary', revoked: 'text.secondary' } as const;

function InviteItem({
  invite,
  onResend,
  onRevoke,
}: {
  readonly invite: Invite;
  readonly onResend: (() => void) | null;
  readonly onRevoke: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('people');
  const format = useFormat();
  const sites = useAppSelector(selectSites);
  const name = invite.email ?? t('invites.noEmail');
  const grants = invite.grants.map(({ siteId, role }) =>
    t('invites.grant', { site: sites.find((site) => site.id === siteId)?.name ?? t('grants.goneSite'), role: t(`siteRole.${role}`) }),
  );
  const day = (value: string) => format.date(value, { weekday: false });
  const over = invite.resent >= mostResent;
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 320px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {name}
          <Typography component="span" variant="caption" sx={{ ml: 1, color: tone[invite.state], whiteSpace: 'nowrap' }}>
            {t(`inviteState.${invite.state}`)}
          </Typography>
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {[t(`role.${invite.role}`), ...grants].join(' · ')}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          <span title={format.dateTime(invite.createdAt)}>{t('invites.by', { name: invite.invitedBy, date: day(invite.createdAt) })}</span>
          {' · '}
          <span title={format.dateTime(invite.expiresAt)}>
            {t(invite.state === 'open' ? 'invites.until' : 'invites.ended', { date: day(invite.expiresAt) })}
          </span>
          {invite.resent > 0 && ` · ${t('invites.resent', { n: invite.resent, most: mostResent })}`}
        </Typography>
        {invite.message !== '' && (
          <Typography variant="caption" component="div" sx={{ mt: 0.5, color: 'text.secondary', whiteSpace: 'pre-wrap' }}>
            {t('invites.quoted', { text: invite.message })}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' }}>
        {onResend && (
          <Button
            variant="outlined"
            disabled={over}
            onClick={onResend}
            title={over ? t('invites.noMore', { most: mostResent }) : undefined}
            aria-label={t('invites.resendNamed', { name })}
          >
            {t('invites.resend')}
          </Button>
        )}
        {onRevoke && (
          <Button onClick={onRevoke} aria-label={t('invites.revokeNamed', { name })}>
            {t('invites.revoke')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Invitations, open ones first: create a new link, or revoke. */
export default function InvitesTab(): ReactElement {
  const { t } = useTranslation('people');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const fail = usePeopleFailure();
  const actor = useAppSelector(selectSession)?.role ?? 'member';
  const mayManage = useAppSelector((state) => selectMay(state, 'people.manage'));
  const result = useInvitesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [resend] = useResendInviteMutation();
  const [revoke] = useRevokeInviteMutation();
  const [renewed, setRenewed] = useState<CreatedInvite | null>(null);

  const again = async (invite: Invite) => {
    const call = resend({ id: invite.id });
    const { data, error } = await call;
    call.reset();
    if (data) setRenewed(data);
    else if (isFailure(error)) fail(error);
  };
  const takeBack = async (invite: Invite) => {
    const name = invite.email ?? t('invites.noEmail');
    if (!(await confirm({ title: t('invites.revokeTitle', { name }), body: t('invites.revokeText'), confirm: t('invites.revoke'), danger: true }))) return;
    const { error } = await revoke({ id: invite.id });
    if (isFailure(error)) fail(error);
    else dispatch(noticeShown({ message: { key: 'people:invites.revoked' } }));
  };
  return (
    <>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        skeletonRows={4}
        empty={<EmptyState title={t('invites.empty')}>{t('invites.emptyText')}</EmptyState>}
      >
        {(invites) => (
          <RowList label={t('tab.invites')} maxWidth={960}>
            {invites.map((invite) => {
              const mine = mayManage && mayAssign(actor, invite.role);
              return (
                <InviteItem
                  key={invite.id}
                  invite={invite}
                  onResend={mine && (invite.state === 'open' || invite.state === 'expired') ? () => void again(invite) : null}
                  onRevoke={mayManage && invite.state === 'open' ? () => void takeBack(invite) : null}
                />
              );
            })}
          </RowList>
        )}
      </ListContent>
      {renewed && (
        <LinkDialog title={t('invites.newLink')} url={renewed.url} expiresAt={renewed.invite.expiresAt} onClose={() => setRenewed(null)}>
          <Typography variant="body2">
            {t('invites.oldEnded')}
            {renewed.mailed && renewed.invite.email !== null && t('invites.alsoMailed', { email: renewed.invite.email })}
          </Typography>
        </LinkDialog>
      )}
    </>
  );
}
