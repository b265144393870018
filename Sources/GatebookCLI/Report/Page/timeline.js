// The lanes of all accounts over one time, which can be made shorter and longer.
class Timeline {
  constructor(data, lanes, clock, tip) {
    this.data = data;
    this.lanes = lanes;
    this.clock = clock;
    this.tip = tip;
    this.all = { from: data.from, to: Math.max(data.to, data.from + 1000) };
    this.view = this.all;
    this.axis = document.getElementById("axis");
    this.shown = document.getElementById("timeline-shown");
    this.visible = new Set();
    this.onChange = () => {};
    this.onOpen = () => {};
    lanes.forEach((lane) => this.serve(lane));
    this.watch();
  }

  // Only lanes that can be seen are drawn, however many there are.
  watch() {
    const byPlot = new Map(this.lanes.map((lane) => [lane.plot, lane]));
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const lane = byPlot.get(entry.target);
        if (!entry.isIntersecting) this.visible.delete(lane);
        else if (!this.visible.has(lane)) {
          this.visible.add(lane);
          lane.draw(this.view, this.data);
        }
      }
    }, { rootMargin: "200px" });
    for (const lane of this.lanes) observer.observe(lane.plot);
    let width = 0;
    new ResizeObserver(([entry]) => {
      if (entry.contentRect.width !== width) this.draw();
      width = entry.contentRect.width;
    }).observe(this.axis);
    addEventListener("beforeprint", () => this.lanes.forEach((lane) => lane.draw(this.view, this.data)));
    const tools = document.getElementById("timeline-tools");
    tools.addEventListener("click", (event) => this.act(event.target.dataset.do));
  }

  act(name) {
    const length = this.view.to - this.view.from;
    const middle = this.view.from + length / 2;
    if (name === "all") this.show(this.all.from, this.all.to);
    else if (name === "in") this.zoom(middle, 0.5);
    else if (name === "out") this.zoom(middle, 2);
    else if (name === "earlier") this.show(this.view.from - length / 2, this.view.to - length / 2);
    else if (name === "later") this.show(this.view.from + length / 2, this.view.to + length / 2);
  }

  zoom(at, factor) {
    const { from, to } = this.view;
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }

  // Shows a time, as far as there is something of it and not less than a hundredth of a second.
  show(from, to) {
    const length = Math.min(Math.max(to - from, 10), this.all.to - this.all.from);
    const start = Math.min(Math.max(from, this.all.from), this.all.to - length);
    this.view = { from: start, to: start + length };
    this.draw();
    this.onChange();
  }

  get isWhole() {
    return this.view.from <= this.all.from && this.view.to >= this.all.to;
  }

  draw() {
    const { from, to } = this.view;
    const most = Math.max(2, Math.floor((this.axis.clientWidth || 900) / 110));
    const parts = this.clock.ticks(from, to, most).flatMap(([at, text]) => {
      const part = (at - from) / (to - from);
      const label = shape("text", { x: `${100 * part}%`, y: 14, "text-anchor": part < 0.05 ? "start" : part > 0.95 ? "end" : "middle" });
      label.textContent = text;
      return [label, shape("line", { x1: `${100 * part}%`, x2: `${100 * part}%`, y1: 18, y2: 22, class: "grid" })];
    });
    this.axis.replaceChildren(...parts);
    this.shown.textContent = `${this.clock.text(from)} to ${this.clock.text(to)} (${Clock.duration(to - from)})`;
    for (const lane of this.visible) lane.draw(this.view, this.data);
    const idle = {
      all: this.isWhole, out: this.isWhole, in: to - from <= 10,
      earlier: from <= this.all.from, later: to >= this.all.to,
    };
    for (const name in idle) document.querySelector(`[data-do="${name}"]`).disabled = idle[name];
  }

  serve(lane) {
    const { plot } = lane;
    const moment = (event) => {
      const box = plot.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      return this.view.from + part * (this.view.to - this.view.from);
    };
    let pressed = null;
    plot.addEventListener("pointermove", (event) => {
      const at = moment(event);
      if (pressed !== null) this.brush(lane, pressed, at);
      this.tip.show(lane.describe(at, this.view, this.clock), event.clientX, event.clientY);
    });
    plot.addEventListener("pointerleave", () => this.tip.hide());
    plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      pressed = moment(event);
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointerup", (event) => {
      const [from, to] = [pressed, moment(event)].sort((one, other) => one - other);
      const wasPressed = pressed !== null;
      pressed = null;
      plot.querySelector(".brush")?.remove();
      const pixels = ((to - from) / (this.view.to - this.view.from)) * plot.clientWidth;
      if (wasPressed && pixels > 5) this.show(from, to);
    });
    plot.addEventListener("pointercancel", () => {
      pressed = null;
      plot.querySelector(".brush")?.remove();
    });
    plot.addEventListener("dblclick", (event) => this.zoom(moment(event), 0.25));
    plot.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(moment(event), event.deltaY < 0 ? 0.8 : 1.25);
    }, { passive: false });
    plot.addEventListener("keydown", (event) => this.key(lane, event));
    plot.addEventListener("blur", () => {
      lane.cursor = null;
      this.tip.hide();
      lane.draw(this.view, this.data);
    });
    plot.setAttribute("tabindex", "0");
    plot.setAttribute("role", "slider");
    plot.setAttribute("aria-orientation", "horizontal");
    plot.setAttribute("aria-valuemin", "0");
    plot.setAttribute("aria-valuemax", "100");
    plot.setAttribute("aria-valuenow", "0");
    plot.setAttribute("aria-valuetext", "no moment chosen");
    plot.setAttribute("aria-label", `Time of ${lane.name}`);
    plot.setAttribute("aria-describedby", "timeline-keys");
  }

  brush(lane, from, to) {
    const length = this.view.to - this.view.from;
    const brush = lane.plot.querySelector(".brush") ?? lane.plot.appendChild(shape("rect", { y: 0, height: 50, class: "brush" }));
    brush.setAttribute("x", `${(100 * (Math.min(from, to) - this.view.from)) / length}%`);
    brush.setAttribute("width", `${(100 * Math.abs(to - from)) / length}%`);
  }

  key(lane, event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = lane.cursor ?? (this.view.from + this.view.to) / 2;
    const isShifted = event.shiftKey;
    const actions = {
      ArrowRight: () => (isShifted ? this.act("later") : this.move(lane, lane.step(1))),
      ArrowLeft: () => (isShifted ? this.act("earlier") : this.move(lane, lane.step(-1))),
      Home: () => this.move(lane, lane.stops[0] ?? null),
      End: () => this.move(lane, lane.stops.at(-1) ?? null),
      "+": () => this.zoom(at, 0.5),
      "=": () => this.zoom(at, 0.5),
      "-": () => this.zoom(at, 2),
      "0": () => this.act("all"),
      Escape: () => this.act("all"),
      Enter: () => this.onOpen(lane, this.column(lane)),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // The time that a cursor stands for; all that is shown without one.
  column(lane) {
    if (lane.cursor === null) return this.view;
    const half = (this.view.to - this.view.from) / lane.drawn.length / 2;
    return { from: lane.cursor - half, to: lane.cursor + half };
  }

  move(lane, at) {
    if (at === null) return;
    lane.cursor = at;
    lane.draw(this.view, this.data);
    const text = lane.describe(at, this.view, this.clock);
    const part = (at - this.view.from) / (this.view.to - this.view.from);
    lane.plot.setAttribute("aria-valuenow", String(Math.round(100 * part)));
    lane.plot.setAttribute("aria-valuetext", text);
    const box = lane.plot.getBoundingClientRect();
    this.tip.show(text, box.left + part * box.width, box.bottom - 20);
  }
}
