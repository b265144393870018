internal import Gatebook
internal import GatebookFleet

/// Tells people and programs what a shipment does.
struct ShipmentRendering: Sendable {
  private let call: Call

  init(_ call: Call) {
    self.call = call
  }

  /// Takes what the shipment tells, on its own thread, and shows it.
  var news: @Sendable (ShipmentNews) -> Void {
    let call = call
    return { news in
      Task { @MainActor in Self.show(news, call) }
    }
  }

  /// Says what begins.
  @MainActor func announce(_ interval: Duration?, _ access: FleetAccess) {
    let pace = interval.map { "every \(TimeText.spoken($0))" } ?? "as they come"
    call.output.message(
      Printable.text("Shipping events to \(access.address) \(pace). Press Ctrl-C to end it."))
  }

  @MainActor private static func show(_ news: ShipmentNews, _ call: Call) {
    switch news {
    case .progress(let shipped, let all):
      call.progress.show("shipping: \(shipped) of \(all) events")
    case .archive(let path, let position):
      call.output.message(
        Printable.text(
          "The fleet needs the events from \(position) on first: shipping the archive \(path)."))
    case .waiting(let error, let pause):
      let text = "\(error.message) Trying again in \(TimeText.spoken(pause))."
      call.output.message(Printable.text(text))
    case .shipped(let report):
      guard report.events > 0 || report.forkedAfter != nil else { return }
      print(report, call)
      call.output.flush()
    }
  }

  /// Prints the result of a single shipment.
  @MainActor func finish(_ report: ShipReport) -> ExitCode {
    call.progress.finish()
    Self.print(report, call)
    return report.forkedAfter == nil ? .done : .damaged
  }

  /// Ends a series.
  @MainActor func finish() -> ExitCode {
    call.progress.finish()
    return .done
  }

  @MainActor private static func print(_ report: ShipReport, _ call: Call) {
    if let base = report.forkedAfter {
      call.output.report(ErrorReport.of(fork(report, after: base)))
    }
    guard !call.output.isJSON else {
      return call.output.json(
        .present([
          "book": .text(report.book.description), "branch": .integer(Int64(report.branch)),
          "events": .integer(report.events), "size": .integer(report.size),
          "signed": .bool(report.isSigned),
          "forkedAfter": report.forkedAfter.map { .integer($0.rawValue) },
        ]))
    }
    guard report.events > 0 else {
      return call.output.line(
        "Nothing to ship: the fleet has all \(Figure.text(report.size, "event", "events")).")
    }
    call.output.line(
      "\(Figure.text(report.events, "event", "events")) shipped; the fleet has "
        + "\(Figure.text(report.size, "event", "events"))"
        + (report.isSigned
          ? ", with a signed checkpoint."
          : ", without a signed checkpoint: that needs the book's key."))
  }

  private static func fork(_ report: ShipReport, after base: Position) -> GatebookError {
    GatebookError(
      .fleetForked,
      "The fleet has another history of this book: both are the same up to position \(base). The book "
        + "was copied, and both copies were used.",
      kept: "The fleet keeps both. This one is branch \(report.branch).",
      remedy:
        "`gatebook fleet findings` shows such books. Use only one of the two copies from now on.")
  }
}
