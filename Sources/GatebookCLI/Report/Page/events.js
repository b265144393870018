// The table of events: a hundred at a time, so that a hundred thousand are no burden.
class EventTable {
  static size = 100;

  constructor(rows, lanes, clock) {
    // Newest first, as they are read.
    this.rows = rows.toReversed();
    this.found = this.rows;
    this.lanes = lanes;
    this.clock = clock;
    this.page = 0;
    this.window = null;
    this.body = document.querySelector(".events tbody");
    this.form = document.getElementById("events-tools");
    this.search = document.getElementById("events-search");
    this.group = document.getElementById("events-group");
    this.account = document.getElementById("events-account");
    this.inWindow = document.getElementById("events-window");
    this.pages = document.getElementById("events-pages");
    lanes.forEach((lane) => this.account.append(new Option(lane.name, String(lane.number))));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => this.filter());
    this.form.addEventListener("reset", () => setTimeout(() => this.filter()));
    this.pages.addEventListener("click", (event) => this.turn(event.target.dataset.page));
    this.body.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-position]");
      if (!link) return;
      event.preventDefault();
      this.open(Number(link.dataset.position));
    });
    this.filter();
  }

  // The text that a search looks at; made when it is first asked for.
  words(row) {
    row.words ??= `${row.position} ${this.clock.text(row.at)} ${row.kind} ${this.name(row)} ${row.session} ${row.facts}`.toLowerCase();
    return row.words;
  }

  name(row) {
    if (row.account === null) return "";
    return typeof row.account === "number" ? this.lanes[row.account].name : row.account;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word);
    const group = this.group.value;
    const lane = this.account.value === "" ? null : this.lanes[Number(this.account.value)];
    const span = this.inWindow.checked ? this.window : null;
    this.found = this.rows.filter((row) =>
      (!group || (group === "failure" ? groups[row.group] === group : row.kind.startsWith(`${group}.`)))
      && (!lane || lane.holds(row))
      && (!span || (row.at >= span.from && row.at <= span.to))
      && (!words.length || words.every((word) => this.words(row).includes(word))));
    this.page = 0;
    this.render();
  }

  turn(name) {
    const last = Math.max(0, Math.ceil(this.found.length / EventTable.size) - 1);
    const pages = { first: 0, newer: this.page - 1, older: this.page + 1, last };
    if (!(name in pages)) return;
    this.page = Math.min(Math.max(pages[name], 0), last);
    this.render();
    document.getElementById("events").scrollIntoView({ block: "start" });
  }

  // Shows one event, whatever was looked for before.
  open(position) {
    let index = this.found.findIndex((row) => row.position === position);
    if (index < 0) {
      this.form.reset();
      this.filter();
      index = this.found.findIndex((row) => row.position === position);
    }
    if (index < 0) {
      document.getElementById("events-count").textContent = `Event ${position} is older than those on this page: gatebook show ${position}`;
      this.form.scrollIntoView({ block: "center" });
      return;
    }
    this.page = Math.floor(index / EventTable.size);
    this.render();
    const row = this.body.children[index % EventTable.size];
    row.classList.add("found");
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "center" });
  }

  // Shows the events of one account in one time.
  narrow(lane, span) {
    this.form.reset();
    this.account.value = String(lane.number);
    this.inWindow.checked = true;
    this.window = span;
    this.filter();
    document.getElementById("events").focus();
  }

  render() {
    const start = this.page * EventTable.size;
    const rows = this.found.slice(start, start + EventTable.size);
    this.body.replaceChildren(...rows.map((row) => this.line(row)));
    const count = (number) => number.toLocaleString("en");
    document.getElementById("events-count").textContent = this.found.length === this.rows.length
      ? `${count(this.rows.length)} events` : `${count(this.found.length)} of ${count(this.rows.length)} events`;
    const last = Math.max(1, Math.ceil(this.found.length / EventTable.size));
    document.getElementById("events-page").textContent = `page ${count(this.page + 1)} of ${count(last)}`;
    for (const button of this.pages.querySelectorAll("button")) {
      const isBack = button.dataset.page === "first" || button.dataset.page === "newer";
      button.disabled = isBack ? this.page === 0 : this.page === last - 1;
    }
  }

  line(row) {
    const line = document.createElement("tr");
    const cell = (content, name = "") => {
      const cell = line.insertCell();
      cell.className = name;
      cell.append(content);
      return cell;
    };
    cell(String(row.position), "number");
    cell(this.clock.text(row.at));
    cell(row.kind, `kind ${groups[row.group] ?? "other"}`);
    cell(this.name(row));
    if (row.cause) {
      const link = document.createElement("a");
      link.href = "#events";
      link.dataset.position = row.cause;
      link.textContent = row.cause;
      cell(link, "number");
    } else cell("", "number");
    cell(row.facts);
    return line;
  }
}
