import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import type { ViewQuery } from '@contract/tables/views';
import { viewKinds } from '@contract/tables/terms';
import type { ViewKind } from '@contract/tables/terms';
import { MenuRow, Popup } from '@/ui/Popup';
import { FieldIcon, ViewIcon } from './icons';
import { basisFields, newViewQuery } from './newView';

/** The kinds of views that can be added; where several fields fit, also the field that the view is based on. */
export const NewViewMenu = ({
  anchor,
  table,
  onClose,
  onAdd,
}: {
  readonly anchor: HTMLElement;
  readonly table: ContentTable;
  readonly onClose: () => void;
  readonly onAdd: (kind: ViewKind, query: ViewQuery) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const [kind, setKind] = useState<ViewKind | null>(null);
  const add = (chosen: ViewKind, field: string | null): void => {
    onClose();
    onAdd(chosen, newViewQuery(table, chosen, field));
  };
  const choose = (chosen: ViewKind): void => {
    const fields = basisFields(table, chosen);
    if (fields.length > 1) setKind(chosen);
    else add(chosen, fields[0]?.id ?? null);
  };
  if (kind === null)
    return (
      <Popup key="kinds" anchor={anchor} onClose={onClose} label={t('views.add')} role="menu" width={200}>
        {viewKinds.map((one) => (
          <MenuRow key={one} role="menuitem" type="button" onClick={() => choose(one)}>
            <ViewIcon kind={one} />
            {t(`kind.${one}`)}
          </MenuRow>
        ))}
      </Popup>
    );
  const question = t(`views.basis.${kind === 'calendar' || kind === 'kanban' ? kind : 'gallery'}`);
  return (
    <Popup key="fields" anchor={anchor} onClose={onClose} label={question} role="menu" width={240}>
      <p className="tables-question">{question}</p>
      {basisFields(table, kind).map(({ id, name }) => (
        <MenuRow key={id} role="menuitem" type="button" onClick={() => add(kind, id)}>
          <FieldIcon column={{ field: table.fields.find((field) => field.id === id) ?? null }} />
          {name}
        </MenuRow>
      ))}
    </Popup>
  );
};
