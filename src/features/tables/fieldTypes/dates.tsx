import CalendarToday from '@mui/icons-material/CalendarTodayOutlined';
import Event from '@mui/icons-material/EventOutlined';
import Schedule from '@mui/icons-material/ScheduleOutlined';
import { DateEditor } from './DateEditor';
import { defineFieldType } from './definition';
import { lineEditor } from './plainEditors';

export const date = defineFieldType({ group: 'date', icon: CalendarToday, Editor: DateEditor, edit: 'panel', folded: true, width: 130 });
export const time = defineFieldType({ group: 'date', icon: Schedule, Editor: lineEditor('numeric') });
export const datetime = defineFieldType({ group: 'date', icon: Event, Editor: DateEditor, edit: 'panel', folded: true });
