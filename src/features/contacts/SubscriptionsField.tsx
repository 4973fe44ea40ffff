import { Box, Checkbox, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { contactChannels, contactTopics } from '@contract/contacts/schemas';
import type { ContactChannel, Subscriptions } from '@contract/contacts/schemas';
import { FieldGroup } from '@/ui/form/Field';
import type { BoundProps } from '@/ui/form/TextField';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { withChoice } from './contactValues';

/** Topics and channels: a row for each topic, a checkbox for each channel. */
export function SubscriptionsField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  addresses,
}: BoundProps<I, O> & { /** The form field of each channel's address. */ readonly addresses: Record<ContactChannel, FieldPath<I>> }): ReactElement {
  const { t } = useTranslation('contacts');
  const { field, fieldState } = useController({ control, name });
  const say = useFieldErrorMessage();
  const chosen = field.value as Subscriptions;
  const filled = useWatch({ control, name: contactChannels.map((channel) => addresses[channel]) }) as unknown[];
  const without = contactChannels.filter((channel, at) => (filled[at] ?? '') === '' && Object.values(chosen).some((ways) => ways.includes(channel)));
  return (
    <FieldGroup
      label={label}
      help={without.length === 0 ? undefined : without.map((channel) => t(`contacts.noAddress.${channel}`)).join(t('semicolon'))}
      error={say(fieldState.error?.message, messages)}
    >
      <Box
        component="table"
        sx={{ width: '100%', borderCollapse: 'collapse', '& th, & td': { p: 0, borderBottom: 1, borderColor: 'divider', textAlign: 'left', fontWeight: 400 } }}
      >
        <thead>
          <tr>
            <th scope="col">
              <span className="only-read">{t('contacts.column.topics')}</span>
            </th>
            {contactChannels.map((channel) => (
              <Typography key={channel} component="th" scope="col" variant="caption" sx={{ width: 72, color: 'text.secondary', py: '4px !important' }}>
                {t(`channel.${channel}`)}
              </Typography>
            ))}
          </tr>
        </thead>
        <tbody>
          {contactTopics.map((topic, line) => (
            <tr key={topic}>
              <Box component="th" scope="row" sx={{ py: '6px !important' }}>
                <Typography variant="body2">{t(`topic.${topic}`)}</Typography>
                <Typography variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
                  {t(`topicDetail.${topic}`)}
                </Typography>
              </Box>
              {contactChannels.map((channel, column) => (
                <td key={channel}>
                  <Checkbox
                    sx={{ ml: -1, '@media (pointer: coarse)': { p: 1.5, ml: -1.5 } }}
                    checked={chosen[topic]?.includes(channel) ?? false}
                    onBlur={field.onBlur}
                    onChange={(_event, on) => field.onChange(withChoice(chosen, topic, channel, on))}
                    slotProps={{
                      input: {
                        'aria-label': t('contacts.topicBy', { topic: t(`topic.${topic}`), channel: t(`channel.${channel}`) }),
                        ...(line === 0 && column === 0 && { ref: field.ref }),
                      },
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </FieldGroup>
  );
}
