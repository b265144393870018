const groups = ["login", "refresh", "challenge", "failure"];
const plurals = { login: "logins", refresh: "refreshes", challenge: "challenges", failure: "failures" };

function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// One account: what happened to it, and the picture of that.
//
// Older events are counted in bins of one width, [number, logins, refreshes, challenges, failures];
// of the newest ones there are the rows themselves, and they are exact.
class Lane {
  constructor(facts, plot, number) {
    this.plot = plot;
    this.number = number;
    this.name = facts.name;
    this.of = facts.of;
    this.spans = facts.spans;
    this.bins = facts.bins;
    this.rows = [];
    this.cursor = null;
  }

  // Whether a row is of this lane.
  holds(row) {
    if (row.account === null) return this.of === "book";
    return typeof row.account === "number" ? row.account === this.number : this.of === "others";
  }

  // So many columns of a time, each with its counts; `null` where nothing was.
  columns(view, count, data) {
    const columns = new Array(count).fill(null);
    const width = (view.to - view.from) / count;
    const add = (at, index, amount) => {
      if (at < view.from || at > view.to) return;
      const column = Math.min(count - 1, Math.floor((at - view.from) / width));
      columns[column] ??= { from: view.from + column * width, to: view.from + (column + 1) * width, counts: [0, 0, 0, 0], rows: [] };
      columns[column].counts[index] += amount;
      return columns[column];
    };
    // Exact where the rows are all there, and where bins would be broader than what is drawn.
    if (view.from >= data.exactFrom && (data.isWhole || width < data.width)) {
      for (let index = firstAtOrAfter(this.rows, view.from); index < this.rows.length; index++) {
        const row = this.rows[index];
        if (row.at > view.to) break;
        if (row.group < groups.length) add(row.at, row.group, 1)?.rows.push(row);
      }
    } else {
      for (const bin of this.bins) {
        for (const index of groups.keys()) {
          const middle = data.binFrom + (bin[0] + 0.5) * data.width;
          if (bin[index + 1]) add(Math.min(Math.max(middle, data.from), data.to), index, bin[index + 1]);
        }
      }
    }
    return columns;
  }

  draw(view, data) {
    const pixels = this.plot.clientWidth || 900;
    const count = Math.max(40, Math.floor(pixels / 4));
    const place = (at) => (100 * (Math.min(Math.max(at, view.from), view.to) - view.from)) / (view.to - view.from);
    const parts = [];
    for (const [from, to, state, , isFirst] of this.spans) {
      if (to < view.from || from > view.to) continue;
      const left = place(from);
      const width = Math.max(place(to) - left, 200 / pixels);
      const thin = state === "needsLogin";
      parts.push(shape("rect", { x: `${left}%`, width: `${width}%`, y: thin ? 8 : 4, height: thin ? 4 : 12, class: `span ${state}` }));
      if (isFirst && from >= view.from) parts.push(shape("line", { x1: `${left}%`, x2: `${left}%`, y1: 2, y2: 18, class: "begin" }));
    }
    const columns = this.columns(view, count, data);
    const most = columns.reduce((most, column) => Math.max(most, column?.counts[1] ?? 0), 1);
    columns.forEach((column, index) => {
      if (!column) return;
      const x = `${(100 * (index + 0.5)) / count}%`;
      const [logins, refreshes, challenges, failures] = column.counts;
      if (refreshes) {
        const height = 3 + 7 * Math.log1p(refreshes) / Math.log1p(most);
        parts.push(shape("rect", { x, y: 38 - height, width: 3, height, transform: "translate(-1.5)", class: "mark refresh" }));
      }
      if (challenges) parts.push(shape("use", { href: "#challenge", x, y: 24, class: "mark challenge" }));
      if (logins) parts.push(shape("use", { href: "#login", x, y: 24, class: "mark login" }));
      if (failures) parts.push(shape("use", { href: "#failure", x, y: 44, class: "mark failure" }));
    });
    if (this.cursor !== null && this.cursor >= view.from && this.cursor <= view.to) {
      const x = `${place(this.cursor)}%`;
      parts.push(shape("line", { x1: x, x2: x, y1: 0, y2: 50, class: "cursor" }));
    }
    this.plot.replaceChildren(...parts);
    this.drawn = columns;
    this.stops = columns.filter((column) => column).map((column) => (column.from + column.to) / 2);
  }

  // What was at a moment, as far as it can be told apart on the picture.
  describe(at, view, clock) {
    const lines = [];
    const span = this.spans.findLast(([from, to]) => from <= at && at <= to);
    if (span) {
      const [from, to, state, session, , reason] = span;
      const words = state === "needsLogin" ? "needs a login" : state;
      lines.push(`${session ? `Session ${session}: ` : ""}${words}${reason ? ` (${reason})` : ""}, ${clock.text(from)} to ${clock.text(to)} (${Clock.duration(to - from)})`);
    }
    const width = (view.to - view.from) / this.drawn.length;
    const middle = Math.floor((at - view.from) / width);
    // A mark is broader than its column.
    const column = [middle, middle - 1, middle + 1].map((index) => this.drawn[index]).find((column) => column);
    if (!column) return [clock.text(at), ...lines].join("\n");
    const counts = column.counts.map((count, index) => count && `${count} ${count === 1 ? groups[index] : plurals[groups[index]]}`);
    lines.unshift(`${clock.text(column.from)} to ${clock.text(column.to)}: ${counts.filter((text) => text).join(", ")}`);
    for (const row of column.rows.slice(0, 5)) lines.push(`${row.position}  ${clock.text(row.at)}  ${row.kind}`);
    if (column.rows.length > 5) lines.push(`… and ${column.rows.length - 5} more`);
    return lines.join("\n");
  }

  // The next occurrence in a direction from where the cursor is.
  step(direction) {
    if (!this.stops.length) return null;
    const from = this.cursor;
    if (from === null) return direction > 0 ? this.stops[0] : this.stops.at(-1);
    const next = direction > 0 ? this.stops.find((stop) => stop > from) : this.stops.findLast((stop) => stop < from);
    return next ?? null;
  }
}

function firstAtOrAfter(rows, moment) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].at < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
