export { type Alarm, alarmType } from "./alarms.ts";
export { createMetricStore } from "./metric-store.ts";
