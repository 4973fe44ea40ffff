import type { ReactElement } from 'react';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { PlainButton } from '@/ui/PlainButton';
import { PlainFailure } from '@/ui/PlainFailure';
import { Section } from '@/ui/Section';
import { PageSkeleton } from '@/ui/skeletons';
import { Row } from './Row';
import { useTexts } from './texts';

export function States(): ReactElement {
  const texts = useTexts();
  return (
    <Section title={texts.states}>
      <Row name="EmptyState">
        <EmptyState title={texts.empty} action={<PlainButton>{texts.save}</PlainButton>}>
          {texts.emptyText}
        </EmptyState>
      </Row>
      <Row name="ErrorPanel">
        <ErrorPanel title={texts.failed} failure={{ kind: 'http', status: 500, message: texts.long, requestId: 'f3a9c1' }} onRetry={() => undefined} />
      </Row>
      <Row name="StaleNotice">
        <StaleNotice
          differences={[{ label: texts.name, mine: texts.site, theirs: texts.person }]}
          onKeepMine={() => undefined}
          onTakeTheirs={() => undefined}
        />
      </Row>
      <Row name="PlainFailure">
        <PlainFailure onRetry={() => undefined} />
      </Row>
      {(['report', 'list', 'form', 'board'] as const).map((kind) => (
        <Row key={kind} name={`Skeleton ${kind}`}>
          <PageSkeleton kind={kind} message={texts.waiting} />
        </Row>
      ))}
    </Section>
  );
}
