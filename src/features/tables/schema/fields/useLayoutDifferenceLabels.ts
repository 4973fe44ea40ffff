import { useTranslation } from 'react-i18next';
import type { ContentTable, FormLayout, LayoutWidth } from '@contract/tables/schemas';
import type { Difference } from '@/ui/form/StaleNotice';
import type { LayoutDifference, Side } from './layoutMerge';

/** Labels of the differences between two layouts of a table, by field and section. */
export function useLayoutDifferenceLabels(table: ContentTable): (differences: readonly LayoutDifference[]) => Difference[] {
  const { t } = useTranslation('tableDesign');
  const called = (title: string): string => title.trim() || t('layout.untitled');
  const fieldOf = (id: string): string => table.fields.find((field) => field.id === id)?.title ?? '';
  const labelOf = ({ of, field, section }: LayoutDifference): string => {
    const name = field === null ? called(section ?? '') : fieldOf(field);
    if (of === 'style') return t('layout.style');
    if (of === 'zone') return name;
    return of === 'width' ? t('layout.width', { name }) : t(`layout.diff.${of}`, { name });
  };
  const valueOf = (of: LayoutDifference['of'], { value, at }: Side): string => {
    if (typeof value !== 'string') return value.map(of === 'order' ? fieldOf : called).join(t('layout.comma'));
    switch (of) {
      case 'style':
        return t(`layout.styles.${value as FormLayout['style']}`);
      case 'section':
        return t(`layout.diff.${value as 'present' | 'removed' | 'added' | 'none' | 'edited'}`);
      case 'collapsed':
        return t(value === 'true' ? 'layout.diff.yes' : 'layout.diff.no');
      case 'zone':
        return at === 'section' || at === undefined ? t('layout.diff.in', { name: called(value) }) : t(`layout.${at}`);
      case 'width':
        return t(`layout.widths.${value as LayoutWidth}`);
      case 'title':
        return called(value);
      default:
        return value;
    }
  };
  const sideText = (of: LayoutDifference['of'], side: Side): string => {
    const value = valueOf(of, side);
    return side.changed || of === 'section' || value === '' ? value : t('layout.diff.unchanged', { value });
  };
  return (differences) => differences.map((one) => ({ label: labelOf(one), mine: sideText(one.of, one.mine), theirs: sideText(one.of, one.theirs) }));
}
