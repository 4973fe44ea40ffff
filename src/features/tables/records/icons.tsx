import AlternateEmail from '@mui/icons-material/AlternateEmailOutlined';
import AttachFile from '@mui/icons-material/AttachFileOutlined';
import CalendarToday from '@mui/icons-material/CalendarTodayOutlined';
import CheckBox from '@mui/icons-material/CheckBoxOutlined';
import DataObject from '@mui/icons-material/DataObjectOutlined';
import Event from '@mui/icons-material/EventOutlined';
import Functions from '@mui/icons-material/FunctionsOutlined';
import Image from '@mui/icons-material/ImageOutlined';
import LinkIcon from '@mui/icons-material/LinkOutlined';
import ListAlt from '@mui/icons-material/ListAltOutlined';
import LocalOffer from '@mui/icons-material/LocalOfferOutlined';
import MoveDown from '@mui/icons-material/MoveDownOutlined';
import Notes from '@mui/icons-material/NotesOutlined';
import NumbersIcon from '@mui/icons-material/NumbersOutlined';
import Palette from '@mui/icons-material/PaletteOutlined';
import Password from '@mui/icons-material/PasswordOutlined';
import Person from '@mui/icons-material/PersonOutlined';
import Phone from '@mui/icons-material/PhoneOutlined';
import Place from '@mui/icons-material/PlaceOutlined';
import RadioButton from '@mui/icons-material/ArrowDropDownCircleOutlined';
import Schedule from '@mui/icons-material/ScheduleOutlined';
import SmartButton from '@mui/icons-material/SmartButtonOutlined';
import Star from '@mui/icons-material/StarOutlineOutlined';
import Tag from '@mui/icons-material/TagOutlined';
import TextFields from '@mui/icons-material/ShortTextOutlined';
import Calendar from '@mui/icons-material/CalendarMonthOutlined';
import Gallery from '@mui/icons-material/GridViewOutlined';
import Form from '@mui/icons-material/DynamicFormOutlined';
import Grid from '@mui/icons-material/TableRowsOutlined';
import Kanban from '@mui/icons-material/ViewKanbanOutlined';
import type { ReactElement } from 'react';
import type { FieldType, ViewKind } from '@contract/tables/terms';
import type { TableField } from '@contract/tables/schemas';
import type { Asked } from './filterModel';

const ofType: Record<FieldType, typeof Notes> = {
  text: TextFields,
  longText: Notes,
  markdown: Notes,
  richText: Notes,
  email: AlternateEmail,
  url: LinkIcon,
  phone: Phone,
  slug: LinkIcon,
  color: Palette,
  password: Password,
  integer: NumbersIcon,
  rating: Star,
  duration: Schedule,
  autonumber: Tag,
  number: NumbersIcon,
  currency: NumbersIcon,
  percent: NumbersIcon,
  switch: CheckBox,
  date: CalendarToday,
  time: Schedule,
  datetime: Event,
  select: RadioButton,
  multiSelect: LocalOffer,
  tags: LocalOffer,
  geo: Place,
  user: Person,
  file: AttachFile,
  image: Image,
  svg: Image,
  video: Image,
  json: DataObject,
  repeater: ListAlt,
  relation: MoveDown,
  relations: MoveDown,
  inverse: MoveDown,
  lookup: Functions,
  rollup: Functions,
  formula: Functions,
  button: SmartButton,
};
const ofKind: Record<ViewKind, typeof Notes> = { grid: Grid, gallery: Gallery, kanban: Kanban, calendar: Calendar, form: Form };

/** The kind of a field at a glance; its name stands beside it. */
export const FieldIcon = ({
  asked,
  size = 16,
}: {
  readonly asked: Asked | { readonly field: Pick<TableField, 'type'> | null };
  readonly size?: number;
}): ReactElement => {
  const Drawn = asked.field ? ofType[asked.field.type] : Schedule;
  return <Drawn aria-hidden="true" sx={{ fontSize: size, color: 'text.secondary', flex: 'none' }} />;
};
export const ViewIcon = ({ kind, size = 16 }: { readonly kind: ViewKind; readonly size?: number }): ReactElement => {
  const Drawn = ofKind[kind];
  return <Drawn aria-hidden="true" sx={{ fontSize: size, flex: 'none' }} />;
};
