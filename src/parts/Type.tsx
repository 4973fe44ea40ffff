import type { ReactElement } from 'react';
import { Section } from '@/ui/Section';
import { Row } from './Row';
import { useTexts } from './texts';

const scale = ['secondary', 'table', 'body', 'section', 'page', 'figure'] as const;
const inks = ['--ink', '--n-7', '--ink-2', '--link', '--good', '--warning', '--bad', '--info'] as const;

export function Type(): ReactElement {
  const texts = useTexts();
  return (
    <Section title={texts.type}>
      {scale.map((size) => (
        <Row key={size} name={size}>
          {[400, 500, 600].map((fontWeight) => (
            <span key={fontWeight} style={{ fontSize: `var(--text-${size})`, fontWeight }}>
              {texts.site} 1,234
            </span>
          ))}
        </Row>
      ))}
      <Row name="colour">
        {inks.map((ink) => (
          <span key={ink} style={{ color: `var(${ink})` }}>
            {ink}
          </span>
        ))}
      </Row>
    </Section>
  );
}
