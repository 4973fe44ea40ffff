import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { UptimeStatus } from '@contract/uptime/schemas';
import { Icon } from '@/ui/Icon';

const icons = { up: 'passed', unknown: 'unknown', down: 'failed' } as const;

/** Whether a monitored site is reachable: a small icon, with text if something is wrong. */
export function UptimeSign({ status }: { readonly status: UptimeStatus | undefined }): ReactElement | null {
  const { t } = useTranslation('sites');
  if (!status?.enabled) return null;
  const { state } = status;
  const text = t(`uptime.${state}`);
  return (
    <span className="uptime-sign" data-state={state} {...(state !== 'down' && { role: 'img', 'aria-label': text, title: text })}>
      <Icon name={icons[state]} size={16} />
      {state === 'down' && text}
    </span>
  );
}
