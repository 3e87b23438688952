// What is shown, out of answers of /status: figures now, and those of the last ten minutes. No page, no network, no clock.

export const KEPT_SECONDS = 600;
const RATE_SECONDS = 10;
const CLOCK_SECONDS = 2;

/** How far an index is behind, as `fensi status` counts it; a file has no end that could be known. */
export function lagOf(index) {
  if (!(index.topic_partitions > 0)) return {behind: null, oldest: null};
  const waiting = (index.partitions ?? []).filter((each) => each.lag_records > 0);
  const shown = waiting.reduce((sum, each) => sum + each.lag_records, 0);
  // A daemon shows a bounded number of partitions, and tells sums of all.
  const behind = Math.max(shown, index.lag_records ?? 0);
  const ages = waiting.map((each) => each.lag_seconds).concat(behind > shown ? [index.lag_seconds] : []);
  const known = ages.every((each) => typeof each === "number");
  return {behind, oldest: known ? Math.max(0, ...ages) : null};
}

/** Open dead letters; null while the daemon has not counted them. */
export function openDeadLettersOf(index) {
  if (!index.open_dead_letters) return null;
  return Object.values(index.open_dead_letters).reduce((sum, each) => sum + each, 0);
}

/** Of the phases and calls of an index, by the keys of a history: phase_plan, p50_put, p99_put. */
function timingsOf(index) {
  const figures = {};
  for (const [name, timing] of Object.entries(index.phases ?? {})) figures[`phase_${name}`] = timing.busy_s;
  for (const [name, timing] of Object.entries(index.store_calls ?? {})) {
    figures[`p50_${name}`] = timing.p50_s;
    figures[`p99_${name}`] = timing.p99_s;
  }
  return figures;
}

function freshAge(freshUntilMs, now) {
  return typeof freshUntilMs === "number" ? Math.max(0, now - freshUntilMs / 1000) : null;
}

/** What is measured of an answer: a name and its figures, each index one, or the capture. */
export function samplesOf(status, now) {
  const samples = new Map();
  for (const index of status.indexes ?? []) {
    samples.set(index.name, {
      events: index.events, ...lagOf(index), fresh_age: freshAge(index.fresh_until_ms, now), dead_letters: openDeadLettersOf(index), ...timingsOf(index),
    });
  }
  if (status.capture) {
    const newest = status.capture.newest_write_ms;
    samples.set("", {
      events: status.capture.events,
      newest_age: newest > 0 ? Math.max(0, now - newest / 1000) : null,
      connections: status.capture.connections,
      alarms: status.capture.alarms,
    });
  }
  return samples;
}

/** What /history tells of an index, by the keys of a history. */
function rememberedOf(index) {
  const figures = {
    events: index.times_ms.map(() => null), rate: index.events_per_s, behind: index.lag_records, oldest: index.lag_seconds,
    fresh_age: index.times_ms.map((time, i) => freshAge(index.fresh_until_ms[i], time / 1000)), dead_letters: index.open_dead_letters,
  };
  for (const [name, values] of Object.entries(index.phases)) figures[`phase_${name}`] = values;
  for (const [name, call] of Object.entries(index.store)) {
    figures[`p50_${name}`] = call.p50_s;
    figures[`p99_${name}`] = call.p99_s;
  }
  return figures;
}

/** The last ones stand at the end, and there are so many. */
function atTheEnd(values, length) {
  return [...Array(Math.max(0, length - values.length)).fill(null), ...values.slice(Math.max(0, values.length - length))];
}

/** The machine's clock is set now and then, so that the time of the start is not told as the same each time. */
function isSame(one, other) {
  return one.pid === other.pid && Math.abs(one.start_s - other.start_s) < CLOCK_SECONDS;
}

/** Figures of the last ten minutes by name. A moment without an answer is a hole in each of them. */
export class History {
  constructor() {
    this.times = [];
    this.figures = new Map();  // name -> {figure: values, one for each time}
    this.process = null;
  }

  /** `samples`: of samplesOf, or null when nobody answered. `process`: {pid, start_s} of who answered. */
  add(now, samples, process) {
    if (samples !== null) {
      if (this.process !== null && !isSame(this.process, process)) this.forgetCounters();
      this.process = process;
    }
    const last = this.times.length;
    this.times.push(now);
    for (const [name, sample] of samples ?? []) {
      if (!this.figures.has(name)) this.figures.set(name, {});
      const figures = this.figures.get(name);
      for (const key of [...Object.keys(sample), "rate"]) figures[key] ??= Array(last).fill(null);
    }
    for (const [name, figures] of this.figures) {
      const sample = samples?.get(name);
      for (const [key, values] of Object.entries(figures)) {
        if (key !== "rate") values.push(sample?.[key] ?? null);
      }
      figures.rate.push(this.rateSince(figures, last, last - 1));
    }
    this.forgetOld(now);
  }

  /** What a daemon remembers of the time before the first answer. `shift`: from its clock to ours, in seconds. */
  remember(told, shift) {
    const indexes = told.indexes.filter((index) => index.times_ms.length > 0);
    if (indexes.length === 0 || this.times.length === 0) return;
    const longest = indexes.reduce((most, index) => (index.times_ms.length > most.times_ms.length ? index : most));
    const all = longest.times_ms.map((time) => time / 1000 + shift);
    const kept = all.filter((time) => time < this.times[0] - 0.5);
    const before = (values) => atTheEnd(values, all.length).slice(0, kept.length);
    const remembered = new Map(indexes.map((index) => [index.name, rememberedOf(index)]));
    for (const [name, figures] of this.figures) {
      const old = remembered.get(name) ?? {};
      // The first answer alone has no rate: it is the remembered one of that moment.
      figures.rate[0] ??= atTheEnd(old.rate ?? [], all.length).slice(0, kept.length + 1).at(-1) ?? null;
      for (const key of Object.keys(figures)) figures[key] = [...before(old[key] ?? []), ...figures[key]];
    }
    this.times = [...kept, ...this.times];
    this.forgetOld(this.times.at(-1));
  }

  /** Events a second over the last ten, from what is there of them. */
  rate(name) {
    const figures = this.figures.get(name);
    const last = this.times.length - 1;
    if (!figures || last < 0) return null;
    for (let first = 0; first < last; ++first) {
      if (this.times[last] - this.times[first] > RATE_SECONDS + 0.5 || figures.events[first] === null) continue;
      return this.rateSince(figures, last, first);
    }
    return null;
  }

  rateSince(figures, last, first) {
    const [before, after] = [figures.events[first] ?? null, figures.events[last] ?? null];
    if (before === null || after === null || after < before || this.times[last] <= this.times[first]) return null;
    return (after - before) / (this.times[last] - this.times[first]);
  }

  forgetCounters() {
    for (const figures of this.figures.values()) figures.events.fill(null);
  }

  forgetOld(now) {
    while (this.times.length > 0 && now - this.times[0] > KEPT_SECONDS) {
      this.times.shift();
      for (const figures of this.figures.values()) Object.values(figures).forEach((values) => values.shift());
    }
    for (const [name, figures] of this.figures) {
      if (figures.events.every((each) => each === null) && figures.rate.every((each) => each === null)) this.figures.delete(name);
    }
  }
}

/** Rows in order; what is not known stands last, whichever way. */
export function sorted(rows, column, descending) {
  const value = (row) => column.value(row);
  return [...rows].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return 0;
    if (one === null || one === undefined) return 1;
    if (other === null || other === undefined) return -1;
    const order = typeof one === "string" ? one.localeCompare(other) : one - other;
    return descending ? -order : order;
  });
}
