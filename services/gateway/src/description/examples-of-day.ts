import {
  addMicros,
  DAY,
  formatServerDate,
  parseDateTime,
  SECOND,
  type Instant,
} from '@procurement/contracts/reading/instant';
import type { SegmentExamples } from './examples.ts';

/** Times as the service writes them, and offsets of the feed, which are seconds since 1970. */
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+\d{2}:\d{2}|\b\d{10}\.\d{6}\b/g;

/**
 * The examples with the days of their recordings counted from today on: a period of a recorded request lies in the future, as the
 * service demands, so the request can be sent as it is shown. Earlier times stay: they are of examples that were not recorded.
 * @param recordedAt when the recordings begin.
 */
export function examplesOfDay(examples: SegmentExamples, recordedAt: string, today: Instant): SegmentExamples {
  const begin = parseInstant(recordedAt);
  const later = Math.floor((today - begin) / DAY) * DAY;
  const formatDay = (instant: Instant): string => formatServerDate(instant).slice(0, 'yyyy-mm-dd'.length);
  const text = JSON.stringify(examples)
    .replace(TIME, (time) => {
      const instant = parseInstant(time);
      if (instant < begin) return time;
      const moved = addMicros(instant, later);
      return time.includes('T') ? formatServerDate(moved) : (moved / SECOND).toFixed(6);
    })
    // Numbers of tenders begin with the day of publication.
    .replaceAll(`UA-${formatDay(begin)}`, `UA-${formatDay(addMicros(begin, later))}`);
  // The same shape: only texts have changed.
  return JSON.parse(text) as SegmentExamples;
}

function parseInstant(time: string): Instant {
  // Safe cast: whole microseconds.
  return parseDateTime(time)?.instant ?? (Math.round(Number(time) * SECOND) as Instant);
}
