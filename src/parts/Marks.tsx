import type { ReactElement } from 'react';
import { Avatar } from '@/ui/Avatar';
import { Caret } from '@/ui/Caret';
import { Icon, iconNames } from '@/ui/Icon';
import { Kbd } from '@/ui/Kbd';
import { LogoMark } from '@/ui/Logo';
import { SearchIcon } from '@/ui/SearchIcon';
import { Section } from '@/ui/Section';
import { Stepper } from '@/ui/Stepper';
import { Tag } from '@/ui/Tag';
import { Row } from './Row';
import { useTexts } from './texts';

const colors = ['grey', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'purple'] as const;

export function Marks(): ReactElement {
  const texts = useTexts();
  const steps = texts.steps.map((name, at) => ({ id: String(at), name }));
  return (
    <Section title={texts.marks}>
      <Row name="Logo">
        <LogoMark />
        <LogoMark size={32} />
      </Row>
      <Row name="Avatar">
        <Avatar name={texts.person} />
        <Avatar name={texts.person} size={36} />
        <Avatar name={texts.person} size={64} />
        <Avatar name={texts.person} picture="/favicon.svg" size={36} />
        <Avatar name={texts.person} picture="/missing.png" size={36} />
        <Avatar square name={texts.site} />
      </Row>
      <Row name="Icon">
        {iconNames.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </Row>
      <Row name="Caret">
        {(['down', 'up', 'left', 'right'] as const).map((to) => (
          <Caret key={to} to={to} />
        ))}
      </Row>
      <Row name="SearchIcon">
        <SearchIcon />
      </Row>
      <Row name="Tag">
        <Tag>{texts.draft}</Tag>
        <Tag tone="good">{texts.published}</Tag>
        <Tag tone="warning">{texts.waiting}</Tag>
        <Tag tone="bad">{texts.failed}</Tag>
        <Tag tone="info">{texts.kinds[0]}</Tag>
        {colors.map((color) => (
          <Tag key={color} color={color}>
            {color}
          </Tag>
        ))}
        <Tag>{texts.long}</Tag>
      </Row>
      <Row name="Stepper">
        <Stepper label={texts.step} steps={steps} current="2" done={texts.done} onStep={() => undefined} />
      </Row>
      <Row name="Kbd">
        <Kbd keys="mod+k" spoken />
        <Kbd keys="g h" spoken />
      </Row>
    </Section>
  );
}
