import Close from '@mui/icons-material/CloseOutlined';
import { Box, IconButton, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteGrant } from '@contract/people/schemas';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';

type NamedSite = { readonly id: string; readonly name: string };

/** Sites and the role on each: rows to change or remove, and a select that adds a site. */
export function GrantRows({
  value,
  sites,
  disabled = false,
  onChange,
}: {
  readonly value: readonly SiteGrant[];
  readonly sites: readonly NamedSite[];
  readonly disabled?: boolean;
  readonly onChange: (value: SiteGrant[]) => void;
}): ReactElement {
  const { t } = useTranslation('people');
  const add = useRef<HTMLSelectElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const added = useRef<string | null>(null);
  // The role of a newly added site is the next thing to choose, and the select that added it may be gone.
  useEffect(() => {
    if (added.current === null) return;
    const selects = [...(list.current?.querySelectorAll('select') ?? [])];
    selects[value.findIndex((grant) => grant.siteId === added.current)]?.focus();
    added.current = null;
  }, [value]);
  const nameOf = (id: string) => sites.find((site) => site.id === id)?.name ?? t('grants.goneSite');
  const rest = sites.filter((site) => !value.some((grant) => grant.siteId === site.id));
  const put = (siteId: string, role: SiteRole) => onChange(value.map((grant) => (grant.siteId === siteId ? { siteId, role } : grant)));
  const select = { height: 32, fontSize: 13 } as const;
  return (
    <Box>
      {value.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('grants.noneYet')}
        </Typography>
      )}
      <Box component="ul" ref={list} aria-label={t('grants.ofPerson')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {value.map(({ siteId, role }) => (
          <Box component="li" key={siteId} sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
            <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {nameOf(siteId)}
            </Typography>
            <NativeSelect
              value={role}
              disabled={disabled}
              onChange={(event) => put(siteId, event.target.value as SiteRole)}
              input={<OutlinedInput size="small" />}
              inputProps={{ 'aria-label': t('grants.roleOn', { site: nameOf(siteId) }) }}
              sx={{ ...select, width: 148, flex: 'none' }}
            >
              {siteRoles.map((one) => (
                <option key={one} value={one}>
                  {t(`siteRole.${one}`)}
                </option>
              ))}
            </NativeSelect>
            <IconButton
              disabled={disabled}
              aria-label={t('grants.takeNamed', { site: nameOf(siteId) })}
              title={t('grants.take')}
              onClick={() => {
                onChange(value.filter((grant) => grant.siteId !== siteId));
                add.current?.focus();
              }}
            >
              <Close fontSize="small" />
            </IconButton>
          </Box>
        ))}
      </Box>
      {rest.length > 0 && (
        <NativeSelect
          fullWidth
          value=""
          disabled={disabled}
          onChange={(event) => {
            added.current = event.target.value;
            onChange([...value, { siteId: event.target.value, role: 'viewer' }]);
          }}
          input={<OutlinedInput size="small" />}
          inputRef={add}
          inputProps={{ 'aria-label': t('grants.add') }}
          sx={select}
        >
          <option value="">{t('grants.add')}</option>
          {rest.map((site) => (
            <option key={site.id} value={site.id}>
              {site.name}
            </option>
          ))}
        </NativeSelect>
      )}
    </Box>
  );
}
