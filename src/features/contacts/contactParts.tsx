import { Box, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { contactKinds, contactTitles } from '@contract/contacts/schemas';
import type { Contact, ContactInput } from '@contract/contacts/schemas';
import { CheckboxGroup } from '@/ui/form/CheckboxGroup';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import type { ContactValues } from './contactValues';
import { QuietHoursField } from './QuietHoursField';
import { MailState, WebhookState } from './ReachState';
import { SitesField } from './SitesField';
import { SubscriptionsField } from './SubscriptionsField';

type PartProps = { readonly form: ContractForm<ContactInput, ContactValues> };

/** A section of the drawer: a heading and its fields. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography id={id} component="h3" sx={{ fontSize: 'var(--text-body)', fontWeight: 600 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

export function PersonPart({ form, isNew }: PartProps & { readonly isNew: boolean }): ReactElement {
  const { t } = useTranslation('contacts');
  const { control } = form;
  return (
    <Part title={t('part.who')}>
      <TextField control={control} name="name" label={t('contacts.name')} maxLength={40} autoFocus={isNew} autoComplete="off" />
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, gap: 2 }}>
        <TextField control={control} name="company" label={t('contacts.company')} maxLength={100} optional autoComplete="off" />
        <SelectField
          control={control}
          name="title"
          label={t('contacts.role')}
          choices={contactTitles.map((title) => ({ value: title, label: t(`title.${title}`) }))}
        />
      </Box>
      <CheckboxGroup
        control={control}
        name="kinds"
        label={t('contacts.kinds')}
        help={t('contacts.kindsHelp')}
        choices={contactKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
      />
    </Part>
  );
}

/** `contact`: the stored version, whose addresses can be verified and tested; `children`: what is said about the typed e-mail address. */
export function ChannelsPart({ form, contact, children }: PartProps & { readonly contact: Contact | null; readonly children: ReactNode }): ReactElement {
  const { t } = useTranslation('contacts');
  const { control } = form;
  return (
    <Part title={t('part.reach')}>
      <Box sx={{ display: 'grid', gap: 1 }}>
        <TextField
          control={control}
          name="email"
          label={t('contacts.email')}
          nullable
          optional
          type="email"
          inputMode="email"
          verbatim
          messages={{ taken: t('contacts.emailTaken') }}
          autoComplete="off"
        />
        {children}
        {contact && <MailState contact={contact} control={control} />}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }, gap: 2, alignItems: 'start' }}>
        <TextField
          control={control}
          name="phone"
          label={t('contacts.phone')}
          help={t('contacts.phoneHelp')}
          nullable
          optional
          type="tel"
          inputMode="tel"
          messages={{ pattern: t('contacts.phonePattern') }}
          autoComplete="off"
        />
        <TextField control={control} name="wechat" label={t('contacts.wechat')} maxLength={60} optional verbatim autoComplete="off" />
      </Box>
      <TextField control={control} name="address" label={t('contacts.address')} maxLength={200} optional autoComplete="off" />
      <Box sx={{ display: 'grid', gap: 1 }}>
        <TextField
          control={control}
          name="webhook"
          label={t('contacts.webhook')}
          help={t('contacts.webhookHelp')}
          nullable
          optional
          type="url"
          inputMode="url"
          verbatim
          maxLength={500}
          placeholder="https://"
          autoComplete="off"
          messages={{ reserved: t('contacts.webhookReserved') }}
        />
        {contact && <WebhookState contact={contact} control={control} />}
      </Box>
    </Part>
  );
}

export function SubscriptionsPart({ form }: PartProps): ReactElement {
  const { t } = useTranslation('contacts');
  const { control } = form;
  return (
    <Part title={t('part.tell')}>
      <SubscriptionsField control={control} name="subscriptions" label={t('contacts.subscriptions')} addresses={{ mail: 'email', webhook: 'webhook' }} />
      <SitesField
        control={control}
        name="siteIds"
        label={t('contacts.siteIds')}
        help={t('contacts.sitesHelp')}
        messages={{ too_short: t('contacts.pickSite'), out_of_range: t('contacts.pickSite') }}
      />
      <SelectField
        control={control}
        name="locale"
        label={t('contacts.language')}
        choices={[
          { value: 'zh-CN', label: t('zh') },
          { value: 'en', label: t('en') },
        ]}
      />
      <QuietHoursField form={form} />
    </Part>
  );
}
