"use strict";

// Moments are milliseconds since 1970 UTC; the page shows them in the zone that the report was made
// for: a list of [from which moment on, how far ahead of UTC], newest last.
class Clock {
  constructor(zone) {
    this.zone = zone;
  }

  offset(moment) {
    let low = 0;
    let high = this.zone.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.zone[middle][0] <= moment) low = middle;
      else high = middle - 1;
    }
    return this.zone.length ? this.zone[low][1] : 0;
  }

  // 2025-11-21 06:29:14.001, as much of it as is asked for.
  text(moment, length = 19) {
    const date = new Date(moment + this.offset(moment));
    return Number.isNaN(date.getTime()) ? "?" : date.toISOString().slice(0, length).replace("T", " ");
  }

  // The two largest units of a duration.
  static duration(length) {
    const units = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], [1_000, "s"], [1, "ms"]];
    const index = units.findIndex(([unit]) => length >= unit);
    if (index < 0) return "0 ms";
    const [unit, name] = units[index];
    const first = `${Math.floor(length / unit)} ${name}`;
    if (index >= 3) return first;
    const [next, nextName] = units[index + 1];
    const rest = Math.floor((length % unit) / next);
    return rest ? `${first} ${rest} ${nextName}` : first;
  }

  // Round moments to label an axis with, at most so many, and how they are written.
  ticks(from, to, most) {
    const steps = [
      1, 10, 100, 1e3, 5e3, 15e3, 30e3, 60e3, 3e5, 9e5, 18e5, 36e5, 108e5, 216e5, 432e5, 864e5,
      1728e5, 6048e5,
    ];
    const step = steps.find((step) => (to - from) / step <= most);
    if (!step) return this.months(from, to, most);
    const ticks = [];
    const ahead = this.offset(from);
    for (let at = Math.ceil((from + ahead) / step) * step - ahead; at <= to; at += step) {
      const [begin, end] = step < 1e3 ? [11, 23] : step < 6e4 ? [11, 19] : step < 864e5 ? [11, 16] : [0, 10];
      const midnight = step >= 6e4 && this.text(at, 16).endsWith("00:00");
      ticks.push([at, midnight ? this.text(at, 10) : this.text(at, end).slice(begin)]);
    }
    return ticks;
  }

  months(from, to, most) {
    const step = [1, 3, 6, 12, 24, 60, 120, 600, 1200, 12000].find(
      (step) => (to - from) / (step * 2_629_800_000) <= most) ?? 60000;
    const ticks = [];
    const start = new Date(from + this.offset(from));
    const first = start.getUTCFullYear() * 12 + start.getUTCMonth();
    for (let month = Math.ceil(first / step) * step; ticks.length <= most; month += step) {
      const date = new Date(0);
      date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
      const at = date.getTime() - this.offset(date.getTime());
      if (Number.isNaN(at) || at > to) break;
      if (at >= from) ticks.push([at, this.text(at, step < 12 ? 7 : 4)]);
    }
    return ticks;
  }
}
