{
  const data = JSON.parse(document.getElementById("data").textContent);
  const clock = new Clock(data.zone);
  const tip = new Tip(document.getElementById("tip"));
  const kinds = data.kinds;
  const rows = data.events.map(([position, at, kind, account, cause, session, facts]) => ({
    position, at, kind: kinds[kind][0], group: kinds[kind][1], account, cause, session, facts,
  }));
  const lanes = data.accounts.map((facts, number) =>
    new Lane(facts, document.querySelector(`[data-lane="${number}"] .plot`), number));
  for (const row of rows) lanes.find((lane) => lane.holds(row))?.rows.push(row);
  for (const lane of lanes) lane.rows.sort((one, other) => one.at - other.at);
  data.width = data.binMicroseconds / 1000;
  data.isWhole = rows.length === data.total;
  data.exactFrom = data.isWhole ? -Infinity : rows.reduce((least, row) => Math.min(least, row.at), Infinity);

  const timeline = new Timeline(data, lanes, clock, tip);
  const table = new EventTable(rows, lanes, clock);
  table.window = timeline.view;
  timeline.onChange = () => {
    table.window = timeline.view;
    if (table.inWindow.checked) table.filter();
  };
  timeline.onOpen = (lane, span) => table.narrow(lane, span);
  tip.serve(document.querySelectorAll(".day"));
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".findings a[data-position]");
    if (!link) return;
    event.preventDefault();
    table.open(Number(link.dataset.position));
  });
  addEventListener("scroll", () => tip.hide(), { passive: true });
  for (const id of ["timeline-tools", "timeline-keys", "events-tools", "events-pages"]) {
    document.getElementById(id).hidden = false;
  }
  timeline.draw();
  document.documentElement.dataset.ready = "yes";
}
