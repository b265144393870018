internal import Gatebook
internal import GatebookFleet

/// What programs read of a verification of a fleet.
extension FleetVerdictRendering {
  func showJSON(_ verdict: FleetVerdict) {
    for history in verdict.histories { output.json(Self.json(history)) }
    for book in verdict.unknownBooks {
      output.json(
        .present([
          "book": .text(book.description), "ok": .bool(false),
          "problems": .list([.text(Self.added)]),
        ]))
    }
  }

  private static func json(_ history: HistoryVerdict) -> JSON {
    .members([
      ("book", .text(history.book.description)), ("branch", .integer(Int64(history.branch))),
      ("machine", history.machine.map(JSON.text)), ("ok", .bool(history.ok)),
      ("size", .integer(history.size)), ("events", .integer(history.events)),
      ("root", history.root.map(JSON.text)), ("level", .text(history.level.rawValue)),
      ("covered", history.covered.map(JSON.position)),
      ("firstBad", history.firstBad.map(JSON.position)),
      ("problems", .list(history.problems.map(JSON.text))),
      ("forgotten", history.forgotten > 0 ? .integer(history.forgotten) : nil),
      ("withheld", history.withheld > 0 ? .integer(history.withheld) : nil),
      ("firstWithheld", history.firstWithheld.map(JSON.position)),
      ("sealed", history.firstWithheld == nil ? nil : .integer(history.sealed)),
      ("unproven", history.unproven > 0 ? .integer(history.unproven) : nil),
      ("known", history.known.map(JSON.integer)),
      ("knownForgotten", history.isKnownForgotten ? .bool(true) : nil),
      ("new", history.isNew ? .bool(true) : nil),
      ("states", history.states.map { .text($0.rawValue) }),
      ("lost", history.lost.isEmpty ? nil : .pairs(history.lost)),
    ])
  }
}
