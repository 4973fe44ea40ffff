import Close from '@mui/icons-material/CloseOutlined';
import { Box, IconButton, NativeSelect, OutlinedInput, Typography } from '@mui/material';
import { useEffect, useRef } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteGrant } from '@contract/people/schemas';
import { siteRoles } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';

type NamedSite = { readonly id: string; readonly name: string };

const selectStyle = { fontSize: 'var(--text-table)' } as const;

type RowProps = {
  readonly name: string;
  readonly role: SiteRole;
  readonly disabled: boolean;
  readonly onRole: (role: SiteRole) => void;
  readonly onRemove: () => void;
};

function GrantRow({ name, role, disabled, onRole, onRemove }: RowProps): ReactElement {
  const { t } = useTranslation('people');
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1 }}>
      <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <NativeSelect
        value={role}
        disabled={disabled}
        onChange={(event) => onRole(event.target.value as SiteRole)}
        input={<OutlinedInput />}
        inputProps={{ 'aria-label': t('grants.roleOn', { site: name }) }}
        sx={{ ...selectStyle, width: 148, flex: 'none' }}
      >
        {siteRoles.map((one) => (
          <option key={one} value={one}>
            {t(`siteRole.${one}`)}
          </option>
        ))}
      </NativeSelect>
      <IconButton disabled={disabled} aria-label={t('grants.takeNamed', { site: name })} title={t('grants.take')} onClick={onRemove}>
        <Close fontSize="small" />
      </IconButton>
    </Box>
  );
}

type AddProps = {
  readonly sites: readonly NamedSite[];
  readonly disabled: boolean;
  readonly selectRef: RefObject<HTMLSelectElement | null>;
  readonly onAdd: (siteId: string) => void;
};

/** A select whose every choice adds a site. */
function AddSite({ sites, disabled, selectRef, onAdd }: AddProps): ReactElement {
  const { t } = useTranslation('people');
  return (
    <NativeSelect
      fullWidth
      value=""
      disabled={disabled}
      onChange={(event) => onAdd(event.target.value)}
      input={<OutlinedInput />}
      inputRef={selectRef}
      inputProps={{ 'aria-label': t('grants.add') }}
      sx={selectStyle}
    >
      <option value="">{t('grants.add')}</option>
      {sites.map((site) => (
        <option key={site.id} value={site.id}>
          {site.name}
        </option>
      ))}
    </NativeSelect>
  );
}

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
  const rest = sites.filter((site) => !value.some((grant) => grant.siteId === site.id));
  const addSite = (siteId: string) => {
    added.current = siteId;
    onChange([...value, { siteId, role: 'viewer' }]);
  };
  const remove = (siteId: string) => {
    onChange(value.filter((grant) => grant.siteId !== siteId));
    add.current?.focus();
  };
  return (
    <Box>
      {value.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('grants.noneYet')}
        </Typography>
      )}
      <Box component="ul" ref={list} aria-label={t('grants.ofPerson')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {value.map(({ siteId, role }) => (
          <GrantRow
            key={siteId}
            name={sites.find((site) => site.id === siteId)?.name ?? t('grants.goneSite')}
            role={role}
            disabled={disabled}
            onRole={(next) => onChange(value.map((grant) => (grant.siteId === siteId ? { siteId, role: next } : grant)))}
            onRemove={() => remove(siteId)}
          />
        ))}
      </Box>
      {rest.length > 0 && <AddSite sites={rest} disabled={disabled} selectRef={add} onAdd={addSite} />}
    </Box>
  );
}
