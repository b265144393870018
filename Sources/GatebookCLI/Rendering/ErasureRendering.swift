internal import Gatebook

/// What became of an account that was erased, as `erase` prints it.
struct ErasureRendering {
  private let erasure: Erasure

  init(_ erasure: Erasure) {
    self.erasure = erasure
  }

  /// The documented object.
  var json: JSON {
    .present([
      "account": .text(erasure.context.account.description),
      "position": .integer(erasure.position.rawValue),
      "repeated": erasure.isRepeated ? .bool(true) : nil,
      "wiped": .bool(erasure.isWiped),
      "untold": .integer(Int64(erasure.untold)),
      "copies": .list(erasure.copies.map { CopyRendering($0).json }),
    ])
  }

  /// Some lines for people.
  @MainActor func show(_ output: Output) {
    let account = erasure.context.account
    output.line(
      output.painted(
        erasure.isRepeated
          ? "The account was erased before, by event \(erasure.position): \(account)."
          : "The account is erased, by event \(erasure.position): \(account).", .good))
    if erasure.untold > 0, !erasure.isRepeated {
      output.message(
        "Its server was not told: the tokens stay valid there until they expire.")
    }
    if !erasure.isWiped {
      output.message(
        "The destroyed key still stands in the write-ahead log, for somebody reads an older state of the "
          + "book. The next command that writes wipes it; `gatebook doctor` says whether that is done."
      )
    }
    guard !erasure.copies.isEmpty else { return }
    output.line("Copies of the book that may still hold its key; destroy those you do not need:")
    for copy in erasure.copies { output.line("- " + CopyRendering(copy).text(output.times)) }
    if erasure.copies.contains(where: { $0.kind == .archive }) {
      output.message(
        "An erase does not reach an archive, which alone has what happened before: keep it where only "
          + "those can read it who may, and apart from the book's key.")
    }
  }
}
