import { Box, ButtonBase, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { Caret } from '@/ui/Caret';
import { RowList } from '@/ui/list/RowList';
import { keyOf, shownRole } from './grantDraft';
import type { GrantDraft, GrantTable } from './grantDraft';

type Row = Grants['people'][number];
type Props = {
  readonly people: readonly Row[];
  readonly sites: Grants['sites'];
  readonly table: GrantTable;
  readonly draft: GrantDraft;
  readonly mayEdit: (person: Row) => boolean;
  readonly onEdit: (key: string, role: SiteRole | null) => void;
};

/** The matrix on narrow screens: one row per person, expandable to their sites. */
export function GrantPeople({ people, sites, table, draft, mayEdit, onEdit }: Props): ReactElement {
  const { t } = useTranslation('people');
  const id = useId();
  const [open, setOpen] = useState<string | null>(null);
  return (
    <RowList label={t('grants.matrix')}>
      {people.map((person) => {
        const has = sites.filter((site) => shownRole(table, draft, keyOf(person.id, site.id)) !== null).length;
        const edited = sites.filter((site) => draft[keyOf(person.id, site.id)] !== undefined).length;
        const here = open === person.id;
        return (
          <Box component="li" key={person.id} sx={{ borderBottom: 1, borderColor: 'divider' }}>
            <ButtonBase
              aria-expanded={here}
              aria-controls={`${id}-${person.id}`}
              onClick={() => setOpen(here ? null : person.id)}
              sx={{ width: 1, minHeight: 48, gap: 1, justifyContent: 'flex-start', textAlign: 'left', font: 'inherit' }}
            >
              <Box component="span" sx={{ display: 'inline-flex', transform: here ? 'rotate(90deg)' : 'none', color: 'text.secondary' }}>
                <Caret to="right" />
              </Box>
              <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', ...(person.state === 'disabled' && { color: 'text.secondary' }) }}>
                {person.displayName}
              </Box>
              <Typography component="span" variant="caption" sx={{ flex: 'none', color: edited > 0 ? 'info.main' : 'text.secondary' }}>
                {edited > 0 ? t('grants.editedCount', { count: edited }) : t('grants.siteCount', { count: has })}
              </Typography>
            </ButtonBase>
            <Box id={`${id}-${person.id}`} hidden={!here} sx={{ pl: 3, pb: 1.5 }}>
              {here &&
                sites.map((site) => {
                  const key = keyOf(person.id, site.id);
                  return (
                    <Box key={site.id} sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
                      <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                        {site.name}
                      </Typography>
                      <NativeSelect
                        value={shownRole(table, draft, key) ?? ''}
                        disabled={!mayEdit(person)}
                        onChange={(event) => onEdit(key, event.target.value === '' ? null : (event.target.value as SiteRole))}
                        input={<OutlinedInput />}
                        inputProps={{ 'aria-label': t('grants.cell', { person: person.displayName, site: site.name }) }}
                        sx={{ width: 140, flex: 'none', height: 40, fontSize: 'var(--text-table)', ...(draft[key] && { bgcolor: 'var(--info-ground)' }) }}
                      >
                        <option value="">{t('grants.none')}</option>
                        {siteRoles.map((role) => (
                          <option key={role} value={role}>
                            {t(`siteRole.${role}`)}
                          </option>
                        ))}
                      </NativeSelect>
                    </Box>
                  );
                })}
            </Box>
          </Box>
        );
      })}
    </RowList>
  );
}
