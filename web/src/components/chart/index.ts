export { DayChart } from "./day-chart";
