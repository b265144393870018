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
          ? "The account had already been erased, by event \(erasure.position): \(account)."
          : "Erased the account, by event \(erasure.position): \(account).", .good))
    if erasure.untold > 0, !erasure.isRepeated {
      output.message(
        "The server was not told. Tokens stay valid there until they expire.")
    }
    if !erasure.isWiped {
      output.message(
        "The destroyed key is still in the write-ahead log, because a program is reading an older state "
          + "of the book. The next command that writes wipes it; `gatebook doctor` shows whether it is "
          + "wiped."
      )
    }
    guard !erasure.copies.isEmpty else { return }
    output.line("These copies of the book may still hold its key. Delete those you do not need:")
    for copy in erasure.copies { output.line("- " + CopyRendering(copy).text(output.times)) }
    if erasure.copies.contains(where: { $0.kind == .archive }) {
      output.message(
        "An erase does not change archives, which hold the earlier events. Keep them in a different "
          + "place than the book's key, where only authorized people can read them.")
    }
  }
}
