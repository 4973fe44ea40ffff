import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { SaveBar } from '@/ui/SaveBar';
import { Section } from '@/ui/Section';
import { TabLinks } from '@/ui/TabLinks';
import { Row } from './Row';
import { useTexts } from './texts';

const variants = ['contained', 'outlined', 'text'] as const;

function Menu(): ReactElement {
  const texts = useTexts();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <PlainButton aria-haspopup="menu" aria-expanded={anchor !== null} onClick={(event) => setAnchor(event.currentTarget)}>
        {texts.more}
      </PlainButton>
      {anchor && (
        <Popup anchor={anchor} label={texts.more} role="menu" onClose={() => setAnchor(null)}>
          {texts.kinds.map((kind) => (
            <MenuRow key={kind} type="button" role="menuitem" onClick={() => setAnchor(null)}>
              {kind}
            </MenuRow>
          ))}
        </Popup>
      )}
    </>
  );
}

export function Actions(): ReactElement {
  const texts = useTexts();
  const confirm = useConfirm();
  return (
    <Section title={texts.actions}>
      {(['medium', 'small'] as const).map((size) => (
        <Row key={size} name={`Button ${size}`}>
          {variants.map((variant) => (
            <Button key={variant} size={size} variant={variant}>
              {texts.save}
            </Button>
          ))}
          <Button size={size} variant="outlined" color="error">
            {texts.remove}
          </Button>
          <Button size={size} variant="contained" disabled>
            {texts.save}
          </Button>
          <Button size={size} variant="contained" aria-busy="true" startIcon={<Icon name="plus" size={16} />}>
            {texts.save}
          </Button>
        </Row>
      ))}
      <Row name="PlainButton">
        <PlainButton>{texts.more}</PlainButton>
        <PlainButton disabled>{texts.more}</PlainButton>
        <Menu />
        <PlainButton onClick={() => void confirm({ title: texts.remove, body: texts.long, confirm: texts.remove, danger: true })}>{texts.remove}</PlainButton>
      </Row>
      <Row name="IconButton">
        <IconButton label={texts.search}>
          <Icon name="search" />
        </IconButton>
        <IconButton label={texts.more} disabled>
          <Icon name="menu" />
        </IconButton>
      </Row>
      <Row name="CopyButton">
        <CopyButton text={texts.site} />
      </Row>
      <Row name="TabLinks">
        <TabLinks label={texts.kind} current="0" tabs={texts.tabs.map((name, at) => ({ id: String(at), name, to: `/${String(at)}` }))} />
      </Row>
      <SaveBar dirty onDiscard={() => undefined} />
    </Section>
  );
}
